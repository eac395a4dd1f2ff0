//! Units in their printed form. UCUM's codes are for machines: `mm[Hg]` is mmHg on paper, `10*3/uL` is ×10³/µL.
//! (<https://ucum.org/ucum>, and the units that charts of US Core use.)

import type { Words } from '../language/words.ts';
import { own } from '../own.ts';

const PRINTED: Record<string, string> = {
  'mm[Hg]': 'mmHg',
  'cm[H2O]': 'cmH₂O',
  Cel: '°C',
  '[degF]': '°F',
  '[in_i]': 'in',
  '[ft_i]': 'ft',
  '[lb_av]': 'lb',
  '[stone_av]': 'st',
  '[oz_av]': 'oz',
  '{score}': '',
  '{ScoreOf}': '',
  '{#}': '',
  '{nominal}': '',
  '{ratio}': '',
  '{INR}': '',
  '1': '',
  '[pH]': '',
  a: 'years',
  mo: 'months',
  wk: 'weeks',
  d: 'days',
  h: 'hours',
  min: 'min',
  '{tbl}': 'tablets',
  '[drp]': 'drops',
  '[iU]': 'IU',
  '[IU]': 'IU',
  'beats/minute': 'beats/min',
  '{beats}/min': 'beats/min',
  'breaths/minute': 'breaths/min',
  '{breaths}/min': 'breaths/min',
  'mL/min/1.73m2': 'mL/min/1.73\u00a0m²',
  'mL/min/{1.73_m2}': 'mL/min/1.73\u00a0m²',
};
const RAISED = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
const raised = (digits: string): string => [...digits].map((digit) => RAISED[Number(digit)] ?? digit).join('');
/** Units of counted things, which have a plural. */
const COUNTED = /^(tablet|capsule|drop|puff|inhaler|unit|dose|patch|hour|day|week|month|year)s?$/;

/** Annotations, in lower case and without signs, that only name what is counted (`173` begins a body surface of
 * 1.73 m²). Others tell two units apart. */
const NAMES_COUNTED = new RegExp(
  '^(?:#|n|no|num(?:ber)?|counts?|cells?|[rw]bcs?|leukocytes|erythrocytes|platelets|beats?|breaths?' +
    '|resp(?:irations?)?|pulses?|score(?:of)?|nominal|inr|g?creat(?:inine)?|h[bg]b?|(?:hb)?a1c|hemoglobin|total' +
    '|173.*)?$',
);

const SIGNS = /[^\p{L}\d#]/gu;

/** Returns an annotation in one spelling; an empty text if it only names what is counted. */
export function annotation(text: string): string {
  const one = text.toLowerCase().replace(SIGNS, '');
  return NAMES_COUNTED.test(one) ? '' : one;
}

/** Returns the printed unit of an amount, with an annotation that only its code has. */
export function printedUnitOf(words: Words, of: { unit?: string; code?: string } | undefined, count?: number): string {
  const { unit, code = '' } = of ?? {};
  const [, text = ''] = (unit !== undefined && /[^/]\{([^{}]*)\}/.exec(code)) || [];
  const isSaid = (unit ?? '').toLowerCase().replace(SIGNS, '').includes(annotation(text));
  return printedUnit(words, isSaid ? (unit ?? code) : `${unit}{${text}}`, count);
}

/** Returns a printed unit in the form in which it follows a number. */
export const unitSuffix = (unit: string): string => (unit === '' || unit === '%' ? unit : `\u00a0${unit}`);

/** Returns the printed form of a unit, in singular or plural if a count is given. */
export function printedUnit(words: Words, unit: string, count?: number): string {
  const known = own(PRINTED, unit);
  const said =
    known ??
    unit
      .replace(/10\*(\d+)/g, (_, power: string) => `×10${raised(power)}`)
      .replace(/\[i?IU\]|\[iU\]/g, 'IU')
      .replace(/mm\[Hg\]/g, 'mmHg')
      .replace(/(^|[/.])u(?=(g|L|mol|U|m|IU|kat)\b)/g, '$1µ')
      .replace(/\b(c?m|mm)([23])\b/g, (_, metre: string, power: string) => metre + raised(power))
      // Text in braces is an annotation; if nothing else is beside it, it is the name of what is counted.
      .replace(/(^|\/)\{([^{}#]*)\}(?=\/|$)/g, '$1$2')
      .replace(/\{([^{}]*)\}/g, (_, text: string) => (annotation(text) ? ` ${text}` : ''))
      .replace(/_/g, ' ');
  const [, one] = COUNTED.exec(said) ?? [];
  if (!one || count === undefined) return words.translated(said);
  return words.translated(count === 1 ? one : one.endsWith('ch') ? `${one}es` : `${one}s`);
}
