//! The reasons of requests, procedures and plans, in words.

import { concept, concepts } from '../fhir/text.ts';
import { type Concept, codeElement, type Reference } from '../fhir/types.ts';
import type { ChartStore } from './store.ts';

/** The words for a record that is referred to: its display, or the code of the record where the chart holds it. */
export const referredTo = (to: Reference, store: ChartStore): string | undefined =>
  to.display ?? concept(codeElement(store.find(to.reference ?? '')));

/** The reasons of a record: its codes, and the records that it refers to. */
export function reasons(of: { reasonCode?: Concept[]; reasonReference?: Reference[] }, store: ChartStore): string {
  const referred = (of.reasonReference ?? []).map((to) => referredTo(to, store));
  return [...new Set([concepts(of.reasonCode), ...referred].filter(Boolean))].join(', ');
}
