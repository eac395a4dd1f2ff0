//! Code in colour: one rule for JSON, HTTP, shells and programs. The text itself stays as it is.

import { html, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { clipped } from '#reading/fhir/text.ts';
import { SHOWN } from './copy.ts';

const KEYWORDS = [
  ...['as', 'async', 'await', 'const', 'curl', 'else', 'export', 'false', 'for', 'from', 'if', 'import', 'in'],
  ...['let', 'new', 'null', 'of', 'or', 'print', 'return', 'sed', 'throw', 'true', 'use', 'DELETE', 'GET', 'POST'],
];
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const TOKENS = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)(?:#|\/\/) .*)`,
    String.raw`(?<name>${STRING}(?=\s*:)|^[\w-]+(?=: ))`,
    String.raw`(?<string>${STRING}|(?<!\w)'[^'\n]*')`,
    String.raw`(?<word>(?<![\w.$-])(?:${KEYWORDS.join('|')})(?![\w-]))`,
    String.raw`(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-]))`,
  ].join('|'),
  'gm',
);

/** A piece of code. `kind` is absent for what has no colour. */
interface Piece {
  kind?: string;
  text: string;
}

/** Splits code into pieces. Joined, they are the code. */
export function pieces(code: string): Piece[] {
  const all: Piece[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    if (index > end) all.push({ text: code.slice(end, index) });
    all.push({ text, ...(kind && { kind }) });
    end = index + text.length;
  }
  if (end < code.length) all.push({ text: code.slice(end) });
  return all;
}

/** A block of code in colour, drawn again only if it changes. It scrolls by itself, and the keyboard can focus it. */
export const codeBlock = (code: string, label: string): TemplateResult =>
  html`<pre class="code" tabindex="0" role="region" aria-label=${label}><code>${guard([code], () =>
    pieces(clipped(code, SHOWN)).map(({ kind, text }) => (kind ? html`<span data-token=${kind}>${text}</span>` : text)),
  )}</code></pre>`;
