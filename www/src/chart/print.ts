//! The margins of a printed chart. Every page shows the patient's name, the source, the print time and the page number
//! (CSS Paged Media, margin boxes). Folded entries are opened while the chart is printed.

import { clockDate, date } from '#reading/fhir/date.ts';
import type { Patient } from '#reading/fhir/types.ts';
import { t, words } from '../language/message.ts';
import type { SourceName } from '../routes.ts';
import { growAtOnce } from '../scheduling.ts';
import { BASE } from '../smart/server.ts';
import { patientName, recordNumber } from './patient.ts';
import { isPrinting } from './section/newest.ts';

const sheet = new CSSStyleSheet();
let written = '';

/** Returns a CSS string. Quotes, backslashes and control characters are escaped by their code points. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"\p{Cc}]/gu, (letter) => `\\${(letter.codePointAt(0) ?? 32).toString(16)} `)}"`;

let printed: { patient: Patient | undefined; source: SourceName; unknown: string } | undefined;

/** Sets the patient in the margins of a print, or else the person that `unknown` names; without both, nothing. */
export function printHead(patient: Patient | undefined, source: SourceName, unknown = ''): void {
  printed = { patient, source, unknown };
  write(new Date());
}

/** Returns a time in the form of a FHIR dateTime, with the numbers that the clock of this device shows. */
const onThisClock = (now: Date): string => new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();

function write(now: Date): void {
  if (!printed) return;
  const { patient, source, unknown } = printed;
  const number = patient && recordNumber(patient);
  const who = patient
    ? [
        patientName(patient),
        t('born {date}', { date: date(words(), patient.birthDate, { short: true }) || t('not recorded') }),
        number ? `${number.label} ${number.value}` : t('no record number'),
      ].join(' · ')
    : unknown;
  const from = {
    sample: t('Sample record, a synthetic person'),
    session: t('Record at {host}', { host: new URL(BASE).host }),
    files: t('Record from files that were opened in a browser'),
  }[source];
  const printedAt = clockDate(words(), onThisClock(now));
  const boxes = [
    `@top-left { content: ${quoted(who)}; }`,
    `@bottom-left { content: ${quoted(`${from} · ${t('printed {date}', { date: printedAt })}`)}; }`,
    `@bottom-right { content: "${t('{page} of {pages}', {
      page: '" counter(page) "',
      pages: '" counter(pages) "',
    })}"; }`,
  ];
  const text = who ? `@page { ${boxes.join(' ')} }` : '';
  if (text === written) return;
  written = text;
  sheet.replaceSync(text);
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The most levels of nested folded entries that are opened. */
const DEPTH = 4;

let folded: HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  write(new Date());
  folded = [];
  isPrinting.value = true;
  growAtOnce();
  // An opened entry may contain others that are made only then.
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const found = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
    for (const one of found) {
      one.open = true;
      // The browser would send this event only after the print.
      one.dispatchEvent(new Event('toggle'));
    }
    growAtOnce();
    folded.push(...found);
    if (found.length === 0) break;
  }
});
addEventListener('afterprint', () => {
  isPrinting.value = false;
  for (const one of folded) one.open = false;
  folded = [];
});
