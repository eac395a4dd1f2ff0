//! The judgement of measured values: high, low, how far, critical. It is that of the laboratory, or, if its words are
//! unknown or missing, that of the reference range (`reference-range.ts`).

import type { MeasuredValue, Observation, Quantity, ReferenceRange } from '../../fhir/types.ts';
import { keptWhile } from '../../kept.ts';
import { ENGLISH, type PlainMessage } from '../../language/words.ts';
import { isOfOther } from '../names/told-apart.ts';
import {
  chooseRange,
  type Limits,
  type NoRange,
  type RangeChoice,
  type RangeContext,
} from '../ranges/reference-range.ts';
import { rangeText } from '../ranges/text-range.ts';
import { quantityOf } from '../values/measured-number.ts';
import { value, when } from '../values/reading.ts';
import { subjectOf } from '../values/subject.ts';
import { FLAGS, type Flag, gravest, isFlag, sideOf } from './flag-signs.ts';
import { isImmunityTest } from './immunity-test.ts';
import { type Interpretation, interpretations } from './interpretation.ts';
import { isNoMark } from './interpretation-words.ts';

export { FLAGS, type Flag } from './flag-signs.ts';

export interface Judgement {
  flag: Flag | undefined;
  /** The words of the laboratory that add to the flag. */
  said: Interpretation[];
  /** Sentences on why a range was not used, or on contradictions. */
  notes: PlainMessage[];
  /** The range by which the number was judged, or would be. */
  range: ReferenceRange | undefined;
  /** True if the value is known to be within the range, or was called normal. */
  isNormal: boolean;
  /** True if the laboratory has marked the value, in whatever way. */
  isMarked: boolean;
  /** True if the mark is a finding, such as `Positive`, which is neither normal nor a flag by itself. */
  isFinding: boolean;
}

/** The position of a number relative to its range. */
type Place = { is: 'within' } | { is: 'outside'; flag: Flag } | { is: 'unsure' };

/**
 * Returns the position of a number relative to limits. Far means outside by more than twice the width of the range, or
 * by more than a factor of 1.5, whichever is nearer. Far is a distance, and not a judgement about the patient. A bound
 * such as `< 5` has a position only if all numbers that it permits have that position.
 */
function placeIn({ value: measured = Number.NaN, comparator = '' }: Quantity, limits: Limits): Place {
  const { low, high, isLowOpen, isHighOpen } = limits;
  const [mayBeLess, mayBeMore] = [comparator.startsWith('<'), comparator.startsWith('>')];
  if (comparator !== '' && !['<', '<=', '>', '>='].includes(comparator)) return { is: 'unsure' };
  const width = low === undefined || high === undefined ? Infinity : high - low;
  // Binary fractions are rounded: 8.4 is exactly 1.5 times 5.6, and not more.
  const least = (by: number): number => Math.min(2 * width, by > 0 ? by : Infinity) * (1 + 1e-9);
  const isAbove = (limit: number): boolean =>
    measured > limit || ((comparator === '>' || isHighOpen) && measured === limit);
  const isBelow = (limit: number): boolean =>
    measured < limit || ((comparator === '<' || isLowOpen) && measured === limit);
  if (high !== undefined && isAbove(high) && !mayBeLess)
    return { is: 'outside', flag: measured - high > least(high / 2) ? 'far-high' : 'high' };
  if (low !== undefined && isBelow(low) && !mayBeMore)
    return { is: 'outside', flag: low - measured > least(low / 3) ? 'far-low' : 'low' };
  const isSure =
    (!mayBeLess || (low === undefined && high !== undefined && measured <= high)) &&
    (!mayBeMore || (high === undefined && low !== undefined && measured >= low)) &&
    Number.isFinite(measured);
  return { is: isSure ? 'within' : 'unsure' };
}

/** Returns the position relative to all ranges that may apply: `unsure` if they do not agree. */
function placeOf(number: Quantity, fitting: readonly Limits[]): Place | undefined {
  const places = fitting.map((limits) => placeIn(number, limits));
  const [first] = places;
  if (!first || places.length === 1) return first;
  const flags = places.flatMap((one) => (one.is === 'outside' ? one.flag : []));
  const sides = new Set(flags.map(sideOf));
  if (flags.length < places.length || sides.size > 1)
    return places.every(({ is }) => is === 'within') ? first : { is: 'unsure' };
  const [side] = sides;
  return { is: 'outside', flag: flags.find((one) => one === side) ?? flags[0] ?? 'abnormal' };
}

const WHY: Record<Exclude<NoRange, 'other-kind'>, PlainMessage> = {
  several: 'Several ranges may apply, and none was used.',
  'not-theirs': 'Its range is for other people, or does not say for whom.',
  'other-unit': 'Its range is in another unit, and was not compared.',
  inverted: 'Its range is the wrong way round, and was not used.',
};

/** Returns the reason for a missing position, if readers must know it. */
function whyNone(choice: RangeChoice, place: Place | undefined): NoRange | 'bound' | undefined {
  if (choice.why) return choice.why;
  if (place?.is !== 'unsure') return undefined;
  return choice.fitting.length > 1 ? 'several' : 'bound';
}

/** Returns the flag of the laboratory, to which the range adds the side and the distance. */
function flagOf(sense: Flag, out: Flag | undefined): Flag {
  const side = sideOf(out);
  if (sense === 'high' || sense === 'low') return side === sense && out ? out : sense;
  if (sense === 'abnormal') return out ?? sense;
  if (sense === 'critical') return side ? `critical-${side}` : sense;
  return sense;
}

const alike = (a: string, b: string | undefined): boolean => a.trim().toLowerCase() === b?.trim().toLowerCase();

/** Returns whether words of the laboratory add to the flag and the value. */
function saysMore(said: Interpretation, flag: Flag | undefined, of: MeasuredValue): boolean {
  if (alike(said.words, value(ENGLISH, of)) || (flag && alike(said.words, FLAGS[flag].says))) return false;
  // The sign of a flag already means high or low.
  const isSaid = (words: string): boolean => words === 'Abnormal' || flag?.endsWith(words.toLowerCase()) === true;
  return !(said.isOurs && flag !== undefined && ['High', 'Low', 'Abnormal'].includes(said.words) && isSaid(said.words));
}

const NO_CHOICE: RangeChoice = { fitting: [], why: undefined, isInverted: false, critical: undefined };

export function judge(of: MeasuredValue, about: RangeContext): Judgement {
  const number = quantityOf(of);
  const isImmunity = isImmunityTest(of.code ?? about.test);
  const choice: RangeChoice = number && !isImmunity ? chooseRange(of, number, about) : NO_CHOICE;
  const place = number && placeOf(number, choice.fitting);
  const beyond = number && choice.critical && placeIn(number, choice.critical);
  const all = interpretations(of.interpretation);
  const words =
    number || isImmunity
      ? undefined
      : rangeText(
          of,
          all.some(({ sense }) => sense === 'finding'),
        );
  const out = place?.is === 'outside' ? place.flag : words === 'outside' ? ('abnormal' as const) : undefined;
  const theirs = all.map(({ sense }) => sense).find(isFlag);
  const saysNormal = theirs === undefined && all.some(({ sense }) => sense === 'normal');
  const flag = gravest([
    theirs ? flagOf(theirs, out) : out,
    beyond?.is === 'outside' ? flagOf('critical', beyond.flag) : undefined,
  ]);
  const contradicts = saysNormal && flag !== undefined;
  const notes: PlainMessage[] = [];
  const why = whyNone(choice, place);
  if (isImmunity && flag === undefined && !saysNormal && of.referenceRange?.length)
    notes.push('A test of immunity: its range does not tell what is normal.');
  if (contradicts) notes.push('Called normal, but outside its range.');
  const [side, flagged] = [sideOf(out), sideOf(flag)];
  if (side && flagged && side !== flagged)
    notes.push(side === 'low' ? 'It is below its range.' : 'It is above its range.');
  if (choice.isInverted) notes.push(WHY.inverted);
  else if (flag === undefined && !saysNormal && why !== undefined && why !== 'other-kind')
    notes.push(why === 'bound' ? 'Only a bound is known: it may be within its range or outside.' : WHY[why]);
  return {
    flag,
    said: all.filter((said) => saysMore(said, flag, of) && (!said.isOurs || said.words !== 'Normal' || contradicts)),
    notes,
    range: choice.fitting.length === 1 ? choice.fitting[0]?.range : undefined,
    isNormal: flag === undefined && (saysNormal || place?.is === 'within' || words === 'within'),
    isMarked: all.some(({ words }) => !isNoMark(words)),
    // Of a test of immunity it is the wanted result.
    isFinding: flag === undefined && !isImmunity && all.some(({ sense }) => sense === 'finding'),
  };
}

/** Returns the context on which the ranges of an observation depend: not the patient if it is about another. */
export const aboutOf = (o: Observation): RangeContext => ({
  subject: isOfOther(o) ? undefined : subjectOf(o),
  on: when(o),
  test: o.code,
});

const isObservation = (of: MeasuredValue): of is Observation => 'resourceType' in of;

/** Returns the judgement of a value of an observation: its own, or that of a component. */
const judgementOf = (of: MeasuredValue, source: Observation): Judgement => judge(of, aboutOf(source));

export interface JudgedPart {
  /** The component; `undefined` for the observation itself. */
  part: MeasuredValue | undefined;
  judgement: Judgement;
}

/** Returns the judgements of an observation: its own, and those of its components. */
export const judgements = keptWhile(
  (o: Observation) => [subjectOf(o)],
  (o): JudgedPart[] => [
    { part: undefined, judgement: judgementOf(o, o) },
    ...(o.component ?? []).map((part) => ({ part, judgement: judgementOf(part, o) })),
  ],
);

/** Returns the judgement of an observation, or of one of its values, which are cached with the observation. */
export const judgedPart = (of: MeasuredValue, source: Observation): Judgement =>
  judgements(source).find(({ part }) => (part ?? source) === of)?.judgement ?? judgementOf(of, source);

/** Returns the flag of a value; for an observation, the gravest of its own and those of its components. */
export function flag(of: MeasuredValue): Flag | undefined {
  if (isObservation(of)) return gravest(judgements(of).map(({ judgement }) => judgement.flag));
  return judge(of, { subject: undefined, on: undefined }).flag;
}
