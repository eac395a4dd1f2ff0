//! A load of files in words, for the page and for screen readers.

import type { LoadProgress } from '../../engine/load-files.ts';
import { plural } from '../../fhir/text.ts';
import { size } from '../../parts/requests.ts';

export const filesText = (count: number): string => plural(count, 'file');

/** The progress in a line: the bytes, the resources, and the file where there are several. */
export function progressText({ bytes, allBytes, resources, done, files }: LoadProgress): string {
  const read = bytes < allBytes ? `${size(bytes)} of ${size(allBytes)} read` : `${size(allBytes)} read`;
  const file = files > 1 ? [`file ${Math.min(done + 1, files)} of ${files}`] : [];
  return [read, `${plural(resources, 'resource')} indexed`, ...file].join(' · ');
}

/** The number of quarters that are read. A screen reader is told when it changes, not at each step. */
export const quartersOf = ({ bytes, allBytes }: LoadProgress): number =>
  allBytes === 0 ? 0 : Math.floor((4 * bytes) / allBytes);
