//! The head of a printed chart: the patient's name is in the margin of every page (CSS Paged Media, margin boxes).
//! Folded entries are opened while the chart is printed.

import { date } from '../fhir/date.ts';
import { nameOf } from '../fhir/text.ts';
import type { Patient } from '../fhir/types.ts';
import type { SourceName } from '../routes.ts';
import { recordNumber } from './banner.ts';

const sheet = new CSSStyleSheet();
let written = '';

/** A CSS string. Characters that would end it, or its line, are escaped by their code points. */
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
  const from = {
    sample: 'Sample record, a synthetic person',
    session: `Record at ${location.host}`,
    files: 'Record from files that were opened in a browser',
  }[source];
  const boxes = [
    `@top-left { content: ${quoted(who)}; }`,
    `@bottom-left { content: ${quoted(from)}; }`,
    '@bottom-right { content: counter(page) " of " counter(pages); }',
  ];
  const text = patient ? `@page { ${boxes.join(' ')} }` : '';
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
