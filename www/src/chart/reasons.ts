//! The reasons of requests, procedures and plans, in words.

import { containedIn } from '../fhir/contained.ts';
import { meaningOf } from '../fhir/meaning.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { concept, concepts } from '../fhir/text.ts';
import { type Concept, codeElement, type Reference, type Resource, resourceShape } from '../fhir/types.ts';
import { isShaped } from '../shape.ts';
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

/** The reasons of a record: its codes, and the records that it refers to. */
export function reasons(
  of: Resource & { reasonCode?: Concept[]; reasonReference?: Reference[] },
  store: ChartStore,
): string {
  const referred = (of.reasonReference ?? []).map((to) => referredTo(to, store, of));
  return [...new Set([concepts(of.reasonCode), ...referred].filter(Boolean))].join(', ');
}
