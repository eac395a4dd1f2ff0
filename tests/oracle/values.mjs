// The elements that an expression of a search parameter finds in a resource. The engine that reads the expressions is
// HL7's: nothing here is shared with the server under test.
//
// An element is {type, value, path, base, text}: its type in FHIR, its value in JSON, the path of its definition, such
// as 'Observation.status', what the engine calls its type, and, of a number, its digits as the document has them.

import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import { digitsOf } from './decimals.mjs';

// A reference is of the type that it names; nothing is looked up. A relative or absolute address ends in Type/id.
const ADDRESS = /(?:^|\/)([A-Z][A-Za-z]*)\/[A-Za-z0-9.-]{1,64}(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;
export const typeOfReference = (reference) => ADDRESS.exec(reference?.reference ?? '')?.[1] ?? reference?.type;

const resolve = (nodes) =>
  nodes.flatMap((node) => {
    const resourceType = typeOfReference(node.data);
    return resourceType ? [node.constructor.makeResNode(node.ctx, { resourceType }, null, null, null, null)] : [];
  });
const options = {
  resolveInternalTypes: false,
  userInvocationTable: { resolve: { fn: resolve, arity: { 0: [] }, internalStructures: true } },
};

// R4 casts lists, which later versions of FHIRPath refuse: ofType is the same of each element.
const withoutCasts = (term) => term.replace(/^\(([\w.]+) as (\w+)\)/, '$1.ofType($2)').replace(/\.as\(/g, '.ofType(');

const compiled = new Map();
// base: the path of the element below which the expression is read, or undefined for a resource.
function compile(expression, base) {
  const key = `${base ?? ''} ${expression}`;
  if (!compiled.has(key)) {
    const terms = expression.split(' | ').map(withoutCasts);
    compiled.set(
      key,
      // Each term by itself: a union would compare its values with each other.
      terms.map((term) => fhirpath.compile(base ? { base, expression: term } : term, r4, options)),
    );
  }
  return compiled.get(key);
}

const capitalized = (name) => name[0].toUpperCase() + name.slice(1);

function elementOf(node) {
  // The value of a condition, such as that of Patient.deceased.
  if (typeof node === 'boolean') return { type: 'boolean', value: node };
  const { fhirNodeDataType: type, data: value, parentResNode: parent, propName, path: base } = node;
  const path = parent && propName ? `${parent.path}.${propName}` : base;
  if (!(value instanceof fhirpath.FP_Decimal)) return { type, value, path, base };
  const holder = parent.data;
  const name = propName in holder ? propName : propName + capitalized(type);
  return { type, value: holder[name], path, text: digitsOf(holder, name) };
}

// Whether an expression finds addresses, which are of no type.
export const findsAddresses = (expression) =>
  typesOf(expression).some((type) => ['canonical', 'uri', 'Canonical', 'Uri'].includes(type));

// Whether it finds booleans alone, or is one, as that of Patient.deceased.
export const findsBooleans = (expression) =>
  expression.includes('.exists()') || typesOf(expression).every((type) => type === 'boolean');

const typesOf = (expression) =>
  expression.split(' | ').flatMap((path) => r4.choiceTypePaths[path] ?? [r4.path2Type[path]]);

// What has neither a value nor content is left out by who asks.
function evaluate(expression, of, base, resource) {
  return compile(expression, base)
    .flatMap((term) => term(of, base ? { resource } : undefined))
    .map(elementOf)
    .filter(({ value }) => value !== undefined && value !== null);
}

export const elementsOf = (resource, expression) => evaluate(expression, resource);

// The instances of a composite, each as a list of the elements of each component.
export function instancesOf(resource, expression, components) {
  return elementsOf(resource, expression).map((root) =>
    components.map((component) => evaluate(component.expression, root.value, root.base, resource)),
  );
}
