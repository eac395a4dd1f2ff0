//! The amounts of a dosage, which DSTU2 and STU3 have beside the timing, and R4 in `doseAndRate`.

import { isObject } from '../shape.ts';
import { type Members, moved, type Step, within, without } from './steps.ts';

/** The amounts by their older names. */
const AMOUNTS: Readonly<Record<string, string>> = {
  doseQuantity: 'doseQuantity',
  doseRange: 'doseRange',
  doseSimpleQuantity: 'doseQuantity',
  quantityQuantity: 'doseQuantity',
  quantityRange: 'doseRange',
  quantity: 'doseQuantity',
  rateRatio: 'rateRatio',
  rateRange: 'rateRange',
  rateQuantity: 'rateQuantity',
  rateSimpleQuantity: 'rateQuantity',
};

function withAmounts(dosage: Members): Members {
  if (Object.hasOwn(dosage, 'doseAndRate')) return dosage;
  const names = Object.keys(AMOUNTS).filter((name) => isObject(dosage[name]));
  if (names.length === 0) return dosage;
  const amounts = Object.fromEntries(names.map((name) => [AMOUNTS[name], dosage[name]]));
  return { ...without(dosage, ...names), doseAndRate: [amounts] };
}

const instructions = moved('additionalInstructions', 'additionalInstruction', (value) =>
  isObject(value) ? [value] : undefined,
);

/** The timing of DSTU2. */
const timing = within(
  'timing',
  within(
    'repeat',
    moved('boundsQuantity', 'boundsDuration'),
    moved('durationUnits', 'durationUnit'),
    moved('periodUnits', 'periodUnit'),
  ),
);

/** The dosages in a list, with their amounts and instructions in the elements of R4. */
export const dosages =
  (name: string): Step =>
  (members) =>
    Array.isArray(members[name]) ? within(name, instructions, timing, withAmounts)(members) : members;
