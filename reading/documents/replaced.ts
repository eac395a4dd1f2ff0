//! Documents that another document replaces, as that one says (<https://hl7.org/fhir/R4/documentreference.html>,
//! `relatesTo`). Their own status often stays `current`.

import { periodDate, shortDate } from '../fhir/date.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { type DocumentReference, ofType, type Resource, referenceShape } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { isObject, isShaped } from '../shape.ts';

/** The names by which a document may be referred to: its address, and the values of its identifiers. */
const namesOf = (document: DocumentReference): string[] => [
  recordAddress(document),
  ...['masterIdentifier.value', 'identifier.value'].flatMap((path) => valuesAt(document, path)).map((one) => `#${one}`),
];

/** The names of the documents that a document replaces. */
const replacedNames = (document: DocumentReference): string[] =>
  valuesAt(document, 'relatesTo')
    .filter((one) => isObject(one) && one.code === 'replaces')
    .flatMap((one) => valuesAt(one, 'target'))
    .flatMap((target) => {
      if (!isShaped(referenceShape, target)) return [];
      const { reference, identifier } = target;
      return [reference && referredAddress(reference), identifier?.value && `#${identifier.value}`].flatMap(
        (name) => name || [],
      );
    });

/** Returns the documents among records that others replace, each with the one in its place. */
export function replacedDocuments(records: readonly Resource[]): ReadonlyMap<Resource, DocumentReference> {
  const documents = ofType('DocumentReference', records).filter((one) => !isEnteredInError(one));
  const newer = new Map(documents.flatMap((one) => replacedNames(one).map((name) => [name, one] as const)));
  if (newer.size === 0) return new Map();
  const inPlaceOf = (one: DocumentReference): DocumentReference | undefined =>
    namesOf(one).flatMap((name) => newer.get(name) ?? [])[0];
  // Two documents that each replace the other contradict each other, and both stay.
  return new Map(
    documents.flatMap((one) => {
      const by = inPlaceOf(one);
      return by === undefined || by === one || inPlaceOf(by) === one ? [] : [[one, by] as const];
    }),
  );
}

/** Returns the words for a document that another one replaces. */
export function replacedText(words: Words, { date, context }: DocumentReference): string {
  const written = shortDate(words, date ?? periodDate(context?.period));
  return written
    ? words.t('replaced by the document of {date}', { date: written })
    : words.t('replaced by another document');
}
