// The words of a Dosage that must appear beside its medication: its text, or else its amounts. The words of a structure
// have a table of their own (reading/medications/dosage.cases.tsv).

import { said, saidQuantity } from './entry.mjs';
import { list } from './words.mjs';

const amounts = ({ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio }) =>
  saidQuantity(
    ...[doseQuantity, doseRange?.low, doseRange?.high],
    ...[rateQuantity, rateRange?.low, rateRange?.high, rateRatio?.numerator],
  );

export function doseFacts(dosage) {
  if (typeof dosage !== 'object' || dosage === null) return [];
  const text = said(dosage.text);
  return text.length > 0 ? text : [...list(dosage.doseAndRate), dosage].flatMap(amounts);
}

export const dosagesOf = ({ resourceType, dosageInstruction, dosage }) =>
  resourceType === 'MedicationAdministration'
    ? list(dosage).map(({ dose, ...rest }) => ({ ...rest, doseQuantity: dose }))
    : list(dosageInstruction ?? dosage);
