//! The progress of a load of files in words, for the page and for screen readers.

import type { LoadProgress } from '../../engine/load/file-report.ts';
import { t } from '../../language/message.ts';
import { size } from '../../parts/requests.ts';

export const filesText = (count: number): string => t('{n} file|{n} files', { n: count });

/** Returns the progress as a line: the bytes, the resources, and the file if there are several. */
export function progressText({ bytes, allBytes, resources, done, files }: LoadProgress): string {
  const all = size(allBytes);
  const read = bytes < allBytes ? t('{part} of {all} read', { part: size(bytes), all }) : t('{all} read', { all });
  const indexed = t('{n} resource indexed|{n} resources indexed', { n: resources });
  const file = files > 1 ? [t('file {number} of {files}', { number: Math.min(done + 1, files), files })] : [];
  return [read, indexed, ...file].join(' · ');
}

/** Returns the number of quarters that are read. Screen readers are told when it changes, not at each step. */
export const quartersOf = ({ bytes, allBytes }: LoadProgress): number =>
  allBytes === 0 ? 0 : Math.floor((4 * bytes) / allBytes);
