// The search parameters of each type of R4: {type: {name: {kind, targets, facts(resource, base), present(resource)}}}.
// A fact is a value that a search compares with:
//
//   token      {system, code, exact}, {contact, isPhone}
//   date       {from, until}
//   string     a text
//   reference  {type, id}, {address, isCanonical}
//   uri        {address, isCanonical}
//   number     {low, high}
//   quantity   {interval, system, code, unit}
//   composite  a list of the facts of each component, all of one instance
//
// present says whether the resource has an element of the parameter, for :missing. Kinds besides those of R4 are id,
// and chain: a parameter of another type that the contract names.

import { rangeOf } from './dates.mjs';
import { DEFINITIONS } from './definitions.mjs';
import { OF_SEVERAL } from './further-types.mjs';
import { intervalOf, quantityOf } from './quantities.mjs';
import { isTarget, readReference } from './references.mjs';
import { partsOf } from './strings.mjs';
import { tokensOf } from './tokens.mjs';
import { elementsOf, instancesOf, typeOfReference } from './values.mjs';
import { extensionValues, values } from './walk.mjs';

// The types of elements that parameters of a kind read. Other elements in the table are neither found nor present.
const READS = {
  token: ['CodeableConcept', 'Coding', 'code', 'Identifier', 'ContactPoint', 'boolean', 'string', 'uri', 'id'],
  date: ['date', 'dateTime', 'instant', 'Period', 'Timing'],
  string: ['string', 'markdown', 'HumanName', 'Address'],
  reference: ['Reference', 'canonical', 'uri'],
  uri: ['uri', 'url', 'canonical', 'oid', 'uuid'],
  number: ['integer', 'positiveInt', 'unsignedInt', 'decimal', 'Range'],
  quantity: ['Quantity', 'Age', 'Duration', 'Distance', 'Count', 'Money', 'Range', 'SampledData'],
};

// An element -> its facts.
const FACTS = {
  token: tokensOf,
  date: ({ value }) => [rangeOf(value)].filter(Boolean),
  string: partsOf,
  reference: (element, base) => (element.type === 'Reference' ? referencesOf(element, base) : addressesOf(element)),
  uri: (element) => addressesOf(element),
  number: (element) => [intervalOf(element)].filter(Boolean),
  quantity: (element) => [quantityOf(element)].filter(Boolean),
};

const referencesOf = ({ value }, base) => [readReference(value.reference, base)].filter(Boolean);
const addressesOf = ({ type, value }) => [{ address: value, isCanonical: type === 'canonical' }];

// Whether an element has content besides its id and its extensions.
function hasContent(element) {
  if (Array.isArray(element)) return element.some(hasContent);
  if (element === null || typeof element !== 'object') return ![undefined, null, ''].includes(element);
  return Object.entries(element).some(([name, member]) => !['id', 'extension'].includes(name) && hasContent(member));
}

// Every Patient has a value for `deceased`: true if there is a time, and false by default.
const deceased = ({ deceasedBoolean = false, deceasedDateTime }) => [
  { type: 'boolean', value: deceasedDateTime !== undefined || deceasedBoolean },
];

function paramOf(type, name, { kind, elements: all, targets, components, isOfGuides }) {
  if (kind === 'composite') {
    const facts = (resource, base) =>
      instancesOf(resource, components).map((instance) =>
        instance.map((elements, at) => factsOf(components[at].kind, elements, base)),
      );
    return { kind, components, facts };
  }
  const isRead = ({ type, value }) =>
    READS[kind]?.includes(type) && (name !== 'patient' || typeOfReference(value) === 'Patient');
  const read = (resource) => elementsOf(resource, all).filter(isRead);
  const elements = `${type} ${name}` === 'Patient deceased' ? deceased : read;
  const isFound = (fact) => !targets || !fact.type || isTarget(targets, fact.type);
  const types = all.map((element) => element.type);
  // A fragment does not name the type of its target.
  const ofAnyType = all.map(({ steps, ...element }) => ({
    ...element,
    steps: steps.map((step) => (step.member ? step : { name: step.name })),
  }));
  return {
    kind,
    targets,
    isOfGuides,
    isOfAddresses: kind === 'reference' && types.some((type) => ['canonical', 'uri'].includes(type)),
    isOfBooleans: kind === 'token' && (elements === deceased || types.every((type) => type === 'boolean')),
    elements,
    fragments: (resource) =>
      elementsOf(resource, ofAnyType)
        .map(({ value }) => value.reference)
        .filter((reference) => reference?.startsWith('#')),
    facts: (resource, base) => factsOf(kind, elements(resource), base).filter(isFound),
    present: (resource) => elements(resource).some(({ value }) => hasContent(value)),
  };
}

const factsOf = (kind, elements, base) =>
  elements.filter(({ type }) => READS[kind].includes(type)).flatMap((element) => FACTS[kind](element, base));

const ASSERTED_DATE = 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate';
export const assertedDate = {
  facts: (r) => extensionValues(r, ASSERTED_DATE, 'valueDateTime').map(rangeOf).filter(Boolean),
};

const isEnteredInError = (allergy) =>
  values(allergy, 'verificationStatus.coding.code').some((c) => c.toLowerCase() === 'entered-in-error');

// The changes of docs/decisions/ to the definitions: spellings of the contract, and owners. For example, the patient of
// a Provenance is the only patient of all its targets.
const EXCEPTIONS = {
  'Provenance patient': { isOwner: true },
  ...Object.fromEntries(Object.keys(OF_SEVERAL).map((type) => [`${type} patient`, { isOwner: true }])),
  'AllergyIntolerance clinical-status': { exceptFor: isEnteredInError },
  'Condition clinical-status': { alsoFinds: { recurrance: 'recurrence' } },
};

// via: the reference parameter of the same type; to: the parameter of the type that it leads to.
const chain = (via, type, to) => ({ kind: 'chain', via, type, to });
const CHAINS = {
  PractitionerRole: {
    'practitioner.name': chain('practitioner', 'Practitioner', 'name'),
    'practitioner.identifier': chain('practitioner', 'Practitioner', 'identifier'),
  },
};

// Caches the result of `read` by base and resource.
function once(read) {
  const known = new Map();
  return (resource, base) => {
    if (!known.has(base)) known.set(base, new WeakMap());
    const ofBase = known.get(base);
    if (!ofBase.has(resource)) ofBase.set(resource, read(resource, base));
    return ofBase.get(resource);
  };
}

function remembering(param) {
  const reads = ['elements', 'facts', 'present'].filter((name) => param[name]);
  return { ...param, ...Object.fromEntries(reads.map((name) => [name, once(param[name])])) };
}

export const PARAMS = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([type, params]) => {
    const own = Object.entries(params).map(([name, definition]) => [
      name,
      remembering({ ...paramOf(type, name, definition), ...EXCEPTIONS[`${type} ${name}`] }),
    ]);
    return [type, { ...Object.fromEntries(own), ...CHAINS[type], _id: { kind: 'id', present: () => true } }];
  }),
);

// The types that the API serves.
export const SERVED = new Set(Object.keys(PARAMS));

// The parameter of _include=Type:param[:Target]. It must be a parameter of references, and not of addresses.
export function includeOf(type, name) {
  const found = PARAMS[type]?.[name];
  return found?.kind === 'reference' && !found.isOfAddresses ? found : undefined;
}
