//! The running head of a printed chart: whose it is stands on every page, in the margins of the page (CSS Paged Media,
//! margin boxes). Folded entries are opened while it is printed.

import { date } from '../fhir/date.ts';
import { nameOf } from '../fhir/text.ts';
import type { Patient } from '../fhir/types.ts';
import type { SourceName } from '../routes.ts';
import { recordNumber } from './banner.ts';

const sheet = new CSSStyleSheet();
let written = '';

/** A CSS string: what would end it, or the line, is escaped by its code point. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"\p{Cc}]/gu, (letter) => `\\${(letter.codePointAt(0) ?? 32).toString(16)} `)}"`;

export function printHead(patient: Patient | undefined, source: SourceName): void {
  const number = patient && recordNumber(patient);
  const who = patient
    ? [
        nameOf(patient.name) ?? 'Unnamed patient',
        `born ${date(patient.birthDate, { short: true }) || 'not recorded'}`,
        number ? `${number.label} ${number.value}` : 'no record number',
      ].join(' · ')
    : '';
  const from = source === 'sample' ? 'Sample record, a synthetic person' : `Record at ${location.host}`;
  const text = patient
    ? `@page { @top-left { content: ${quoted(who)}; } @bottom-left { content: ${quoted(from)}; } @bottom-right { content: counter(page) " of " counter(pages); } }`
    : '';
  if (text === written) return;
  written = text;
  sheet.replaceSync(text);
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

let folded: HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of folded) one.open = false;
  folded = [];
});
