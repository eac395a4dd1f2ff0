// Builders for demographics: identifiers, names, addresses, and the US Core extensions for race, ethnicity, tribe, sex
// and the need for an interpreter.

import { concept, extension, hl7, profiled } from './build.mjs';
import { race as groups } from './codes.mjs';

const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/';
const part = (url, value) =>
  extension(url, typeof value === 'string' ? { valueString: value } : { valueCoding: value });

/** Returns a patient who is marked as a test patient. */
export const patient = (id, fields) => {
  const { meta, ...rest } = profiled('Patient', 'us-core-patient', id, { active: true, ...fields });
  return { ...rest, meta: { ...meta, tag: [testData] } };
};

const testData = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason',
  code: 'HTEST',
  display: 'test health data',
};

/** race('Black or African American', [group], [detail]). */
export const race = (text, groups = [], details = []) =>
  extension(`${CORE}us-core-race`, {
    extension: [
      ...groups.map((code) => part('ombCategory', code)),
      ...details.map((code) => part('detailed', code)),
      part('text', text),
    ],
  });

export const notHispanic = ethnicity(groups.notHispanic.display, groups.notHispanic);

export function ethnicity(text, group, details = []) {
  return extension(`${CORE}us-core-ethnicity`, {
    extension: [
      ...(group ? [part('ombCategory', group)] : []),
      ...details.map((code) => part('detailed', code)),
      part('text', text),
    ],
  });
}

export const tribalAffiliation = (tribe, enrolled) =>
  extension(`${CORE}us-core-tribal-affiliation`, {
    extension: [
      extension('tribalAffiliation', { valueCodeableConcept: concept(tribe) }),
      extension('isEnrolled', { valueBoolean: enrolled }),
    ],
  });

const birthsex = (valueCode) => extension(`${CORE}us-core-birthsex`, { valueCode });
const recordedSex = (valueCode) => extension(`${CORE}us-core-sex`, { valueCode });
export const female = [birthsex('F'), recordedSex('248152002')];
export const male = [birthsex('M'), recordedSex('248153007')];
export const sexUnknown = [birthsex('UNK')];

export const genderIdentity = (...parts) =>
  extension(`${CORE}us-core-genderIdentity`, { valueCodeableConcept: concept(...parts) });

/** Returns the extension for a patient or a visit. */
export const interpreterNeeded = (valueCoding) => extension(`${CORE}us-core-interpreter-needed`, { valueCoding });

export const mrn = (organization, value) => ({
  use: 'usual',
  type: hl7('v2-0203', 'MR', 'Medical record number'),
  system: `https://${organization.id}.example.org/mrn`,
  value,
});

/** Returns an official name, whose last word is the family's. */
export const official = (text, more) => {
  const given = text.split(' ');
  return { use: 'official', text, family: given.pop(), given, ...more };
};

export const phone = (value, use) => ({ system: 'phone', value, use });
export const email = (value, use = 'home') => ({ system: 'email', value, use });
export const home = (line, city, postalCode, period, more) => ({
  use: 'home',
  line: [line].flat(),
  city,
  state: 'VT',
  postalCode,
  country: 'US',
  period,
  ...more,
});

/** Returns the languages of a patient, the preferred one first. */
export const speaks = (preferred, ...others) => [
  { language: concept(preferred), preferred: true },
  ...others.map((language) => ({ language: concept(language) })),
];
