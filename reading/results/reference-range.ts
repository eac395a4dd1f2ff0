//! The choice of the reference range that a value is judged by, among those of the record
//! (<https://hl7.org/fhir/R4/observation-definitions.html#Observation.referenceRange>): a normal one, for the sex and
//! the age of the person, in a unit that can be compared. A range for treatment is none of them.

import { codesOf, namesOf } from '../fhir/concept-codes.ts';
import type { Subject } from '../fhir/facts.ts';
import type { Concept, MeasuredValue, Quantity, Range, ReferenceRange } from '../fhir/types.ts';
import { appliesToAnyOf, appliesToText } from './applies-to.ts';
import { converted, isSameUnit } from './convert.ts';
import { rangesInText } from './range-words.ts';
import { endsOf } from './reading.ts';
import { isAgeIn } from './subject.ts';

/** Why no range is chosen, in words for readers (`judgement.ts`). */
export type NoRange = 'several' | 'not-theirs' | 'other-unit' | 'inverted' | 'other-kind';

/** The limits of a range in the unit of the value. */
export interface Limits {
  low: number | undefined;
  high: number | undefined;
  /** True if the end itself is outside: `< 5`. */
  isLowOpen: boolean;
  isHighOpen: boolean;
  range: ReferenceRange;
}

export interface RangeChoice {
  /** The ranges that fit: several only where they have different limits. */
  fitting: Limits[];
  /** Why there is none, where the record has ranges with limits. */
  why: NoRange | undefined;
  /** True if one was left out since its low end is above its high end. */
  isInverted: boolean;
  /** The range beyond which a value is critical, if there is one that fits. */
  critical: Limits | undefined;
}

/** What was measured, as far as a range depends on it. */
export interface RangeContext {
  subject: Subject | undefined;
  /** The date of the measurement as it is written. */
  on: string | undefined;
  /** The code of the whole, of which a component is judged. */
  test?: Concept | undefined;
}

const NORMAL = new RegExp(
  '^(normal|reference|referenz|referentie|standard|typical|usual|biological reference|(valores?' +
    '|intervalo|rango) (de )?(referencia|normal)|valeurs? (de référence|normale)|基準)',
);
const CRITICAL = /critical|panic|kritisch|cr[ií]tic|alarm/;

/** The kind of a range: what is normal, of what nothing is said, what is critical beyond it, or another. */
function kindOf({ type }: ReferenceRange): 'normal' | 'unsaid' | 'critical' | 'other' {
  const [codes, words] = [codesOf(type).map((one) => one.toLowerCase()), namesOf(type)];
  if (codes.length === 0 && words.length === 0) return 'unsaid';
  if ([...codes, ...words].some((one) => NORMAL.test(one))) return 'normal';
  return [...codes, ...words].some((one) => CRITICAL.test(one)) ? 'critical' : 'other';
}

/** Returns whether a range is of what is normal, or does not say of what. */
export const isOfNormal = (range: ReferenceRange): boolean => ['normal', 'unsaid'].includes(kindOf(range));

/** Whether a range is for somebody; nothing where that cannot be told. */
function isFor({ appliesTo = [], age, text }: ReferenceRange, { subject, on }: RangeContext): boolean | undefined {
  const answers = [
    appliesToAnyOf(appliesTo, subject, on),
    // What a text says beside its numbers is about whom they are for.
    text === undefined ? true : appliesToText(text, subject, on),
    age && (age.low || age.high) ? isAgeIn(age, subject?.birth, on) : true,
    age?.text && !age.low && !age.high ? appliesToAnyOf([{ text: age.text }], subject, on) : true,
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** The limits in the unit of the value; nothing where a limit cannot be converted. */
function limitsOf(range: ReferenceRange, of: Quantity, test: Concept | undefined): Limits | undefined {
  const { low, high } = endsOf(range);
  const ends = [low, high].map((end) =>
    end?.value === undefined ? undefined : { value: converted(end.value, inheriting(end, range), of, test) },
  );
  if (ends.some((end) => end && end.value === undefined)) return undefined;
  return {
    low: ends[0]?.value,
    high: ends[1]?.value,
    isLowOpen: low?.comparator === '>',
    isHighOpen: high?.comparator === '<',
    range,
  };
}

/** An end without a unit has that of the other end. */
const inheriting = (end: Quantity, { low, high }: Range): Quantity =>
  end.unit || end.code ? end : { ...(low?.unit || low?.code ? low : high), ...end };

const hasEnds = ({ low, high }: ReferenceRange): boolean => low?.value !== undefined || high?.value !== undefined;

/** Two ranges of which one has the low end alone, and the other the high end alone, are one. */
function joinedEnds(all: readonly ReferenceRange[]): ReferenceRange[] {
  const [a, b, ...more] = all;
  if (!a || !b || more.length > 0 || a.type || b.type || a.appliesTo || b.appliesTo || a.age || b.age) return [...all];
  const [first, second] = [endsOf(a), endsOf(b)];
  const [low, high] = [first.low ?? second.low, first.high ?? second.high];
  const isOneOfEach = (first.low === undefined) !== (second.low === undefined);
  const isSplit = isOneOfEach && (first.high === undefined) !== (second.high === undefined) && low && high;
  return isSplit && (low.value ?? 0) <= (high.value ?? 0) ? [{ low, high }] : [...all];
}

/**
 * The range beyond which a value is critical: one with both ends, between which what is normal lies. One end alone may
 * be of what is critical, or of what is not.
 */
function criticalOf(
  all: readonly ReferenceRange[],
  of: Quantity,
  test: Concept | undefined,
  about: RangeContext,
): Limits | undefined {
  const found = all.filter((range) => kindOf(range) === 'critical' && isFor(range, about) === true);
  const [limits, ...more] = found.flatMap((range) => limitsOf(range, of, test) ?? []);
  const { low, high } = limits ?? {};
  return more.length === 0 && low !== undefined && high !== undefined && low < high ? limits : undefined;
}

/** Chooses the ranges by which a number is judged. `of` is the number with its unit. */
export function chooseRange(measured: MeasuredValue, of: Quantity, about: RangeContext): RangeChoice {
  const all = joinedEnds((measured.referenceRange ?? []).flatMap((range) => rangesInText(range, of)).filter(hasEnds));
  const critical = criticalOf(all, of, measured.code, about);
  const none = (why: NoRange | undefined, isInverted = false): RangeChoice => ({
    fitting: [],
    why,
    isInverted,
    critical,
  });
  if (all.length === 0) return none(undefined);
  const normal = all.filter((range) => kindOf(range) === 'normal');
  const candidates = normal.length > 0 ? normal : all.filter((range) => kindOf(range) === 'unsaid');
  if (candidates.length === 0) return none('other-kind');
  const theirs = candidates.filter((range) => isFor(range, about) !== false);
  if (theirs.length === 0) return none('not-theirs');
  const inUnit = theirs.flatMap((range) => limitsOf(range, of, measured.code) ?? []);
  if (inUnit.length === 0) return none('other-unit');
  const upright = inUnit.filter(({ low, high }) => low === undefined || high === undefined || low <= high);
  const isInverted = upright.length < inUnit.length;
  if (upright.length === 0) return none('inverted', true);
  const certain = upright.filter(({ range }) => isFor(range, about) === true);
  const some = certain.length > 0 ? certain : upright;
  const distinct = some.filter(
    (one, i) => some.findIndex(({ low, high }) => low === one.low && high === one.high) === i,
  );
  // A range in the very unit of the value goes before one that was converted.
  const same = distinct.filter(({ range }) => [range.low, range.high].every((end) => !end || isSameUnit(end, of)));
  const fitting = same.length > 0 ? same : distinct;
  const isUnsure = certain.length === 0 && some.length === 1;
  return { fitting: isUnsure ? [] : fitting, why: isUnsure ? 'not-theirs' : undefined, isInverted, critical };
}
