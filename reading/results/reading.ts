//! Measured values and ranges in words.

import { clockDate, period, periodDate } from '../fhir/date.ts';
import { codingWords, concept, measuredNumber, plain, quantity } from '../fhir/text.ts';
import type { Concept, MeasuredValue, Observation, Quantity, Range } from '../fhir/types.ts';
import { printedUnit, printedUnitOf, unitSuffix } from '../fhir/units.ts';
import { DIASTOLIC, isVital, SYSTOLIC } from '../fhir/vital-codes.ts';
import { ENGLISH, type PlainMessage, type Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject } from '../shape.ts';
import { inLeadUnit } from './body-measure.ts';
import { dimensionOf } from './convert.ts';
import { contradict } from './finding-words.ts';
import { quantityOf } from './measured-number.ts';
import { testName } from './names.ts';
import { partsWithOxygen } from './oxygen.ts';
import { sampled } from './sampled.ts';

/** The date of an observation, as it is written. */
export const when = (o: Observation): string | undefined =>
  o.effectiveDateTime ??
  periodDate(o.effectivePeriod) ??
  o.effectiveInstant ??
  o.effectiveTiming?.event?.[0] ??
  o.issued;

/** A text with something in it. */
const said = (text: string | undefined): string | undefined => (text?.trim() ? text : undefined);

const ratio = (words: Words, { numerator, denominator }: NonNullable<MeasuredValue['valueRatio']>): string =>
  [quantity(words, numerator), quantity(words, denominator)].filter(Boolean).join(' : ');

/** A number with its unit. A weight or a height in another unit than the usual one stands in both. */
function measured(words: Words, of: Quantity, code: Concept | undefined): string | undefined {
  const [recorded, lead] = [quantity(words, of), inLeadUnit(words, code, of)];
  return lead && recorded ? words.t('{value} (recorded as {recorded})', { value: lead, recorded }) : recorded;
}

/** The words of each element that can hold a value, the most precise first. */
const VALUES: Readonly<Record<string, (words: Words, of: MeasuredValue) => string | undefined>> = {
  valueQuantity: (words, { valueQuantity: of, code }) =>
    of && (of.value !== undefined || !dimensionOf(of)) ? measured(words, of, code) : undefined,
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
 * The value in words. A record with several, which FHIR does not have, shows them all. One of a type that is not read
 * is named, so that it does not pass for none.
 */
export function value(words: Words, of: MeasuredValue): string | undefined {
  const found = READERS.flatMap((read) => said(read(words, of)) ?? []);
  return found.length > 0 ? [...new Set(found)].join('; ') : unread(words, of);
}

/**
 * A coded value. Its text and its code are both shown where one says that something is there, and one that it is not.
 */
function codedValue(words: Words, of: Concept | undefined): string | undefined {
  const text = concept(words, of);
  const others = (of?.coding ?? []).flatMap((one) => codingWords(words, one) ?? []);
  const odd = others.find((one) => text !== undefined && contradict(text, one));
  return odd === undefined ? text : `${text} (${words.t('coded as {code}', { code: odd })})`;
}

/** A value of a type that is not read: as it is where it is simple, else by the name of its type. */
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

/** Returns whether there is a value. The words of a number, which most are, need not be made for that. */
const isMeasured = (of: MeasuredValue): boolean =>
  of.valueQuantity?.value !== undefined || value(ENGLISH, of) !== undefined;

/** Returns whether an observation has a value, its own or that of a component. */
export const hasValue = (o: Observation): boolean => isMeasured(o) || (o.component ?? []).some(isMeasured);

/** The codes of data-absent-reason that do not say in plain words what they mean. */
export const ABSENT: Readonly<Record<string, PlainMessage>> = {
  'asked-unknown': 'asked but unknown',
  'temp-unknown': 'not known yet',
  'not-asked': 'not asked',
  'asked-declined': 'asked but declined',
  masked: 'held back',
  'as-text': 'in the text alone',
  error: 'the measurement failed',
  'not-a-number': 'not a number',
  'negative-infinity': 'too low to be a number',
  'positive-infinity': 'too high to be a number',
};

/** The reason for an absent value. */
export const absent = (words: Words, of: MeasuredValue): string | undefined => {
  const { text, coding = [] } = of.dataAbsentReason ?? {};
  const known = text ? undefined : coding.map(({ code }) => own(ABSENT, code ?? '')).find(Boolean);
  const reason = known ? words.t(known) : plain(words, (concept(words, of.dataAbsentReason) ?? '').toLowerCase());
  return reason ? words.t('Not available: {reason}', { reason }) : undefined;
};

/** An observation in one line; a panel's parts, where it has them (`148/92 mmHg`). */
export const reading = (words: Words, o: Observation): string =>
  readingOf(words, o) ?? (o.hasMember?.length ? words.t('See its parts') : words.t('No value'));

/**
 * The value of an observation, those of its components, or why there is none; nothing without. The components of a
 * value stand in brackets behind it: a saturation is read with the oxygen that was given.
 */
export function readingOf(words: Words, o: Observation): string | undefined {
  const own = value(words, o);
  if (own !== undefined) return withParts(words, own, partsWithOxygen(o));
  return pressureText(words, o) ?? (partTexts(words, o.component).join('; ') || absent(words, o));
}

const partTexts = (words: Words, parts: readonly MeasuredValue[] | undefined): string[] =>
  (parts ?? []).flatMap((part) => partText(words, part) ?? []);

/** Words with the components behind them. */
function withParts(words: Words, text: string, parts: readonly MeasuredValue[] | undefined): string {
  const texts = partTexts(words, parts);
  return texts.length > 0 ? `${text} (${texts.join('; ')})` : text;
}

/** A component in words, with its name where it has one. */
const partText = (words: Words, part: MeasuredValue): string | undefined =>
  [testName(words, part.code) ?? '', value(words, part) ?? absent(words, part)].filter(Boolean).join(': ') || undefined;

/** Both numbers of a blood pressure as they are read (`148/92 mmHg`); each with its unit where they differ. */
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
  return withParts(words, both, others);
}

/** Returns whether a component has a value that is no number. */
const isOther = (half: MeasuredValue): boolean => !quantityOf(half) && value(ENGLISH, half) !== undefined;
const withoutUnit = ({ unit: _unit, code: _code, ...of }: Quantity): Quantity => of;

/** A range in words: both its ends, or one of them, or its text. */
export function range(words: Words, of: Range | undefined): string | undefined {
  if (!of) return undefined;
  const { low, high } = endsOf(of);
  const tail = unitSuffix(printedUnit(words, high?.unit ?? low?.unit ?? high?.code ?? low?.code ?? ''));
  if (low?.value !== undefined && high?.value !== undefined)
    return `${measuredNumber(words, low)}–${measuredNumber(words, high)}${tail}`;
  if (high?.value !== undefined)
    return `${high.comparator === '<' ? '<' : '≤'}\u00a0${measuredNumber(words, high)}${tail}`;
  if (low?.value !== undefined)
    return `${low.comparator === '>' ? '>' : '≥'}\u00a0${measuredNumber(words, low)}${tail}`;
  return said(of.text);
}

/**
 * The ends of a range. A low end that says `<` is the high one, and a high end that says `>` the low one: some systems
 * write `< 5` so.
 */
export function endsOf({ low, high }: Range): Pick<Range, 'low' | 'high'> {
  const isHigh = low?.comparator?.startsWith('<') && high?.value === undefined;
  const isLow = high?.comparator?.startsWith('>') && low?.value === undefined;
  const ends = isHigh ? { high: low } : isLow ? { low: high } : { low, high };
  return { ...(ends.low ? { low: ends.low } : {}), ...(ends.high ? { high: ends.high } : {}) };
}

/** Returns whether an observation is a panel, whose members are observations of their own. */
export const isPanel = (o: Observation): boolean => (o.hasMember?.length ?? 0) > 0;

/** The codes of the categories of an observation, in small letters with hyphens, however they were written. */
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
