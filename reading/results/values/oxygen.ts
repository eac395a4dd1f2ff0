//! Oxygen that was given during the measurement of a saturation: a component of it, or a separate observation of the
//! same time. A saturation of 97 % has another meaning with oxygen.

import { factsOf } from '../../fhir/facts.ts';
import { hasCode } from '../../fhir/text.ts';
import { isOfType, type MeasuredValue, type Observation, type Resource } from '../../fhir/types.ts';
import { isVital } from '../../fhir/vital-codes.ts';
import { aboutKey } from '../names/told-apart.ts';
import { quantityOf } from './measured-number.ts';

/**
 * LOINC codes of inhaled oxygen, with the value of room air: a concentration in percent, a flow in any unit. Some
 * systems write 3150-0, which LOINC does not have, for 3150-6.
 */
const OXYGEN = [
  { codes: ['3150-6', '3150-0', '19994-3'], ofAir: 21 },
  { codes: ['3151-8'], ofAir: 0 },
];
const CODES = OXYGEN.flatMap(({ codes }) => codes);

const timeOf = ({ effectiveDateTime, effectivePeriod }: Observation): string =>
  effectiveDateTime ?? effectivePeriod?.start ?? '';

/** Returns the time of an observation with whom it is about: the oxygen of a mother is not that of her child. */
const momentOf = (o: Observation): string => `${timeOf(o)} ${aboutKey(o)}`;

/** Returns the oxygen at the times of the saturations among some records. A date without a time does not count. */
export function oxygenIn(records: readonly Resource[]): ReadonlyMap<Resource, MeasuredValue[]> {
  const beside = new Map<Resource, MeasuredValue[]>();
  const given = new Map<string, MeasuredValue[]>();
  for (const one of records) {
    if (!isOfType('Observation', one) || !hasCode(one.code, ...CODES) || one.status === 'entered-in-error') continue;
    const [time, amount] = [momentOf(one), quantityOf(one)];
    if (!timeOf(one).includes('T') || !amount || !one.code) continue;
    given.set(time, [...(given.get(time) ?? []), { code: one.code, valueQuantity: amount }]);
  }
  if (given.size === 0) return beside;
  for (const one of records) {
    if (!isOfType('Observation', one) || !isVital(one.code, '59408-5', '2708-6')) continue;
    const parts = given.get(momentOf(one)) ?? [];
    const own = (one.component ?? []).some(({ code }) => hasCode(code, ...CODES));
    if (parts.length > 0 && !own) beside.set(one, parts);
  }
  return beside;
}

/** Returns the parts of an observation that follow its value: its components, and separately recorded oxygen. */
export const partsWithOxygen = (o: Observation): readonly MeasuredValue[] => [
  ...(o.component ?? []),
  ...(factsOf(o).oxygen ?? []),
];

/** Returns whether oxygen was given when a saturation was measured. */
export const isOnOxygen = (o: Observation): boolean =>
  partsWithOxygen(o).some((part) =>
    OXYGEN.some(({ codes, ofAir }) => hasCode(part.code, ...codes) && (quantityOf(part)?.value ?? 0) > ofAir),
  );
