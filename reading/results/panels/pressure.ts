//! Blood pressures: panels with both numbers, and systolic and diastolic pressures that were recorded separately.

import { instant } from '../../fhir/date.ts';
import type { MeasuredValue, Observation } from '../../fhir/types.ts';
import { DIASTOLIC, isVital, SYSTOLIC } from '../../fhir/vital-codes.ts';
import type { Words } from '../../language/words.ts';
import { quantityOf } from '../values/measured-number.ts';
import { when } from '../values/reading.ts';
import { ofSameSubject, withoutJudgement } from '../values/subject.ts';
import { PRESSURE } from '../values/vital-parts.ts';

const HALVES = { systolic: SYSTOLIC, diastolic: DIASTOLIC } as const;
type Half = keyof typeof HALVES;

/** A number of a blood pressure, with its observation, or the observation of which it is a component. */
interface Value {
  half: Half;
  of: MeasuredValue;
  source: Observation;
}

const isHalf = (half: Half, { code }: MeasuredValue): boolean => isVital(code, ...HALVES[half]);
const hasNumber = (of: MeasuredValue): boolean => quantityOf(of) !== undefined;

function numberOf(half: Half, source: Observation): Value | undefined {
  const of = [source, ...(source.component ?? [])].find((part) => isHalf(half, part) && hasNumber(part));
  return of && { half, of, source };
}

/** Returns whether an observation is a blood pressure, or one number of it. */
export const isPressure = (o: Observation): boolean =>
  isVital(o.code, PRESSURE) ||
  [o, ...(o.component ?? [])].some((part) => isHalf('systolic', part) || isHalf('diastolic', part));

/** Returns whether a blood pressure lacks a number, which an earlier one may have. */
export const lacksNumber = (o: Observation): boolean => {
  const [hasSystolic, hasDiastolic] = [numberOf('systolic', o), numberOf('diastolic', o)].map(Boolean);
  return o.component === undefined ? !hasSystolic && !hasDiastolic : !hasSystolic || !hasDiastolic;
};

/** Orders panels and systolic pressures before diastolic ones, and those with a code before those by name alone. */
export const bySystolic = (a: Observation, b: Observation): number => placeOf(a) - placeOf(b);
const placeOf = (o: Observation): number => (isHalf('diastolic', o) ? 2 : (o.code?.coding ?? []).length > 0 ? 0 : 1);

/** Makes an observation from one number, or a panel from both. */
function made(words: Words, values: [Value, ...Value[]]): Observation {
  const [{ source, of }] = values;
  const { component: _, hasMember: __, ...rest } = source;
  const one: Observation =
    values.length === 1
      ? { ...rest, ...of }
      : {
          ...withoutValue(rest),
          code: { coding: [{ system: 'http://loinc.org', code: PRESSURE }], text: words.t('Blood pressure') },
          component: values.map(({ half, of: { code: __code, ...measured } }) => ({
            ...measured,
            code: { coding: [{ system: 'http://loinc.org', code: HALVES[half][0] ?? '' }], text: nameOf(words, half) },
          })),
        };
  return ofSameSubject(source, one);
}

const nameOf = (words: Words, half: Half): string => (half === 'systolic' ? words.t('Systolic') : words.t('Diastolic'));

const withoutValue = ({ valueQuantity: _value, ...rest }: Observation): Observation => withoutJudgement(rest);

/**
 * Returns the latest blood pressure among some, newest first: one observation if both numbers have the same time; or
 * else the latest of each number, the newer first. A newer value precedes a complete one.
 */
export function latestPressures(words: Words, newestFirst: readonly Observation[]): Observation[] {
  const latest = (half: Half): Value | undefined =>
    newestFirst.map((o) => numberOf(half, o)).find((value) => value !== undefined);
  const [systolic, diastolic] = [latest('systolic'), latest('diastolic')];
  const [first] = newestFirst;
  if (!systolic && !diastolic) return first ? [first] : [];
  if (systolic && diastolic) {
    if (systolic.source === diastolic.source) return [systolic.source];
    // A number of a pressure with both is not joined with another one.
    const [whole, part] = isWhole(systolic) ? [systolic, diastolic] : [diastolic, systolic];
    if (isSameTime(systolic.source, diastolic.source))
      return isWhole(whole) ? [whole.source, alone(words, part)] : [made(words, [systolic, diastolic])];
    const at = ({ source }: Value): number => newestFirst.indexOf(source);
    return [systolic, diastolic].sort((a, b) => at(a) - at(b)).map((one) => alone(words, one));
  }
  const one = systolic ?? diastolic;
  return one ? [hasReason(one) ? one.source : alone(words, one)] : [];
}

const isWhole = ({ source }: Value): boolean =>
  numberOf('systolic', source) !== undefined && numberOf('diastolic', source) !== undefined;

/** Returns whether the panel of a number says why it lacks the other one. */
const hasReason = ({ source }: Value): boolean =>
  (source.component ?? []).some((part) => !hasNumber(part) && part.dataAbsentReason !== undefined);

/** Returns a number as an observation of its own: as recorded, or taken from its panel. */
const alone = (words: Words, value: Value): Observation =>
  value.of === value.source ? value.source : made(words, [value]);

const isSameTime = (a: Observation, b: Observation): boolean => {
  const [x, y] = [when(a), when(b)];
  return (
    x !== undefined && y !== undefined && (x === y || (x.includes('T') && y.includes('T') && instant(x) === instant(y)))
  );
};
