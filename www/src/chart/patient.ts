//! The patient of a chart, as far as the source shows one.

import { concept, hasCode, isUuid } from '#reading/fhir/text.ts';
import { ofType, type Patient } from '#reading/fhir/types.ts';
import { UNKNOWN_PATIENT } from '../engine/claim.ts';
import { t, words } from '../language/message.ts';
import { absentPatients } from '../source/files.ts';
import type { ChartStore } from './store.ts';

/** The read of the patient. */
export const PATIENT = 'Patient/{patient}';

export function patientOf(store: ChartStore): Patient | undefined {
  const state = store.load(PATIENT);
  return state.is === 'loaded' ? ofType('Patient', state.found.matches)[0] : undefined;
}

/** An object identifier: the name of a numbering, and no number of it. */
const OID = /^(?:urn:oid:)?[0-2](?:\.\d+){4,}$/;

/** Returns whether an identifier has a number of a patient: no name of a numbering, and none of who gives care. */
const isOfPatient = ({ system, type, value }: NonNullable<Patient['identifier']>[number]): boolean =>
  Boolean(value) && !OID.test(value ?? '') && !hasCode(type, 'NPI') && !/us-npi$/.test(system ?? '');

/** The number under which the record keeper files the patient: the medical record number, or else the first. */
export function recordNumber(p: Patient): { label: string; value: string } | undefined {
  const all = (p.identifier ?? []).filter(isOfPatient);
  const record = all.find(({ type }) => hasCode(type, 'MR')) ?? all[0];
  return record?.value
    ? { label: concept(words(), record.type) ?? t('Record number'), value: record.value }
    : undefined;
}

/** Returns whether own files have records of the patient, and no Patient. */
export const isAbsent = ({ source, patient }: ChartStore): boolean =>
  source.name === 'files' && absentPatients().includes(patient);

/** The name of a patient of whom there is no Patient. */
export function absentName(patient: string): string {
  if (patient === UNKNOWN_PATIENT) return t('Unknown patient');
  return isUuid(patient) ? t('Patient') : t('Patient {id}', { id: patient });
}

/** Returns whether the source shows nothing of the patient, so that nothing else need be asked. */
export function isMissing(store: ChartStore): boolean {
  const state = store.load(PATIENT);
  return state.is === 'failed' && [401, 403, 404, 410].includes(state.exchange?.status ?? 0) && !isAbsent(store);
}
