//! Sections of which a part was not granted. The overview and the timeline treat them alike.

import type { ChartStore } from '../loading/store.ts';
import type { Section } from './section.ts';

/** Returns whether the first search of a section was not granted, but other searches have found records. */
export function isPartlyWithheld(
  { queries, onlyFirstShown }: Pick<Section, 'queries' | 'onlyFirstShown'>,
  store: Pick<ChartStore, 'loadInTime'>,
): boolean {
  const [first, ...others] = queries.map((query) => store.loadInTime(query));
  if (onlyFirstShown || first?.is !== 'withheld') return false;
  return others.some((one) => one.is === 'loaded' && one.found.matches.length > 0);
}
