//! The usual range of a vital sign by age, for a record that has no range of its own, and whether the value calls for
//! somebody at once. It is nobody's reference range: wherever one is shown, it is called usual, with its source
//! (`vital-limits.ts`). Each part of the app that marks a vital sign reads this.

import { isEnteredInError } from '../fhir/text.ts';
import type { MeasuredValue, Observation, Quantity } from '../fhir/types.ts';
import { isVital, vitalCodes } from '../fhir/vital-codes.ts';
import type { Words } from '../language/words.ts';
import { ageInDays, ageInMonths, isAdult } from '../people/age.ts';
import { converted } from './convert.ts';
import { judgedPart } from './flag.ts';
import { quantityOf } from './measured-number.ts';
import { testName } from './names.ts';
import { isOnOxygen } from './oxygen.ts';
import { when } from './reading.ts';
import { isOfNormal } from './reference-range.ts';
import { subjectOf } from './subject.ts';
import {
  AGELESS_LIMITS,
  BANDS,
  BY_METHOD,
  CODES,
  type Limits,
  type RangeSource,
  UNITS,
  URGENT,
  type UrgentLimit,
  unitMeant,
  VITAL_SIGNS,
  type VitalSign,
} from './vital-limits.ts';
import { partsOf } from './vital-parts.ts';

export type Side = 'above' | 'below';

export interface UsualRange {
  /** The name of the part of a panel; nothing where a reading is of one sign. */
  name: string | undefined;
  /** The ends in words, such as `60–100` or `below 120/80`; nothing where no range can be told. */
  text: string | undefined;
  /** The source of the ends. */
  source: RangeSource | undefined;
  /** True if the ends are those that hold at every age. They are told only where a value is outside of them. */
  isOfEveryAge: boolean;
  /** The side on which a value is outside. */
  out: Side | undefined;
  /** The limit beyond which a value calls for somebody at once, in words; nothing for other values. */
  urgent: { side: Side; text: string; source: RangeSource } | undefined;
  /** True if the value was compared with nothing but what holds at every age, since the age is not known. */
  isAgeUnknown: boolean;
  /** True if the record calls a value normal that is outside. */
  isCalledNormal: boolean;
}

/** The age in months, 0 until 28 days: between 28 days and a month by the calendar a child is an infant. */
function ageOf(birth: string | undefined, on: string | undefined): number | undefined {
  const [days, months] = [ageInDays(birth, on), ageInMonths(birth, on)];
  if (days !== undefined && days < 28) return 0;
  if (months !== undefined) return Math.max(1, months);
  return isAdult(birth, on) ? 18 * 12 : undefined;
}

/** A measured part with the limits that are usual for it. */
interface Compared {
  sign: VitalSign;
  name: string;
  /** In months; nothing where it is not known. */
  age: number | undefined;
  /** The number in the unit of the limits. */
  value: number;
  comparator: string;
  limits: Limits;
  source: RangeSource;
  isOfEveryAge: boolean;
  said: ReturnType<typeof saidByRecord>;
  /** True if it was measured while oxygen was given: then no saturation is a usual one. */
  isOnOxygen: boolean;
  /** Writes a limit in the unit of the record. */
  shown(limit: number | undefined): string;
}

/**
 * The word of the record itself on a value: its judgement by a flag or a range, that it is normal without a range, or a
 * range that cannot be read.
 */
function saidByRecord(part: MeasuredValue, o: Observation): 'judged' | 'normal' | 'unread' | undefined {
  const { flag, isNormal, range } = judgedPart(part, o);
  if (flag !== undefined || range !== undefined) return 'judged';
  if (isNormal) return 'normal';
  return (part.referenceRange ?? []).some((one) => isOfNormal(one) && !one.low && !one.high) ? 'unread' : undefined;
}

/** Nothing for a part with a range of its own, or in a unit that cannot be converted. */
function compared(
  words: Words,
  part: MeasuredValue | undefined,
  o: Observation,
  sign: VitalSign,
  age: number | undefined,
): Compared | undefined {
  const recorded = part && quantityOf(part);
  if (!part || recorded?.value === undefined) return undefined;
  const isWithUnit = Boolean(recorded.unit || recorded.code);
  const meant = isWithUnit ? undefined : unitMeant(sign, recorded.value);
  if (!isWithUnit && meant === undefined) return undefined;
  const measured = meant === undefined ? recorded : { ...recorded, code: meant };
  const unit: Quantity = { code: UNITS[sign] };
  const value = converted(recorded.value, measured, unit);
  const said = saidByRecord(part, o);
  if (value === undefined || said === 'judged') return undefined;
  const band =
    age === undefined || isVital(part.code, ...BY_METHOD)
      ? undefined
      : BANDS.find(({ from, until, limits }) => age >= from && age < until && limits[sign] !== undefined);
  const own = band?.limits[sign];
  const { limits, source } = band && own ? { limits: own, source: band.source } : AGELESS_LIMITS[sign];
  const shown = (limit: number | undefined): string => {
    const inRecord = limit === undefined ? undefined : converted(limit, unit, measured);
    return inRecord === undefined ? '' : words.decimal(String(Number(inRecord.toPrecision(3))));
  };
  const name = testName(words, part.code) ?? '';
  const comparator = recorded.comparator ?? '';
  const isWithOxygen = sign === 'saturation' && isOnOxygen(o);
  const isOfEveryAge = !own;
  return { sign, name, age, value, comparator, limits, source, isOfEveryAge, said, isOnOxygen: isWithOxygen, shown };
}

/** Returns whether a number is certainly above a limit; of a bound, each number that it can stand for. */
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

/** The limit beyond which a value is urgent, in words. */
function urgentOf(words: Words, one: Compared): UsualRange['urgent'] {
  const { age } = one;
  const isBeyond = ({ side, limit, isIncluded }: UrgentLimit): boolean =>
    (side === 'above' ? isAbove : isBelow)(one, limit, isIncluded);
  const found = URGENT.find(
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

/** The limits of both pressures in one text: `below 120/80`, or `97–115 / 57–76`. */
function pressureText(words: Words, systolic: Compared, diastolic: Compared): string {
  const [a, b] = [systolic.limits.under, diastolic.limits.under];
  return a !== undefined && b !== undefined
    ? words.t('below {value}', { value: `${systolic.shown(a)}/${diastolic.shown(b)}` })
    : `${textOf(words, systolic)} / ${textOf(words, diastolic)}`;
}

const SIGN_OF: ReadonlyMap<string, VitalSign> = new Map(
  VITAL_SIGNS.flatMap((sign) => CODES[sign].map((code) => [code, sign] as const)),
);

/** The vital sign that a code is of. */
const signOf = ({ code }: MeasuredValue): VitalSign | undefined =>
  vitalCodes(code)
    .map((one) => SIGN_OF.get(one))
    .find(Boolean);

/** What is compared in a reading, by vital sign: a component goes before the whole. */
function comparedIn(words: Words, o: Observation): Compared[] {
  const signs = new Map<VitalSign, MeasuredValue>();
  for (const part of [...partsOf(o), o]) {
    const sign = signOf(part);
    if (sign && !signs.has(sign)) signs.set(sign, part);
  }
  if (signs.size === 0 || isEnteredInError(o) || saidByRecord(o, o) === 'judged') return [];
  const age = ageOf(subjectOf(o)?.birth, when(o));
  return VITAL_SIGNS.flatMap((sign) => compared(words, signs.get(sign), o, sign, age) ?? []);
}

/** The judgement of one value, or of both numbers of a blood pressure. */
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
 * The usual range of a vital sign at the age at which it was measured; of a panel with several signs, that of each.
 * Where that age is not known, or has no range, the value is compared with what holds at every age. Nothing where the
 * record has a range or a flag or was entered in error, where the unit is not known, and for what has no range here. A
 * value that the record calls normal has its usual range where it is outside; a saturation with oxygen, where it is
 * low.
 */
export function usualRanges(words: Words, o: Observation): UsualRange[] {
  const all = comparedIn(words, o);
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

const MARKS = {
  above: 'above usual ({source})',
  below: 'below usual ({source})',
} as const;
const MARKS_OF_EVERY_AGE = {
  above: 'above usual at any age ({source})',
  below: 'below usual at any age ({source})',
} as const;

/** The mark of a value in words, as short as a flag: urgent, or outside of the usual range. Nothing for one within. */
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

/** The side on which a value is marked. */
export const markedSide = ({ out, urgent }: UsualRange): Side | undefined => urgent?.side ?? out;

/** Says that values were compared with what holds at every age alone; nothing where the age of all is known. */
export const ageNote = (words: Words, shown: readonly UsualRange[]): string | undefined =>
  shown.some((one) => one.isAgeUnknown)
    ? words.t('The age at the measurement is not known: only what is unusual at any age is marked.')
    : undefined;

/** The sources of some usual ranges and marks, each once. */
export const sourcesOf = (shown: readonly UsualRange[]): RangeSource[] => [
  ...new Set(shown.flatMap((one) => [one.source, one.urgent?.source]).filter((one) => one !== undefined)),
];

/** The meaning of usual ranges, with the sources, in two sentences; nothing without any. */
export function sourcesText(words: Words, shown: readonly UsualRange[]): string | undefined {
  const sources = sourcesOf(shown).map(({ short, title }) => `${short}: ${words.t(title)}`);
  if (sources.length === 0) return undefined;
  return `${words.t('Usual ranges are for the age at the measurement, where the record has no range.')} ${words.t(
    'They are not those of whoever measured: {sources}.',
    { sources: sources.join('; ') },
  )}`;
}
