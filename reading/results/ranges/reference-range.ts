//! The choice of the reference range by which a value is judged, among the ranges of the record
//! (<https://hl7.org/fhir/R4/observation-definitions.html#Observation.referenceRange>): a normal range, for the sex and
//! the age of the person, in a comparable unit. A range for treatment is never chosen.

import { codesOf, namesOf } from '../../fhir/concept-codes.ts';
import type { Subject } from '../../fhir/facts.ts';
import type { Concept, MeasuredValue, Quantity, Range, ReferenceRange } from '../../fhir/types.ts';
import { converted, isSameUnit } from '../values/convert.ts';
import { endsOf } from '../values/reading.ts';
import { isAgeIn } from '../values/subject.ts';
import { appliesToAnyOf, appliesToText } from './applies-to.ts';
import { rangesInText } from './range-words.ts';

/** The reason why no range is chosen. Its words for readers are in `judgement.ts`. */
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
  /** The ranges that fit. There are several only if their limits differ. */
  fitting: Limits[];
  /** The reason why none fits, if the record has ranges with limits. */
  why: NoRange | undefined;
  /** True if a range was left out because its low end is above its high end. */
  isInverted: boolean;
  /** The fitting range beyond which a value is critical, if there is one. */
  critical: Limits | undefined;
}

/** The properties of a measurement on which a range depends. */
export interface RangeContext {
  subject: Subject | undefined;
  /** The date of the measurement as written. */
  on: string | undefined;
  /** The code of the observation whose component is judged. */
  test?: Concept | undefined;
}

const NORMAL = new RegExp(
  '^(normal|reference|referenz|referentie|standard|typical|usual|biological reference|(valores?' +
    '|intervalo|rango) (de )?(referencia|normal)|valeurs? (de référence|normale)|基準)',
);
const CRITICAL = /critical|panic|kritisch|cr[ií]tic|alarm/;

/** Returns the kind of a range: normal, unspecified, critical beyond it, or another. */
function kindOf({ type }: ReferenceRange): 'normal' | 'unsaid' | 'critical' | 'other' {
  const [codes, words] = [codesOf(type).map((one) => one.toLowerCase()), namesOf(type)];
  if (codes.length === 0 && words.length === 0) return 'unsaid';
  if ([...codes, ...words].some((one) => NORMAL.test(one))) return 'normal';
  return [...codes, ...words].some((one) => CRITICAL.test(one)) ? 'critical' : 'other';
}

/** Returns whether a range is normal, or its type is unspecified. */
export const isOfNormal = (range: ReferenceRange): boolean => ['normal', 'unsaid'].includes(kindOf(range));

/** Returns whether a range applies to a person; `undefined` if that is unknown. */
function isFor({ appliesTo = [], age, text }: ReferenceRange, { subject, on }: RangeContext): boolean | undefined {
  const answers = [
    appliesToAnyOf(appliesTo, subject, on),
    // Text next to the numbers names the people to whom they apply.
    text === undefined ? true : appliesToText(text, subject, on),
    age && (age.low || age.high) ? isAgeIn(age, subject?.birth, on) : true,
    age?.text && !age.low && !age.high ? appliesToAnyOf([{ text: age.text }], subject, on) : true,
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** Returns the limits in the unit of the value; `undefined` if a limit cannot be converted. */
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

/** Returns an end with its unit, or else with the unit of the other end. */
const inheriting = (end: Quantity, { low, high }: Range): Quantity =>
  end.unit || end.code ? end : { ...(low?.unit || low?.code ? low : high), ...end };

const hasEnds = ({ low, high }: ReferenceRange): boolean => low?.value !== undefined || high?.value !== undefined;

/** Joins two ranges into one if one has only the low end, and the other only the high end. */
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
 * Returns the range beyond which a value is critical. It must have both ends, with the normal range between them. A
 * single end may be the limit of critical values, or of values that are not critical.
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

/** Returns the ranges by which a number is judged. `of` is the number with its unit. */
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
  // A range in the unit of the value precedes a range that was converted.
  const same = distinct.filter(({ range }) => [range.low, range.high].every((end) => !end || isSameUnit(end, of)));
  const fitting = same.length > 0 ? same : distinct;
  const isUnsure = certain.length === 0 && some.length === 1;
  return { fitting: isUnsure ? [] : fitting, why: isUnsure ? 'not-theirs' : undefined, isInverted, critical };
}
