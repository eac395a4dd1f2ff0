//! The patient of a chart, if the source shows one.

import { unnamed } from '#reading/fhir/absent-words.ts';
import { age, instant } from '#reading/fhir/date.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { absentReason } from '#reading/fhir/loose.ts';
import { byUse, concept, hasCode, isOld, isUuid, nameOf, withUse } from '#reading/fhir/text.ts';
import { ofType, type Patient } from '#reading/fhir/types.ts';
import { absent } from '#reading/results/values/reading.ts';
import { UNKNOWN_PATIENT } from '../engine/documents/claim.ts';
import { t, words } from '../language/message.ts';
import { absentPatients } from '../source/files.ts';
import type { ChartStore } from './loading/store.ts';

/** The query that reads the patient. */
export const PATIENT = 'Patient/{patient}';

export const patientOf = (store: ChartStore): Patient | undefined => ofType('Patient', store.found(PATIENT))[0];

/** An object identifier (OID). It names a system of identifiers and is no identifier of a patient. */
const OID = /^(?:urn:oid:)?[0-2](?:\.\d+){4,}$/;

/** Returns whether an identifier may identify a patient: its value is no OID, and it is no provider number (NPI). */
const isOfPatient = ({ system, type, value }: NonNullable<Patient['identifier']>[number]): boolean =>
  Boolean(value) && !OID.test(value ?? '') && !hasCode(type, 'NPI') && !/us-npi$/.test(system ?? '');

/** Returns the medical record number, or else the first identifier of the patient; an old one only without another. */
export function recordNumber(p: Patient): { label: string; value: string } | undefined {
  const all = byUse((p.identifier ?? []).filter(isOfPatient));
  const inUse = all.filter((one) => !isOld(one));
  const among = inUse.length > 0 ? inUse : all;
  const record = among.find(({ type }) => hasCode(type, 'MR')) ?? among[0];
  if (!record?.value) return undefined;
  const label = words().translated(concept(words(), record.type) ?? t('Record number'));
  return { label: withUse(words(), label, record) ?? label, value: record.value };
}

/** Returns the age, of the dead at death; `undefined` if it cannot be known, such as that of a death without a date. */
export function ageOf({ birthDate, deceasedDateTime, deceasedBoolean }: Patient, now: number): string | undefined {
  const at = deceasedDateTime ? instant(deceasedDateTime) : deceasedBoolean ? undefined : now;
  if (at === undefined) return undefined;
  return age(words(), birthDate, new Date(at)) ?? (birthDate ? undefined : t('unknown#age'));
}

export const patientName = ({ name }: Pick<Patient, 'name'>): string =>
  nameOf(name) ?? unnamed(words(), t('Unnamed patient'), name);

/** Returns in words why a patient has no value of an element. */
export function missingText(p: Patient, name: 'gender' | 'birthDate'): string {
  const code = absentReason(valuesAt(p, `_${name}`)[0]);
  return (code && absent(words(), { dataAbsentReason: { coding: [{ code }] } })) || t('not recorded');
}

/** Returns whether the user's own files have records of the patient but no Patient resource. */
export const isAbsent = ({ source, patient }: ChartStore): boolean =>
  source.name === 'files' && absentPatients().includes(patient);

/** Returns a name for a patient without a Patient resource. */
export function absentName(patient: string): string {
  if (patient === UNKNOWN_PATIENT) return t('Unknown patient');
  return isUuid(patient) ? t('Patient') : t('Patient {id}', { id: patient });
}

/** Returns whether the source shows nothing of the patient, so that no other request is needed. */
export function isMissing(store: ChartStore): boolean {
  const state = store.load(PATIENT);
  return state.is === 'failed' && [401, 403, 404, 410].includes(state.exchange?.status ?? 0) && !isAbsent(store);
}
