//! Repairs texts that are almost JSON: raw control characters in strings, trailing commas, lone surrogates,
//! concatenated documents, and documents that are truncated or partly damaged. Intact parts are kept; the others are
//! counted.

import { endOfString, entrySpans } from './entry-spans.ts';
import { MAX_LENGTH, parsedDocument } from './parsed-document.ts';

interface RepairedJson {
  text: string;
  /** The number of its parts that are lost. */
  lost: number;
  /** True if the text is truncated. */
  isCutOff: boolean;
}

/** Returns whether a text is JSON. For a text that is too long to parse, only the brackets are checked. */
const isJson = (text: string): boolean =>
  text.length > MAX_LENGTH ? isOneValue(text) : parsedDocument(text) !== undefined;

/** Matches escaped surrogates, alone or in pairs, and escaped backslashes. A lone surrogate is not a character. */
const HALVES = /\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F][0-9a-fA-F]{2})/g;
const MAY_HAVE_HALVES = /\\u[dD][89a-fA-F]/;

const withoutHalves = (text: string): string =>
  MAY_HAVE_HALVES.test(text)
    ? text.replace(HALVES, (all, second?: string) => (all === '\\\\' || second ? all : String.raw`\ufffd`))
    : text;

const ESCAPES: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const escaped = (character: string): string =>
  ESCAPES[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** Escapes the control characters in a string. */
const plainString = (string: string): string => string.replace(/\p{Cc}/gu, escaped);

/** Escapes control characters in strings and removes trailing commas. */
function tidied(text: string): string {
  let [written, from] = ['', 0];
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
    const end = endOfString(text, at);
    written += withoutCommas(text.slice(from, at)) + plainString(text.slice(at, end));
    from = end;
  }
  return written + withoutCommas(text.slice(from));
}

/** Removes commas before the end of an object or a list in the text between strings. */
const withoutCommas = (between: string): string => between.replace(/,(\s*[}\]])/g, '$1');

/** Returns the spans of the consecutive objects and lists in a text, and the start of one that is not closed. */
function valuesIn(text: string, from: number): { spans: [number, number][]; open: number | undefined } {
  const spans: [number, number][] = [];
  const structure = /["{}[\]]/g;
  structure.lastIndex = from;
  let [depth, start] = [0, 0];
  for (let mark = structure.exec(text); mark; mark = structure.exec(text)) {
    const [sign] = mark;
    if (sign === '"') structure.lastIndex = endOfString(text, mark.index);
    else if (sign === '{' || sign === '[') {
      if (depth === 0) start = mark.index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) spans.push([start, mark.index + 1]);
    }
  }
  return { spans, open: depth > 0 ? start : undefined };
}

/** Returns whether a text is one complete object or list, judged by its brackets. */
export function isOneValue(text: string): boolean {
  const { spans, open } = valuesIn(text, 0);
  const [[start, end] = [0, 0], ...others] = spans;
  return end > 0 && others.length === 0 && open === undefined && !/\S/.test(text.slice(0, start) + text.slice(end));
}

const lineEnds = (text: string): string => text.replace(/[^\n]+/g, '');

/** Returns a Bundle of the values at some spans of a text. Each value is an entry or the resource of an entry. */
function bundleOf(
  text: string,
  spans: readonly (readonly [number, number])[],
  type: string,
  areEntries: boolean,
): string {
  let [written, from] = [`{"resourceType":"Bundle","type":"${type}","entry":[`, 0];
  for (const [i, [start, end]] of spans.entries()) {
    const value = text.slice(start, end);
    // Line ends are kept, so that line numbers stay those of the file.
    written += `${i > 0 ? ',' : ''}${lineEnds(text.slice(from, start))}${areEntries ? value : `{"resource":${value}}`}`;
    from = end;
  }
  return `${written}]}`;
}

/** Returns the intact entries of a damaged Bundle, or `undefined` if there are none. */
function entriesOfBroken(text: string, isCutOff: boolean): RepairedJson | undefined {
  const [head = ''] = text.split(/"entry"\s*:/, 1);
  if (!/"resourceType"\s*:\s*"Bundle"/.test(head)) return undefined;
  const all = [...entrySpans(text)].filter(([place]) => /^Bundle\.entry\[\d+\]$/.test(place)).map(([, span]) => span);
  const whole = all.filter(([start, end]) => isJson(text.slice(start, end)));
  if (whole.length === 0) return undefined;
  const [, type = 'collection'] = /"type"\s*:\s*"([a-z-]+)"/.exec(head) ?? [];
  return { text: bundleOf(text, whole, type, true), lost: all.length - whole.length + (isCutOff ? 1 : 0), isCutOff };
}

/** Returns the intact parts of a text that is not JSON, or `undefined` if there are none. */
function salvaged(text: string): RepairedJson | undefined {
  const begin = /^\s*\[/.exec(text)?.[0].length ?? 0;
  const { spans, open } = valuesIn(text, begin);
  const [first, last] = [spans[0]?.[0] ?? open, spans.at(-1)];
  if (first === undefined) return undefined;
  if (spans.length === 0 || (spans.length === 1 && open === undefined && last && !isJson(text.slice(...last)))) {
    return entriesOfBroken(text, open !== undefined);
  }
  const whole = spans.filter(([start, end]) => isJson(text.slice(start, end)));
  if (whole.length === 0) return undefined;
  const isCutOff = open !== undefined || (begin > 0 && !/\]\s*$/.test(text));
  const lost = spans.length - whole.length + (isCutOff ? 1 : 0);
  return { text: bundleOf(text, whole, 'collection', false), lost, isCutOff };
}

/** Returns a text as JSON, or `undefined` if no part of it can be read. */
export function repaired(text: string): RepairedJson | undefined {
  const plain = withoutHalves(text);
  if (isJson(plain)) return { text: plain, lost: 0, isCutOff: false };
  if (plain.length > MAX_LENGTH) return salvaged(plain);
  const tidy = tidied(plain);
  return isJson(tidy) ? { text: tidy, lost: 0, isCutOff: false } : salvaged(tidy);
}
