//! The vital signs within one observation: the two numbers of a blood pressure that is a text, and an observation for
//! each sign of a panel of several signs.

import type { Concept, MeasuredValue, Observation } from '../../fhir/types.ts';
import { DIASTOLIC, isVital, SYSTOLIC, vitalCodeMeant } from '../../fhir/vital-codes.ts';
import { kept } from '../../kept.ts';
import { quantityOf } from './measured-number.ts';
import { ofSameSubject, withoutJudgement } from './subject.ts';

/** The code of the panel with both numbers of a blood pressure. */
export const PRESSURE = '85354-9';

const BOTH = /^\s*(\d{2,3})\s*\/\s*(\d{2,3})\s*(mm\s?\[?hg\]?)?\s*$/i;

const coded = (code: string): Concept => ({ coding: [{ system: 'http://loinc.org', code }] });

/** Returns whether a name is `RR`, blood pressure in German and the respiratory rate elsewhere. */
const isRivaRocci = ({ code }: Observation): boolean => /^rr$/i.test(code?.text?.trim() ?? '');

/** Returns the components of an observation, or the two numbers of a blood pressure that is a text such as `148/92`. */
export function partsOf(o: Observation): MeasuredValue[] {
  const [, systolic, diastolic] =
    ((isVital(o.code, PRESSURE) || isRivaRocci(o)) && BOTH.exec(o.valueString ?? '')) || [];
  if (!systolic || !diastolic) return o.component ?? [];
  return [
    [SYSTOLIC[0] ?? '', systolic],
    [DIASTOLIC[0] ?? '', diastolic],
  ].map(([code = '', number]) => ({
    code: coded(code),
    valueQuantity: { value: Number(number), unit: 'mmHg', code: 'mm[Hg]' },
  }));
}

/** Returns whether a component is one number of a blood pressure, or the mean of both. */
const isOfPressure = ({ code }: MeasuredValue): boolean => isVital(code, ...SYSTOLIC, ...DIASTOLIC, '8478-0', '8459-0');

/** Returns the vital signs in an observation: for most, the observation itself. The result is cached. */
export const vitalsIn = kept((o: Observation): Observation[] =>
  !o.component?.length && o.valueString === undefined ? [o] : read(o),
);

/** Returns the code of the rest of a panel: that of a blood pressure, if it is one and the panel has another code. */
const codeOfRest = ({ code }: Observation, others: readonly MeasuredValue[]): { code?: Concept } =>
  others.every(isOfPressure) && !isVital(code, PRESSURE) ? { code: coded(PRESSURE) } : {};

function read(o: Observation): Observation[] {
  const { valueString, component, ...rest } = o;
  const parts = partsOf(o);
  if (valueString !== undefined)
    return parts === component || parts.length === 0 ? [o] : [ofSameSubject(o, { ...rest, component: parts })];
  if (quantityOf(o) || o.valueCodeableConcept) return [o];
  const signs = parts.filter((part) => vitalCodeMeant(part.code) !== undefined && !isOfPressure(part));
  if (signs.length === 0 || parts.length < 2) return [o];
  const others = parts.filter((part) => !signs.includes(part));
  const shared = withoutJudgement(rest);
  return [
    ...signs.map((part) => ofSameSubject(o, { ...shared, ...part })),
    ...(others.length > 0 ? [ofSameSubject(o, { ...rest, ...codeOfRest(o, others), component: others })] : []),
  ];
}
