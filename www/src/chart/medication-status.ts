//! The status of a record of a medication in words, where it is not the usual one.

import { modifierText } from '../fhir/certainty.ts';
import { administrationStatus, type MedicationRecord, requestStatus, statementStatus } from '../fhir/request-state.ts';
import { isEnteredInError, plain } from '../fhir/text.ts';
import { t } from '../language/message.ts';

/** The usual statuses, which go without saying. */
const USUAL: Readonly<Record<MedicationRecord['resourceType'], string>> = {
  MedicationRequest: 'active',
  MedicationStatement: 'active',
  MedicationAdministration: 'completed',
};

const codesOf = (record: MedicationRecord): string | undefined => {
  if (record.resourceType === 'MedicationRequest') return requestStatus(record);
  return record.resourceType === 'MedicationStatement' ? statementStatus(record) : administrationStatus(record);
};

/** The status in words, where it is not the usual one, and what changes the meaning of the record. */
export function statusOf(record: MedicationRecord): string | undefined {
  if (isEnteredInError(record)) return 'entered-in-error';
  const codes = (codesOf(record) ?? '')
    .split(', ')
    .filter((code) => code !== '' && code !== USUAL[record.resourceType]);
  const words = [
    ...(record.status === undefined ? [t('status unknown')] : []),
    ...codes.map((code) => (code === 'unknown' ? t('status unknown') : plain(code))),
    modifierText(record),
  ];
  return words.filter(Boolean).join(', ') || undefined;
}
