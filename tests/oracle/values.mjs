// The elements of a search parameter in a resource, as {type, system, value, text}: the FHIR type, the system that the
// code implies, the value in JSON and, for a number, the digits in the document.

import { digitsOf } from './decimals.mjs';

// A reference has the type that it names, without a lookup. A relative or absolute address ends in Type/id.
const ADDRESS = /(?:^|\/)([A-Z][A-Za-z]*)\/[A-Za-z0-9.-]{1,64}(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;
export const typeOfReference = (reference) => ADDRESS.exec(reference?.reference ?? '')?.[1] ?? reference?.type;

const textOf = (holder, name) => (typeof holder[name] === 'number' ? digitsOf(holder, name) : undefined);

function below(holder, name) {
  const value = holder[name];
  if (Array.isArray(value)) return value.map((item, at) => ({ value: item, text: textOf(value, at) }));
  return [{ value, text: textOf(holder, name) }];
}

const isWanted = (value, { member, wanted }) =>
  wanted === undefined || (member ? value[member] : typeOfReference(value)) === wanted;

const follow = (node, steps) =>
  steps.reduce(
    (found, step) =>
      found
        .flatMap(({ value }) => below(value, step.name))
        .filter(({ value }) => value !== undefined && value !== null && isWanted(value, step)),
    [{ value: node }],
  );

// The caller leaves out elements without a value and without content.
export const elementsOf = (resource, elements) =>
  elements.flatMap(({ type, system, steps }) => follow(resource, steps).map((found) => ({ type, system, ...found })));

// The instances of a composite, each as a list of the elements of each component.
export function instancesOf(resource, components) {
  const roots = new Set(components.flatMap(({ elements }) => elements.map(({ root }) => root)));
  return [...roots].flatMap((root) =>
    follow(resource, root ? [{ name: root }] : []).map(({ value }) =>
      components.map(({ elements }) =>
        elements
          .filter((element) => element.root === root)
          .flatMap((element) => elementsOf(element.isOfResource ? resource : value, [element])),
      ),
    ),
  );
}
