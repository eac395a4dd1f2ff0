//! Documents that replace others, add to them or were made from them (`relatesTo` of
//! <https://hl7.org/fhir/R4/documentreference.html> and <https://hl7.org/fhir/R4/composition.html>). The own status of
//! a replaced document often stays the same.

import { periodDate, shortDate } from '../fhir/date.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { periodIn, textIn } from '../fhir/loose.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { type Resource, referenceShape } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { isObject, isShaped } from '../shape.ts';

const TYPES = ['DocumentReference', 'Composition'];

/** The names of a document: its address, and the values of its identifiers. */
const namesOf = (document: Resource): string[] => [
  recordAddress(document),
  ...['masterIdentifier.value', 'identifier.value'].flatMap((path) => valuesAt(document, path)).map((one) => `#${one}`),
];

/** The names of the target of a relation. */
function targetNames({ target, targetReference, targetIdentifier }: Readonly<Record<string, unknown>>): string[] {
  const to = target ?? targetReference ?? { identifier: targetIdentifier };
  if (!isShaped(referenceShape, to)) return [];
  const { reference, identifier } = to;
  return [reference && referredAddress(reference), identifier?.value && `#${identifier.value}`].flatMap(
    (name) => name || [],
  );
}

/** A relation of a document to another one, which may not be among the records. */
interface Relation {
  code: string;
  from: Resource;
  to: Resource | undefined;
}

/** The relations of documents, in both directions. */
export interface DocumentRelations {
  /** The documents that others replace, each with the one in its place. */
  replaced: ReadonlyMap<Resource, Resource>;
  from: ReadonlyMap<Resource, Relation[]>;
  to: ReadonlyMap<Resource | undefined, Relation[]>;
}

export function documentRelations(records: readonly Resource[]): DocumentRelations {
  const documents = records.filter((one) => TYPES.includes(one.resourceType) && !isEnteredInError(one));
  const byName = new Map(documents.flatMap((one) => namesOf(one).map((name) => [name, one] as const)));
  const all = documents.flatMap((from) =>
    valuesAt(from, 'relatesTo')
      .filter(isObject)
      .map((one) => ({
        code: textIn(one.code) ?? '',
        from,
        to: targetNames(one).flatMap((name) => byName.get(name) ?? [])[0],
      })),
  );
  const newer = new Map(all.flatMap(({ code, from, to }) => (code === 'replaces' && to ? [[to, from] as const] : [])));
  return {
    // Documents that replace each other contradict each other, and all of them stay.
    replaced: new Map([...newer].filter(([one]) => !isInCircle(one, newer))),
    from: Map.groupBy(all, ({ from }) => from),
    to: Map.groupBy(all, ({ to }) => to),
  };
}

/** Returns whether a document is replaced by itself, directly or through others. */
function isInCircle(document: Resource, newer: ReadonlyMap<Resource, Resource>): boolean {
  const seen = new Set<Resource>();
  for (let by = newer.get(document); by && !seen.has(by); by = newer.get(by)) {
    if (by === document) return true;
    seen.add(by);
  }
  return false;
}

/** Returns the documents among records that others replace, each with the one in its place. */
export const replacedDocuments = (records: readonly Resource[]): ReadonlyMap<Resource, Resource> =>
  documentRelations(records).replaced;

/** Returns the date of a document; an empty text if it has none or is not among the records. */
function dateOf(words: Words, document: Resource | undefined): string {
  if (!document) return '';
  const [date, start] = ['date', 'context.period'].map((path) => valuesAt(document, path)[0]);
  return shortDate(words, textIn(date) ?? periodDate(periodIn(start)));
}

/** Returns what a document says about its relation to another one; nothing for what it replaces. */
function toOther(words: Words, { code, to }: Relation): string | undefined {
  const date = dateOf(words, to);
  switch (code) {
    case 'appends':
      return date ? words.t('adds to the document of {date}', { date }) : words.t('adds to another document');
    case 'transforms':
      return date ? words.t('made from the document of {date}', { date }) : words.t('made from another document');
    case 'signs':
      return date ? words.t('signs the document of {date}', { date }) : words.t('signs another document');
    default:
      return undefined;
  }
}

/** Returns what another document says about its relation to a document: that it replaces it, or adds to it. */
function fromOther(words: Words, { code, from, to }: Relation, { replaced }: DocumentRelations): string | undefined {
  const date = dateOf(words, from);
  if (code === 'appends') return date ? words.t('with an addition of {date}', { date }) : words.t('with an addition');
  if (!to || replaced.get(to) !== from) return undefined;
  return date ? words.t('replaced by the document of {date}', { date }) : words.t('replaced by another document');
}

/** Returns the words for the relations of a document; nothing if it has none. */
export function relationText(words: Words, document: Resource, relations: DocumentRelations): string | undefined {
  const { from, to } = relations;
  const said = [
    ...(to.get(document) ?? []).map((one) => fromOther(words, one, relations)),
    ...(from.get(document) ?? []).map((one) => toOther(words, one)),
  ];
  return [...new Set(said)].filter(Boolean).join(', ') || undefined;
}
