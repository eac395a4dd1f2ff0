//! The spaces in which an id has one meaning: a Bundle, or a file of resources by line.

import type { TextDocument } from './documents.ts';
import type { FilePlace } from './file-report.ts';

/** The name of the space of a resource: a Bundle is one, and a resource on a line is in that of its file. */
export const spaceOf = (file: string, { before }: TextDocument, { place }: { place: string }): string =>
  place === '' ? file : `${file}\n${before + 1}`;

/** The place of a space. */
export function placeOfSpace(space: string): Pick<FilePlace, 'file' | 'line'> {
  const [file = '', line] = space.split('\n');
  return { file, ...(line ? { line: Number(line) } : {}) };
}
