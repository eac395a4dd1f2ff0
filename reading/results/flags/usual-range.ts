//! The usual range of a vital sign by age, for a record without a range of its own, and whether the value is urgent.
//! It is not a reference range: wherever one is shown, it is called usual, with its source
//! (`vital-limits.ts`). Each part of the app that marks a vital sign uses this module.

import { isEnteredInError } from '../../fhir/text.ts';
import type { MeasuredValue, Observation, Quantity } from '../../fhir/types.ts';
import { isVital, vitalCodes } from '../../fhir/vital-codes.ts';
import type { Words } from '../../language/words.ts';
import { ageInDays, ageInMonths, isAdult } from '../../people/age.ts';
import { testName } from '../names/names.ts';
import { personNamed } from '../names/said-in-name.ts';
import { isOfOther } from '../names/told-apart.ts';
import { isOfNormal } from '../ranges/reference-range.ts';
import { converted } from '../values/convert.ts';
import { quantityOf } from '../values/measured-number.ts';
import { isOnOxygen } from '../values/oxygen.ts';
import { when } from '../values/reading.ts';
import { subjectOf } from '../values/subject.ts';
import { partsOf } from '../values/vital-parts.ts';
import { flag, judgedPart, judgements } from './flag.ts';
import { GRAVITY } from './flag-signs.ts';
import * as vitals from './vital-limits.ts';

export type Side = 'above' | 'below';

export interface UsualRange {
  /** The name of the part of a panel; `undefined` if a reading is of one sign. */
  name: string | undefined;
  /** The ends in words, such as `60–100` or `below 120/80`; `undefined` if no range is known. */
  text: string | undefined;
  source: vitals.RangeSource | undefined;
  /** True if the ends apply to every age. They are shown only if a value is outside of them. */
  isOfEveryAge: boolean;
  /** The side on which a value is outside. */
  out: Side | undefined;
  /** The limit beyond which a value is urgent, in words; `undefined` for other values. */
  urgent: { side: Side; text: string; source: vitals.RangeSource } | undefined;
  /** True if the value was compared only with ends for every age, since the age is unknown. */
  isAgeUnknown: boolean;
  /** True if the record calls a value normal although it is outside. */
  isCalledNormal: boolean;
}

/** Returns the age in months, 0 until 28 days. Between 28 days and a calendar month, a child is an infant. */
function ageOf(birth: string | undefined, on: string | undefined): number | undefined {
  const [days, months] = [ageInDays(birth, on), ageInMonths(birth, on)];
  if (days !== undefined && days < 28) return 0;
  if (months !== undefined) return Math.max(1, months);
  return isAdult(birth, on) ? 18 * 12 : undefined;
}

/** A measured part with its usual limits. */
interface Compared {
  sign: vitals.VitalSign;
  name: string;
  /** The age in months; `undefined` if it is unknown. */
  age: number | undefined;
  /** The number in the unit of the limits. */
  value: number;
  comparator: string;
  limits: vitals.Limits;
  source: vitals.RangeSource;
  isOfEveryAge: boolean;
  said: ReturnType<typeof saidByRecord>;
  /** True if it was measured while oxygen was given, so that no saturation is usual. */
  isOnOxygen: boolean;
  /** Returns a limit in the unit of the record. */
  shown(limit: number | undefined): string;
}

/**
 * Returns the statement of the record about a value: a judgement by a flag or a range, normal without a range, or a
 * range that is not readable.
 */
function saidByRecord(part: MeasuredValue, o: Observation): 'judged' | 'normal' | 'unread' | undefined {
  const { flag, isNormal, range } = judgedPart(part, o);
  if (flag !== undefined || range !== undefined) return 'judged';
  if (isNormal) return 'normal';
  return (part.referenceRange ?? []).some((one) => isOfNormal(one) && !one.low && !one.high) ? 'unread' : undefined;
}

/** Returns `undefined` for a part with its own range, without a unit, or in a unit that cannot be converted. */
function compared(
  words: Words,
  part: MeasuredValue | undefined,
  o: Observation,
  sign: vitals.VitalSign,
  age: number | undefined,
): Compared | undefined {
  const recorded = part && quantityOf(part);
  if (!part || recorded?.value === undefined) return undefined;
  if (!recorded.unit && !recorded.code) return undefined;
  const unit: Quantity = { code: vitals.UNITS[sign] };
  const value = converted(recorded.value, recorded, unit);
  const said = saidByRecord(part, o);
  if (value === undefined || said === 'judged') return undefined;
  const own =
    age === undefined || isVital(part.code, ...vitals.BY_METHOD)
      ? undefined
      : vitals.BANDS[sign].find(({ from, until }) => age >= from && age < until);
  const { limits, source } = own ?? vitals.AGELESS_LIMITS[sign];
  const shown = (limit: number | undefined): string => {
    const inRecord = limit === undefined ? undefined : converted(limit, unit, recorded);
    return inRecord === undefined ? '' : words.decimal(String(Number(inRecord.toPrecision(3))));
  };
  const name = testName(words, part.code) ?? '';
  const comparator = recorded.comparator ?? '';
  const isWithOxygen = sign === 'saturation' && isOnOxygen(o);
  const isOfEveryAge = !own;
  return { sign, name, age, value, comparator, limits, source, isOfEveryAge, said, isOnOxygen: isWithOxygen, shown };
}

/** Returns whether a number is certainly above a limit; for a bound, whether all numbers that it permits are. */
const isAbove = ({ value, comparator }: Compared, limit: number | undefined, isIncluded = false): boolean =>
  limit !== undefined &&
  !comparator.startsWith('<') &&
  (value > limit || ((isIncluded || comparator === '>') && value >= limit));
const isBelow = ({ value, comparator }: Compared, limit: number | undefined, isIncluded = false): boolean =>
  limit !== undefined &&
  !comparator.startsWith('>') &&
  (value < limit || ((isIncluded || comparator === '<') && value <= limit));

function outside(one: Compared): Side | undefined {
  const { high, low, under } = one.limits;
  if (isAbove(one, high) || isAbove(one, under, true)) return 'above';
  return isBelow(one, low) ? 'below' : undefined;
}

/** Returns the limit beyond which a value is urgent, in words. */
function urgentOf(words: Words, one: Compared): UsualRange['urgent'] {
  const { age } = one;
  const isBeyond = ({ side, limit, isIncluded }: vitals.UrgentLimit): boolean =>
    (side === 'above' ? isAbove : isBelow)(one, limit, isIncluded);
  const found = vitals.URGENT.find(
    (limit) =>
      limit.sign === one.sign &&
      (limit.from === undefined || (age !== undefined && age >= limit.from)) &&
      isBeyond(limit),
  );
  if (!found) return undefined;
  const { side, isIncluded, source } = found;
  const value = one.shown(found.limit);
  if (side === 'above')
    return {
      side,
      source,
      text: isIncluded ? words.t('urgent: {value} or more', { value }) : words.t('urgent: above {value}', { value }),
    };
  return {
    side,
    source,
    text: isIncluded ? words.t('urgent: {value} or less', { value }) : words.t('urgent: below {value}', { value }),
  };
}

function textOf(words: Words, { limits: { low, high, under }, shown }: Compared): string {
  if (under !== undefined) return words.t('below {value}', { value: shown(under) });
  if (low !== undefined && high !== undefined) return `${shown(low)}–${shown(high)}`;
  return low === undefined
    ? words.t('at most {value}', { value: shown(high) })
    : words.t('at least {value}', { value: shown(low) });
}

/** Returns the limits of both pressures in one text: `below 120/80`, or `97–115 / 57–76`. */
function pressureText(words: Words, systolic: Compared, diastolic: Compared): string {
  const [a, b] = [systolic.limits.under, diastolic.limits.under];
  return a !== undefined && b !== undefined
    ? words.t('below {value}', { value: `${systolic.shown(a)}/${diastolic.shown(b)}` })
    : `${textOf(words, systolic)} / ${textOf(words, diastolic)}`;
}

const SIGN_OF: ReadonlyMap<string, vitals.VitalSign> = new Map(
  vitals.VITAL_SIGNS.flatMap((sign) => vitals.CODES[sign].map((code) => [code, sign] as const)),
);

const signOf = ({ code }: MeasuredValue): vitals.VitalSign | undefined =>
  vitalCodes(code)
    .map((one) => SIGN_OF.get(one))
    .find(Boolean);

/** Returns the compared parts of a reading, or only one of them, by vital sign: a component precedes the whole. */
function comparedIn(words: Words, o: Observation, only?: MeasuredValue): Compared[] {
  const signs = new Map<vitals.VitalSign, MeasuredValue>();
  for (const part of [...partsOf(o), o]) {
    const sign = signOf(part);
    if (sign && !signs.has(sign) && (part === o || !personNamed(part.code))) signs.set(sign, part);
  }
  const { birth, isAnimal } = subjectOf(o) ?? {};
  if (signs.size === 0 || isAnimal || isOfOther(o) || isEnteredInError(o) || saidByRecord(o, o) === 'judged') return [];
  const age = ageOf(birth, when(o));
  const wanted = vitals.VITAL_SIGNS.filter((sign) => only === undefined || signs.get(sign) === only);
  return wanted.flatMap((sign) => compared(words, signs.get(sign), o, sign, age) ?? []);
}

/** Returns the judgement of one value, or of both numbers of a blood pressure. */
function judged(
  words: Words,
  parts: readonly [Compared, ...Compared[]],
  name: string | undefined,
): UsualRange | undefined {
  const [first, second] = parts;
  const { age, source, isOfEveryAge } = first;
  const sides = parts.map(outside);
  const out = sides.includes('above') ? 'above' : sides.find(Boolean);
  const urgent = parts.map((one) => urgentOf(words, one)).find(Boolean);
  const isAgeUnknown = age === undefined;
  const isCalledNormal = parts.every(({ said }) => said === 'normal') && (out !== undefined || urgent !== undefined);
  const shared = { name, isOfEveryAge, urgent, isAgeUnknown, isCalledNormal };
  const withoutRange = { ...shared, text: undefined, source: undefined };
  if (parts.every(({ said }) => said === 'unread')) return urgent && { ...withoutRange, out: undefined };
  if (!out && parts.every(({ said }) => said !== undefined)) return urgent && { ...withoutRange, out };
  if (!out && first.isOnOxygen) return undefined;
  if (isOfEveryAge && !out) return urgent || isAgeUnknown ? { ...withoutRange, out } : undefined;
  const text = second ? pressureText(words, first, second) : textOf(words, first);
  return { ...shared, text, source, out };
}

/**
 * Returns the usual range of a vital sign at the age of the measurement; for a panel of several signs, one for each, or
 * only that of one value. If that age is unknown, or has no range, the value is compared with the limits for every age.
 * Returns nothing if the record has a range or a flag or was entered in error, if the unit is unknown, and for signs
 * without a range here, and for a reading about somebody else or an animal. If the record calls a value normal, the
 * usual range is returned if the value is outside; for a saturation with oxygen, if the value is low.
 */
export function usualRanges(words: Words, o: Observation, only?: MeasuredValue): UsualRange[] {
  const all = comparedIn(words, o, only);
  const pressure = all.filter(({ sign }) => sign === 'systolic' || sign === 'diastolic');
  const others = all.filter((one) => !pressure.includes(one));
  const [first, ...more] = pressure;
  const groups: [Compared, ...Compared[]][] = [
    ...(first ? ([[first, ...more]] as [Compared, ...Compared[]][]) : []),
    ...others.map((one): [Compared] => [one]),
  ];
  const isNamed = groups.length > 1;
  return groups.flatMap((parts) => judged(words, parts, isNamed ? parts[0].name : undefined) ?? []);
}

/** The gravity of a result without a mark. */
export const NO_GRAVITY = 4;

/**
 * Returns the gravity of a result, 0 for a critical one. One without a flag that its usual range makes urgent counts as
 * critical, and a finding, such as `Positive`, comes after all flags.
 */
export function gravityOf(words: Words, o: Observation): number {
  const found = flag(o);
  if (found) return GRAVITY[found];
  if (comparedIn(words, o).some((one) => urgentOf(words, one))) return 0;
  return judgements(o).some(({ judgement }) => judgement.isFinding) ? 3 : NO_GRAVITY;
}

const MARKS = {
  above: 'above usual ({source})',
  below: 'below usual ({source})',
} as const;
const MARKS_OF_EVERY_AGE = {
  above: 'above usual at any age ({source})',
  below: 'below usual at any age ({source})',
} as const;

/** Returns the mark of a value in short words: urgent, or outside the usual range; empty if it is within. */
export function usualMarkText(words: Words, usual: UsualRange, withRange = false): string {
  const text = markWords(words, usual, withRange);
  const mark = text && usual.isCalledNormal ? words.t('{mark}, called normal', { mark: text }) : text;
  return usual.name && mark ? `${usual.name} ${mark}` : mark;
}

export const urgentText = (words: Words, { text, source }: NonNullable<UsualRange['urgent']>): string =>
  words.t('{urgent} ({source})', { urgent: text, source: source.short });

function markWords(words: Words, { out, source, urgent, isOfEveryAge, text }: UsualRange, withRange: boolean): string {
  if (urgent) return urgentText(words, urgent);
  if (!out) return '';
  const said = [source?.short, withRange ? text : undefined].filter(Boolean).join(', ');
  return words.t((isOfEveryAge ? MARKS_OF_EVERY_AGE : MARKS)[out], { source: said });
}

export const markedSide = ({ out, urgent }: UsualRange): Side | undefined => urgent?.side ?? out;

/** Returns the note that values were compared only with limits for every age; `undefined` if all ages are known. */
export const ageNote = (words: Words, shown: readonly UsualRange[]): string | undefined =>
  shown.some((one) => one.isAgeUnknown)
    ? words.t('The age at the measurement is not known: only what is unusual at any age is marked.')
    : undefined;

/** Returns the sources of some usual ranges and marks, without duplicates. */
export const sourcesOf = (shown: readonly UsualRange[]): vitals.RangeSource[] => [
  ...new Set(shown.flatMap((one) => [one.source, one.urgent?.source]).filter((one) => one !== undefined)),
];

/** Returns the meaning of usual ranges, with the sources, in two sentences; `undefined` without any. */
export function sourcesText(words: Words, shown: readonly UsualRange[]): string | undefined {
  const sources = sourcesOf(shown).map(({ short, title }) => `${short}: ${words.t(title)}`);
  if (sources.length === 0) return undefined;
  return `${words.t('Usual ranges are for the age at the measurement, where the record has no range.')} ${words.t(
    'They come from these sources, not from whoever measured: {sources}.',
    { sources: sources.join('; ') },
  )}`;
}
