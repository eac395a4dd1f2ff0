//! Measured values and ranges in words.

import { absentWords } from '../../fhir/absent-words.ts';
import { clockDate, period, periodDate } from '../../fhir/date.ts';
import { factsOf } from '../../fhir/facts.ts';
import { answerNamed } from '../../fhir/known-names.ts';
import { absentReason } from '../../fhir/loose.ts';
import { concept, measuredNumber, quantity, references } from '../../fhir/text.ts';
import type { Concept, MeasuredValue, Observation, Quantity, Range } from '../../fhir/types.ts';
import { printedUnitOf, unitSuffix } from '../../fhir/units.ts';
import { DIASTOLIC, isVital, SYSTOLIC } from '../../fhir/vital-codes.ts';
import { ENGLISH, type Words } from '../../language/words.ts';
import { isObject } from '../../shape.ts';
import { testName } from '../names/names.ts';
import { withAbout } from '../names/told-apart.ts';
import { dimensionOf, otherCode } from './convert.ts';
import { contradict } from './finding-words.ts';
import { quantityOf } from './measured-number.ts';
import { partsWithOxygen } from './oxygen.ts';
import { sampled } from './sampled.ts';

export const when = (o: Observation): string | undefined =>
  o.effectiveDateTime ??
  periodDate(o.effectivePeriod) ??
  o.effectiveInstant ??
  o.effectiveTiming?.event?.[0] ??
  periodDate(o.effectiveTiming?.repeat?.boundsPeriod) ??
  o.issued;

/** Returns a text that is not empty. */
const said = (text: string | undefined): string | undefined => (text?.trim() ? text : undefined);

const ratio = (words: Words, { numerator, denominator }: NonNullable<MeasuredValue['valueRatio']>): string =>
  [quantity(words, numerator), quantity(words, denominator)].filter(Boolean).join(' : ');

/** The functions for the words of each element that can hold a value, the most precise element first. */
const VALUES: Readonly<Record<string, (words: Words, of: MeasuredValue) => string | undefined>> = {
  valueQuantity: (words, { valueQuantity: of, code }) =>
    of && (of.value !== undefined || !dimensionOf(of))
      ? withCode(words, quantity(words, of), otherCode(of, code))
      : undefined,
  valueCodeableConcept: (words, { valueCodeableConcept: of }) => codedValue(words, of),
  valueString: (_, { valueString: of }) => of,
  valueBoolean: (words, { valueBoolean: of }) => (of === undefined ? undefined : of ? words.t('Yes') : words.t('No')),
  valueInteger: (_, { valueInteger: of }) => of?.toString(),
  valueRange: (words, { valueRange: of }) => range(words, of),
  valueRatio: (words, { valueRatio: of }) => of && ratio(words, of),
  valueDateTime: (words, { valueDateTime: of }) => of && clockDate(words, of),
  valuePeriod: (words, { valuePeriod: of }) => period(words, of),
  valueSampledData: (words, { valueSampledData: of }) => of && sampled(words, of),
  valueTime: (_, { valueTime: of }) => of,
};
const READERS = Object.values(VALUES);

/**
 * Returns the value in words. If a record has several values, which FHIR does not permit, all are shown. A value of an
 * unsupported type is named, so that it is not taken for a missing value.
 */
export function value(words: Words, of: MeasuredValue): string | undefined {
  const found = READERS.flatMap((read) => said(read(words, of)) ?? []);
  return found.length > 0 ? [...new Set(found)].join('; ') : unread(words, of);
}

/** Returns a text with a code beside it that says something else. */
const withCode = (words: Words, text: string | undefined, code: string | undefined): string | undefined =>
  text === undefined || code === undefined ? text : `${text} (${words.t('coded as {code}', { code })})`;

/** Returns a coded value. Both its text and its code are shown if one states presence and the other absence. */
function codedValue(words: Words, of: Concept | undefined): string | undefined {
  const text = concept(words, of);
  const odd = (of?.coding ?? []).find((one) => {
    const said = one.display || (answerNamed(one.system ?? '', one.code) ?? one.code);
    return text !== undefined && said !== undefined && contradict(text, said);
  });
  return withCode(words, text, odd && (odd.display || concept(words, { coding: [odd] })));
}

/** Returns a value of an unsupported type: unchanged if it is simple, or else the name of its type. */
function unread(words: Words, of: MeasuredValue): string | undefined {
  const name = Object.keys(of).find((member) => /^value[A-Z]/.test(member) && !Object.hasOwn(VALUES, member));
  if (name === undefined) return undefined;
  const one: unknown = Reflect.get(of, name);
  if (typeof one === 'string' || typeof one === 'number') return said(String(one));
  const text = isObject(one) ? [one.display, one.code].find((word) => typeof word === 'string') : undefined;
  return typeof text === 'string'
    ? said(text)
    : words.t('A value of the type {type}, not shown', { type: name.slice('value'.length) });
}

/** Returns whether there is a value. For numbers, which are the most common, no words are made. */
const isMeasured = (of: MeasuredValue): boolean =>
  of.valueQuantity?.value !== undefined || value(ENGLISH, of) !== undefined;

export const hasValue = (o: Observation): boolean => isMeasured(o) || (o.component ?? []).some(isMeasured);

/** Returns the concept of the reason for an absent value, which may be in place of the value or of its number. */
function reasonOf(of: MeasuredValue): Concept {
  const instead: [string, unknown][] = Object.entries(of).filter(([name]) => /^_?value[A-Z]/.test(name));
  const reasons = instead.flatMap(([, one]) =>
    isObject(one) ? (absentReason({ extension: one.extension }) ?? absentReason(one._value) ?? []) : [],
  );
  return of.dataAbsentReason ?? { coding: reasons.map((code) => ({ code })) };
}

export const absent = (words: Words, of: MeasuredValue): string | undefined => {
  const reason = absentWords(words, reasonOf(of));
  return reason ? words.t('Not available: {reason}', { reason }) : undefined;
};

/** Returns a value, or the reason for its absence; both if a record has both, which FHIR does not permit. */
function valueOrReason(words: Words, of: MeasuredValue): string | undefined {
  const [found, reason] = [value(words, of), absent(words, of)];
  return found && reason ? `${found} (${reason})` : (found ?? reason);
}

/** Returns where the parts of a panel are: beside it, or else their names. */
function partsOf(words: Words, o: Observation): string | undefined {
  const names = references(words, o.hasMember);
  return factsOf(o).hasParts ? words.t('See its parts') : names && words.t('Its parts: {names}', { names });
}

/** Returns an observation in one line, and a panel's parts if it has them (`148/92 mmHg`). */
export const reading = (words: Words, o: Observation): string =>
  readingOf(words, o) ?? withAbout(words, o, partsOf(words, o) || words.t('No value'));

/**
 * Returns the value of an observation, the values of its components, or the reason for a missing value. The components
 * follow the value in brackets: a saturation is read together with the oxygen that was given. Last is whom or what the
 * observation is about.
 */
export function readingOf(words: Words, o: Observation): string | undefined {
  const said = withoutAbout(words, o);
  return said === undefined ? undefined : withAbout(words, o, said);
}

function withoutAbout(words: Words, o: Observation): string | undefined {
  if (value(words, o) !== undefined) return withParts(words, said(valueOrReason(words, o)) ?? '', partsWithOxygen(o));
  return pressureText(words, o) ?? (partTexts(words, o.component).join('; ') || absent(words, o));
}

export const partTexts = (words: Words, parts: readonly MeasuredValue[] | undefined): string[] =>
  (parts ?? []).flatMap((part) => partText(words, part) ?? []);

/** Returns words followed by the components. */
function withParts(words: Words, text: string, parts: readonly MeasuredValue[] | undefined): string {
  const texts = partTexts(words, parts);
  return texts.length > 0 ? `${text} (${texts.join('; ')})` : text;
}

const partText = (words: Words, part: MeasuredValue): string | undefined =>
  [testName(words, part.code) ?? '', valueOrReason(words, part)].filter(Boolean).join(': ') || undefined;

/** Returns both numbers of a blood pressure (`148/92 mmHg`); each with its unit if the units differ. */
function pressureText(words: Words, { component: parts = [] }: Observation): string | undefined {
  const halves = [SYSTOLIC, DIASTOLIC].map((codes) => parts.find((part) => isVital(part.code, ...codes)));
  if (!halves.some(Boolean) || halves.some((half) => half && isOther(half))) return undefined;
  if (!halves.some((half) => half && quantityOf(half)))
    return halves.map((half) => half && absent(words, half)).find(Boolean);
  const units = [...new Set(halves.flatMap((half) => printedUnitOf(words, half && quantityOf(half)) || []))];
  const numbers = halves.map((half) => {
    const of = half && quantityOf(half);
    if (!of) return '—';
    return quantity(words, units.length > 1 ? of : withoutUnit(of)) ?? '—';
  });
  const [unit] = units;
  const both = `${numbers.join(units.length > 1 ? ' / ' : '/')}${units.length === 1 ? `\u00a0${unit}` : ''}`;
  const others = parts.filter((part) => !halves.includes(part));
  const reason = halves.map((half) => half && !quantityOf(half) && absent(words, half)).find(Boolean);
  return withParts(words, reason ? `${both} (${reason})` : both, others);
}

/** Returns whether a component has a value that is not a number. */
const isOther = (half: MeasuredValue): boolean => !quantityOf(half) && value(ENGLISH, half) !== undefined;
const withoutUnit = ({ unit: _unit, code: _code, ...of }: Quantity): Quantity => of;

/** Returns a range in words: both its ends, or one of them, or its text. */
export function range(words: Words, of: Range | undefined): string | undefined {
  if (!of) return undefined;
  const { low, high } = endsOf(of);
  const units = [low, high].map((end) => printedUnitOf(words, end));
  // Ends with two units have each its own: 6 months to 2 years.
  if (low?.value !== undefined && high?.value !== undefined && units.every(Boolean) && units[0] !== units[1])
    return `${quantity(words, low)} – ${quantity(words, high)}`;
  const tail = unitSuffix(units[1] || units[0] || '');
  if (low?.value !== undefined && high?.value !== undefined)
    return `${measuredNumber(words, low)}${low.value < 0 ? '\u00a0–\u00a0' : '–'}${measuredNumber(words, high)}${tail}`;
  if (high?.value !== undefined)
    return `${high.comparator === '<' ? '<' : '≤'}\u00a0${measuredNumber(words, high)}${tail}`;
  if (low?.value !== undefined)
    return `${low.comparator === '>' ? '>' : '≥'}\u00a0${measuredNumber(words, low)}${tail}`;
  return said(of.text);
}

/**
 * Returns the ends of a range. A low end with `<` is the high end, and a high end with `>` is the low end, since some
 * systems write `< 5` in this way.
 */
export function endsOf({ low, high }: Range): Pick<Range, 'low' | 'high'> {
  const isHigh = low?.comparator?.startsWith('<') && high?.value === undefined;
  const isLow = high?.comparator?.startsWith('>') && low?.value === undefined;
  const ends = isHigh ? { high: low } : isLow ? { low: high } : { low, high };
  return { ...(ends.low ? { low: ends.low } : {}), ...(ends.high ? { high: ends.high } : {}) };
}

/** Returns whether an observation is a panel, whose members are separate observations. */
export const isPanel = (o: Observation): boolean => (o.hasMember?.length ?? 0) > 0;

/** Returns the codes of the categories of an observation, in lower case with hyphens, in any spelling. */
export const categoryCodes = (o: Observation): string[] =>
  (o.category ?? [])
    .flatMap(({ coding }) => coding ?? [])
    .flatMap(({ code }) =>
      code
        ? code
            .trim()
            .toLowerCase()
            .replace(/[\s_]+/g, '-')
        : [],
    );
