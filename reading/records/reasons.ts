//! The reasons of requests, procedures and plans, in words.

import { cautionOf } from '../fhir/certainty.ts';
import { containedIn } from '../fhir/contained.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { aboutOther } from '../fhir/reference-names.ts';
import { concept, concepts, reference } from '../fhir/text.ts';
import * as fhir from '../fhir/types.ts';
import { joined } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { isShaped } from '../shape.ts';
import { meaningOf } from './meaning.ts';

/** The records of a chart by their addresses. */
export interface KnownRecords {
  find(address: string): fhir.Resource | undefined;
}

/**
 * Returns the words for a referenced record: its display, or the words of the record itself if the chart or the
 * referring record contains it; with the words for its uncertainty.
 */
export function referredTo(
  words: Words,
  to: fhir.Reference,
  known: KnownRecords,
  from?: fhir.Resource,
): string | undefined {
  const inside = containedIn(from, to.reference);
  const found = isShaped(fhir.resourceShape, inside) ? inside : known.find(referredAddress(to.reference));
  const name = to.display || (found && (concept(words, fhir.codeElement(found)) ?? meaningOf(words, found).what));
  const caution = found && cautionOf(words, found);
  const find = ({ reference: address = '' }: fhir.Reference) => known.find(referredAddress(address));
  const said = joined(found && from && aboutOther(words, from, found, find), caution);
  return name && said ? `${name} (${said})` : name;
}

/** Returns the names of the records to which an element refers, or addresses if the chart does not have the records. */
export const namesReferredTo = (words: Words, of: fhir.Resource, element: string, known: KnownRecords): string[] =>
  valuesAt(of, element)
    .filter((to) => isShaped(fhir.referenceShape, to))
    .flatMap((to) => referredTo(words, to, known, of) ?? reference(words, to) ?? []);

/** Returns the reasons of a record: its codes, and the records to which it refers. */
export function reasons(
  words: Words,
  of: fhir.Resource & { reasonCode?: fhir.Concept[]; reasonReference?: fhir.Reference[] },
  known: KnownRecords,
): string {
  const referred = (of.reasonReference ?? []).map((to) => referredTo(words, to, known, of));
  return [...new Set([concepts(words, of.reasonCode), ...referred].filter(Boolean))].join(', ');
}
