//! Splits a file's text into pieces for the engine. A file with one document per line is split at line ends, so that a
//! load can report progress. Any other file is one JSON document and one piece.

import { isObject } from '#reading/shape.ts';
import { isOneValue, repaired } from './json-repair.ts';
import { parsedDocument } from './parsed-document.ts';

export interface Piece {
  text: string;
  /** The number of lines of the file before the piece. */
  before: number;
  /** True if each line is a document. */
  byLine: boolean;
  /** The lines in which parts were lost because they are not JSON, with the number of parts. */
  damaged?: { line: number; lost: number; isCutOff: boolean }[];
}

/** Repairs the documents of a piece so that they are JSON, as far as possible. */
export function repairedPiece(piece: Piece): Piece {
  const damaged: NonNullable<Piece['damaged']> = [];
  const repair = (text: string, line: number): string => {
    const made = text.trim() === '' ? undefined : repaired(text);
    if (made && made.lost > 0) damaged.push({ line, lost: made.lost, isCutOff: made.isCutOff });
    return made?.text ?? text;
  };
  const { text, before, byLine } = piece;
  const made = byLine
    ? text
        .split('\n')
        .map((line, i) => repair(line, before + i + 1))
        .join('\n')
    : repair(text, before + 1);
  return { ...piece, text: made, ...(damaged.length > 0 ? { damaged } : {}) };
}

export const isOneObject = (line: string): boolean => line.trimStart().startsWith('{') && isOneValue(line);

/** The number of lines that decide the format of a file. */
const DECIDING_LINES = 10;

/** Returns the first complete lines of a text that are not blank. */
function firstLines(text: string): string[] {
  const found: string[] = [];
  for (let from = 0; found.length < DECIDING_LINES; ) {
    const end = text.indexOf('\n', from);
    if (end < 0) break;
    const line = text.slice(from, end);
    if (line.trim() !== '') found.push(line);
    from = end + 1;
  }
  return found;
}

function isResource(line: string): boolean {
  if (!isOneObject(line)) return false;
  const value = parsedDocument(line);
  return isObject(value) && Object.hasOwn(value, 'resourceType');
}

/**
 * Returns whether a text that begins with these lines has one document per line, or `undefined` while that is unknown.
 * If the first line is damaged, a later line decides: a whole resource that does not continue the line before.
 */
function hasDocumentByLine(lines: string[]): boolean | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  if (isOneObject(first)) return true;
  const another = lines.some((line, i) => i > 0 && !/[[{,:]\s*$/.test(lines[i - 1] ?? '') && isResource(line));
  if (another) return true;
  return lines.length < DECIDING_LINES ? undefined : false;
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Splits a text into pieces of at least `size` characters. Before an error of the text, yields the piece so far. */
export async function* piecesOf(chunks: AsyncIterable<string>, size: number): AsyncGenerator<Piece, void> {
  let held: string[] = [];
  let length = 0;
  let before = 0;
  let byLine: boolean | undefined;
  let broken: { error: unknown } | undefined;
  const iterator = chunks[Symbol.asyncIterator]();
  while (!broken) {
    let next: IteratorResult<string>;
    try {
      next = await iterator.next();
    } catch (error) {
      broken = { error };
      break;
    }
    if (next.done) break;
    held.push(next.value);
    length += next.value.length;
    const hasLineEnd = next.value.includes('\n');
    if (byLine === undefined && hasLineEnd) byLine = hasDocumentByLine(firstLines(held.join('')));
    if (byLine && hasLineEnd && length >= size) {
      const text = held.join('');
      const end = text.lastIndexOf('\n') + 1;
      const piece = { text: text.slice(0, end), before, byLine };
      before += countLines(piece.text);
      held = [text.slice(end)];
      length = text.length - end;
      yield piece;
    }
  }
  if (length > 0 || (before === 0 && !broken)) yield { text: held.join(''), before, byLine: byLine ?? false };
  if (broken) throw broken.error;
}
