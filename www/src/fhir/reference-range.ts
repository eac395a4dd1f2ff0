//! The choice of the reference range that a value is judged by, among those of the record
//! (<https://hl7.org/fhir/R4/observation-definitions.html#Observation.referenceRange>): a normal one, for the sex and
//! the age of the person, in a unit that can be compared. A range for treatment is none of them.

import { own } from '../own.ts';
import { converted, isSameUnit } from './convert.ts';
import { isAgeIn, type Subject } from './subject.ts';
import type { Concept, Measured, Quantity, Range, ReferenceRange } from './types.ts';

/** Why no range is chosen, in words for readers (`judgement.ts`). */
export type NoRange = 'several' | 'not-theirs' | 'other-unit' | 'inverted' | 'other-kind';

/** The limits of a range in the unit of the value. */
export interface Limits {
  low: number | undefined;
  high: number | undefined;
  range: ReferenceRange;
}

export interface Choice {
  /** The ranges that fit: several only where they have different limits. */
  fitting: Limits[];
  /** Why there is none, where the record has ranges with limits. */
  why: NoRange | undefined;
  /** True if one was left out since its low end is above its high end. */
  isInverted: boolean;
}

/** What was measured, as far as a range depends on it. */
export interface About {
  subject: Subject | undefined;
  /** The date of the measurement as it is written. */
  on: string | undefined;
}

const codesOf = (of: Concept | undefined): string[] => (of?.coding ?? []).flatMap(({ code }) => code ?? []);
const wordsOf = (of: Concept | undefined): string[] =>
  [of?.text, ...(of?.coding ?? []).map(({ display }) => display)].flatMap((one) => one?.trim().toLowerCase() || []);

/** The kind of a range: what is normal, of what nothing is said, or another, such as of treatment. */
function kindOf({ type }: ReferenceRange): 'normal' | 'unsaid' | 'other' {
  const [codes, words] = [codesOf(type), wordsOf(type)];
  if (codes.length === 0 && words.length === 0) return 'unsaid';
  const isNormal = codes.includes('normal') || words.some((one) => /^(normal|reference)/.test(one));
  return isNormal ? 'normal' : 'other';
}

/** Returns whether a range is of what is normal, or does not say of what. */
export const isOfNormal = (range: ReferenceRange): boolean => kindOf(range) !== 'other';

const SEXES: Readonly<Record<string, string>> = {
  male: 'male',
  m: 'male',
  man: 'male',
  men: 'male',
  '248153007': 'male',
  female: 'female',
  f: 'female',
  woman: 'female',
  women: 'female',
  '248152002': 'female',
};

/** The sex that a concept names; nothing where it names something else, such as a race or a state. */
const sexOf = (of: Concept): string | undefined =>
  [...codesOf(of).map((code) => code.toLowerCase()), ...wordsOf(of)]
    .map((one) => own(SEXES, one.replace(/s$/, '')) ?? own(SEXES, one))
    .find(Boolean);

/** Whether a range is for somebody; nothing where that cannot be told. */
function isFor({ appliesTo, age }: ReferenceRange, { subject, on }: About): boolean | undefined {
  const answers: (boolean | undefined)[] = [];
  if (appliesTo?.length) {
    const sexes = appliesTo.map(sexOf);
    const isKnown = subject?.sex === 'male' || subject?.sex === 'female';
    const named = sexes.filter(Boolean);
    if (named.length > 0 && isKnown)
      answers.push(named.includes(subject.sex) && (sexes.length === named.length || undefined));
    else answers.push(undefined);
  }
  if (age && (age.low || age.high)) answers.push(isAgeIn(age, subject?.birth, on));
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** The limits in the unit of the value; nothing where a limit cannot be converted. */
function limitsOf(range: ReferenceRange, of: Quantity, test: Concept | undefined): Limits | undefined {
  const ends = [range.low, range.high].map((end) =>
    end?.value === undefined ? undefined : { value: converted(end.value, inheriting(end, range), of, test) },
  );
  if (ends.some((end) => end && end.value === undefined)) return undefined;
  return { low: ends[0]?.value, high: ends[1]?.value, range };
}

/** An end without a unit has that of the other end. */
const inheriting = (end: Quantity, { low, high }: Range): Quantity =>
  end.unit || end.code ? end : { ...(low?.unit || low?.code ? low : high), ...end };

const NUMBER = '-?\\d+(?:[.,]\\d+)?';
const BETWEEN = new RegExp(`^(${NUMBER})\\s*(?:-|–|to)\\s*(${NUMBER})\\s*([^\\d\\s].*)?$`);
const BOUND = new RegExp(`^(<=?|≤|>=?|≥)\\s*(${NUMBER})\\s*([^\\d\\s].*)?$`);
/** A comma before three digits may part thousands. */
const AMBIGUOUS = /,\d{3}\b/;

/** A range whose ends stand in its text alone, such as `4.0–10.0` or `< 5 mg/L`, with ends. */
function withEnds(range: ReferenceRange): ReferenceRange {
  if (range.low || range.high || !range.text || AMBIGUOUS.test(range.text)) return range;
  const text = range.text.trim().replace(/^[([](.*)[)\]]$/, '$1');
  const end = (number: string | undefined, unit: string | undefined): Quantity => ({
    value: Number(number?.replace(',', '.')),
    ...(unit ? { unit } : {}),
  });
  const [, low, high, unit] = BETWEEN.exec(text) ?? [];
  if (low && high) return { ...range, low: end(low, unit), high: end(high, unit) };
  const [, sign, bound, boundUnit] = BOUND.exec(text) ?? [];
  if (!sign) return range;
  return { ...range, [/[<≤]/.test(sign) ? 'high' : 'low']: end(bound, boundUnit) };
}

const hasEnds = ({ low, high }: ReferenceRange): boolean => low?.value !== undefined || high?.value !== undefined;

/** Chooses the ranges by which a number is judged. `of` is the number with its unit. */
export function chooseRange(measured: Measured, of: Quantity, about: About): Choice {
  const all = (measured.referenceRange ?? []).map(withEnds).filter(hasEnds);
  const none = (why: NoRange | undefined, isInverted = false): Choice => ({ fitting: [], why, isInverted });
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
  return { fitting: isUnsure ? [] : fitting, why: isUnsure ? 'not-theirs' : undefined, isInverted };
}
