//! The user of a session, by the claim `fhirUser`, and what they may see
//! (<https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html>).

import type { Session } from './session.ts';

/** Returns the `Type/id` of the user's own record, or nothing if the session does not share it. */
export const userAddress = ({ fhirUser }: Pick<Session, 'fhirUser'>): string | undefined =>
  /(?:^|\/)((?:Patient|Practitioner|PractitionerRole|RelatedPerson|Person)\/[A-Za-z0-9.-]{1,64})$/.exec(
    fhirUser ?? '',
  )?.[1];

/**
 * Returns whether a session is about one patient: the user is that patient, or no scope opens the records of others. It
 * has no other patients to choose from.
 */
export function isOfOnePatient(session: Pick<Session, 'fhirUser' | 'scope'>): boolean {
  if (userAddress(session)?.startsWith('Patient/')) return true;
  const levels = session.scope.split(/\s+/).map((scope) => /^(patient|user|system)\//.exec(scope)?.[1]);
  return levels.includes('patient') && !levels.includes('user') && !levels.includes('system');
}
