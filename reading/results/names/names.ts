//! Short names of tests. LOINC's long names also carry the property, the specimen and the method, which are split off
//! (<https://loinc.org/kb/users-guide/major-parts-of-a-loinc-term/>).

import { concept } from '../../fhir/text.ts';
import type { Concept, MeasuredValue } from '../../fhir/types.ts';
import { vitalTranslated } from '../../fhir/vital-codes.ts';
import { joined } from '../../joined.ts';
import type { Words } from '../../language/words.ts';

export interface Name {
  main: string;
  rest: string;
}

/** LOINC properties in brackets. Other brackets name a scale, and belong to the name. */
const PROPERTY = String.raw`\[(?:[^\]]*\/[^\]]*|Mass Ratio|Ratio|Presence|Type|Percentile|Identifier|Interpretation)\]`;
const PARTS = new RegExp(String.raw`^(.+?)\s*(${PROPERTY}.*|in (?:Blood|Serum|Plasma|Urine|Arterial)\b.*|Per age.*)$`);

/**
 * Splits a name from the parts that follow it. A challenge (`--1 hour post 50 g glucose PO`) and a percentile are
 * part of the name. The name of a vital sign is translated.
 */
export function shortName(words: Words, name: string): Name {
  const [, before = name, challenge = ''] = /^(.*?)\s*--\s*(.+)$/.exec(name) ?? [];
  const [, main = before, rest = ''] = PARTS.exec(before) ?? [];
  const short = main
    .replace(/\/Hemoglobin\.total$/, '')
    .replace(/\.total$/, ', total')
    .replace(/(?<!\s)\s+panel(?: with all children optional)?(?=\s\[|$)/i, '');
  const named = vitalTranslated(words, short) ?? short;
  return {
    main: joined(rest.startsWith('[Percentile]') ? words.t('{name} percentile', { name: named }) : named, challenge),
    rest: rest
      .replace(new RegExp(String.raw`^${PROPERTY}\s*`), '')
      .replace(/^in /, '')
      .replace(/\/1\.73 sq M$/, ''),
  };
}

export function testName(words: Words, code: Concept | undefined): string | undefined {
  const name = concept(words, code);
  return name && shortName(words, name).main;
}

export const nameOfValue = (words: Words, of: MeasuredValue): string => testName(words, of.code) ?? words.t('Unnamed');
