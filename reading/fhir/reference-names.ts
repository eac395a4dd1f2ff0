//! The names of what records refer to, for references without a display: an address means nothing to a reader.

import { joined } from '../joined.ts';
import { kept } from '../kept.ts';
import type { Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, isShaped } from '../shape.ts';
import { cautionOf } from './certainty.ts';
import { containedIn } from './contained.ts';
import { firstText, textAt, valuesAt } from './element-text.ts';
import { withFacts } from './facts.ts';
import { textIn } from './loose.ts';
import { recordAddress, referredAddress } from './record-address.ts';
import { normalCode } from './status-code.ts';
import { nameOf, plain, reference } from './text.ts';
import { humanNameShape, type Reference, type Resource, referenceShape, resourceShape } from './types.ts';

/** Finds the target of a reference among other records. */
type FindTarget = (to: Reference) => object | undefined;

/** The elements that identify a resource. */
const KNOWN_BY = [
  ...['name', 'alias', 'deviceName.name', 'code', 'medicationCodeableConcept', 'vaccineCode', 'event', 'type', 'title'],
  ...['description', 'relationship', 'codeCodeableConcept', 'itemCodeableConcept', 'suppliedItem.itemCodeableConcept'],
  ...['ingredient.itemCodeableConcept', 'reaction.substance', 'orderDetail', 'procedureCode', 'serviceType', 'topic'],
  ...['detail', 'summary', 'action.title', 'content.title', 'content.attachment.title', 'payload.contentString'],
  ...['oralDiet.type', 'prediction.outcome', 'recommendation.vaccineCode', 'reasonCode', 'modality', 'modelNumber'],
  'manufacturer',
];
/** The types that their category names where nothing else does. That of others does not say what they are. */
const KNOWN_BY_CATEGORY = ['CarePlan', 'CareTeam', 'Communication', 'Consent', 'DocumentReference', 'ServiceRequest'];
/** The elements that identify a role: all that have a name of the first, or else the first of the second. */
const ROLE_KNOWN_BY = ['practitioner', 'organization'];
const ROLE_ELSE_KNOWN_BY = ['code', 'specialty', 'healthcareService', 'location'];
/** The elements that refer to what identifies a resource, where none of the others does. */
const ELSE_REFERRED_BY = [
  'medicationReference',
  'codeReference',
  'itemReference',
  'suppliedItem.itemReference',
  'device',
];
/** The elements that together identify a resource of a type. */
const ALL_KNOWN_BY: Readonly<Record<string, string[]>> = {
  Specimen: ['type', 'collection.bodySite', 'collection.method', 'collection.fastingStatusCodeableConcept'],
  BodyStructure: ['location', 'locationQualifier', 'description'],
};

/**
 * Returns the name of a resource of any type. A role is named after its holder and its organization, a specimen after
 * its type, its site and how it was taken: a swab of the throat is not one of a wound.
 */
function nameIn(words: Words, resource: object, target: FindTarget): string | undefined {
  const referred = (elements: string[]): string =>
    elements
      .flatMap((element) => valuesAt(resource, element))
      .filter((to) => isShaped(referenceShape, to))
      .flatMap((to) => {
        const found = containedIn(resource, to.reference) ?? target(to);
        return (to.display || (found && nameIn(words, found, () => undefined))) ?? [];
      })
      .join(', ');
  const type = 'resourceType' in resource ? String(resource.resourceType) : '';
  if (type === 'PractitionerRole') return referred(ROLE_KNOWN_BY) || firstText(words, resource, ROLE_ELSE_KNOWN_BY);
  const together = own(ALL_KNOWN_BY, type);
  if (together) return textAt(words, resource, ...together);
  return (
    nameOf(valuesAt(resource, 'name').filter((name) => isShaped(humanNameShape, name))) ??
    firstText(words, resource, KNOWN_BY) ??
    (referred(ELSE_REFERRED_BY) || firstText(words, resource, KNOWN_BY_CATEGORY.includes(type) ? ['category'] : []))
  );
}

const isSpecimen = (target: object): boolean => 'resourceType' in target && target.resourceType === 'Specimen';

/** The statuses of a specimen whose results are in doubt. */
const DOUBTED = ['unsatisfactory', 'entered-in-error'];

/** Returns the condition of a specimen: that it is unsatisfactory or in error, and the words of the laboratory. */
function conditionIn(words: Words, target: object): string | undefined {
  const status = valuesAt(target, 'status')
    .map(normalCode)
    .find((one) => DOUBTED.includes(one));
  const said = [status && plain(words, status), firstText(words, target, ['condition'])];
  return said.filter(Boolean).join(', ') || undefined;
}

/** Returns the notes on a specimen. */
const notesIn = (target: object): string[] => valuesAt(target, 'note.text').flatMap((text) => textIn(text) ?? []);

/** Elements of a record that say whose it is: the chart is of that patient. */
const WHOSE = ['subject', 'patient'];

/** Returns whose a target is, if it is of another than the record, or if a specimen has words alone for whose it is. */
function whoseIn(record: object, found: object, target: FindTarget): Reference | undefined {
  const [of, own] = [found, record].map((one) =>
    WHOSE.flatMap((name) => valuesAt(one, name)).find((to) => isShaped(referenceShape, to)),
  );
  if (isSpecimen(found) && of?.display && !of.reference) return of;
  if (!of?.reference || !own?.reference || referredAddress(of.reference) === referredAddress(own.reference))
    return undefined;
  const [person, patient] = [target(of), target(own)];
  return person !== undefined && person === patient ? undefined : withNames(of, target);
}

/** Returns in words whom a target is about, if it is in the record of another person than the record itself. */
export function aboutOther(words: Words, record: object, found: object, target: FindTarget): string | undefined {
  const whose = whoseIn(record, found, target);
  const what = whose && (reference(words, whose) ?? whose.reference);
  return what && words.t('about: {what}', { what });
}

/** The greatest depth of elements that are read. */
const MAX_DEPTH = 12;
const OF_REFERENCE = ['reference', 'type', 'identifier', 'id', 'extension', 'display', '_display'];

/** Elements that are looked up even with a display: what they refer to may be of another person. */
const MAY_BE_OF_OTHER = ['specimen', 'focus'];

/** Returns whether a value is a reference without a display, or to what may be of another person. */
const isNameless = (value: Record<string, unknown>, element: string): value is Reference & Record<string, unknown> =>
  (typeof value.reference === 'string' || isObject(value.identifier)) &&
  (!value.display || String(value.display).trim() === '' || MAY_BE_OF_OTHER.includes(element)) &&
  Object.keys(value).every((name) => OF_REFERENCE.includes(name)) &&
  isShaped(referenceShape, value);

/** A reference, and the name of the element that has it. */
export interface NamelessReference {
  element: string;
  to: Reference;
}

function collect(value: unknown, element: string, into: NamelessReference[], depth: number): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const one of value) collect(one, element, into, depth + 1);
  else if (isObject(value) && isNameless(value, element)) into.push({ element, to: value });
  else if (isObject(value))
    for (const name in value)
      if (depth > 0 || !WHOSE.includes(name) || value.resourceType === 'Specimen')
        collect(value[name], name, into, depth + 1);
}

/** Returns the references of a record to what is looked up, without those to the patient of the record. */
export const namelessReferences = kept((record: object): readonly NamelessReference[] => {
  const found: NamelessReference[] = [];
  collect(record, '', found, 0);
  return found;
});

/** Returns a copy of an object. Members that are not enumerable keep the digits of numbers. */
const copyOf = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.getOwnPropertyNames(value).length === Object.keys(value).length
    ? { ...value }
    : Object.defineProperties({}, Object.getOwnPropertyDescriptors(value));

/** Returns a value whose nameless references have the names of their targets; the value itself if none has one. */
function namedIn(value: unknown, target: FindTarget, depth: number, record: object, element = ''): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const made = value.map((item) => namedIn(item, target, depth + 1, record, element));
    return made.some((item, i) => item !== value[i]) ? made : value;
  }
  if (!isObject(value)) return value;
  if (isNameless(value, element)) {
    const found = target(value);
    if (!found) return value;
    const whose = whoseIn(record, found, target);
    if (isSpecimen(found) && element === 'specimen')
      return withFacts(value, {
        name: (words) => nameIn(words, found, target),
        condition: (words) => conditionIn(words, found),
        notes: notesIn(found),
        whose,
      });
    const name = (words: Words): string | undefined => {
      const caution = isShaped(resourceShape, found) && cautionOf(words, found);
      const said = joined(aboutOther(words, record, found, target), caution);
      const known = nameIn(words, found, target);
      return known && said ? `${known} (${said})` : known;
    };
    return withFacts(value, { name, whose });
  }
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const made = namedIn(value[name], target, depth + 1, record, name);
    if (made === value[name]) continue;
    copy ??= copyOf(value);
    copy[name] = made;
  }
  return copy ?? value;
}

/**
 * Returns a record whose references without a display have the names of their targets, which the record contains or
 * which are found otherwise; the record itself if there are none.
 */
export function withNames<T extends object>(record: T, target: FindTarget = () => undefined): T {
  if (namelessReferences(record).length === 0) return record;
  return namedIn(record, (to) => containedIn(record, to.reference) ?? target(to), 0, record) as T;
}

/**
 * Returns a function that gives names to the references of a record, by other records of the same source. An absolute
 * reference leads elsewhere.
 */
export function namedBy(known: readonly Resource[]): <T extends object>(record: T) => T {
  const byAddress = new Map(known.map((one) => [recordAddress(one), one]));
  return (record) =>
    withNames(record, ({ reference = '' }) => byAddress.get(reference.replace(/\/_history\/[^/]*$/, '')));
}
