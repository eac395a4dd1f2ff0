//! The reasons of requests, procedures and plans, in words.

import { containedIn } from '#reading/fhir/contained.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { referredAddress } from '#reading/fhir/record-address.ts';
import { concept, concepts, reference } from '#reading/fhir/text.ts';
import {
  type Concept,
  codeElement,
  type Reference,
  type Resource,
  referenceShape,
  resourceShape,
} from '#reading/fhir/types.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { isShaped } from '#reading/shape.ts';
import type { ChartStore } from './store.ts';

/**
 * The words for a record that is referred to: its display, or what the record says where the chart or the referring
 * record holds it.
 */
export function referredTo(to: Reference, store: ChartStore, from?: Resource): string | undefined {
  if (to.display) return to.display;
  const inside = containedIn(from, to.reference);
  const found = isShaped(resourceShape, inside) ? inside : store.find(referredAddress(to.reference));
  return found && (concept(codeElement(found)) ?? meaningOf(found).what);
}

/** The names of the records to which an element of a record refers; addresses of those that the chart does not have. */
export const namesReferredTo = (of: Resource, element: string, store: ChartStore): string[] =>
  valuesAt(of, element)
    .filter((to) => isShaped(referenceShape, to))
    .flatMap((to) => referredTo(to, store, of) ?? reference(to) ?? []);

/** The reasons of a record: its codes, and the records that it refers to. */
export function reasons(
  of: Resource & { reasonCode?: Concept[]; reasonReference?: Reference[] },
  store: ChartStore,
): string {
  const referred = (of.reasonReference ?? []).map((to) => referredTo(to, store, of));
  return [...new Set([concepts(of.reasonCode), ...referred].filter(Boolean))].join(', ');
}
