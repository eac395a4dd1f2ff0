//! The records of a patient as they are read: with what they tell of each other.

import { withNames } from '../fhir/contained-names.ts';
import { type Subject, withFacts } from '../fhir/facts.ts';
import { isOfType, type Patient, type Resource } from '../fhir/types.ts';
import { isolatesIn } from './isolate.ts';
import { oxygenIn } from './oxygen.ts';

/**
 * The records, in which the observations have their subject, their organism and the oxygen that was given, and the
 * references to what a record contains have names.
 */
export function related<T extends Resource>(records: readonly T[], patient: () => Patient | undefined): T[] {
  let known: { of: Patient; subject: Subject } | undefined;
  // A patient keeps one subject, so that what depends on it is made once.
  const subject = (): Subject | undefined => {
    const of = patient();
    if (of && known?.of !== of) known = { of, subject: { sex: of.gender, birth: of.birthDate } };
    return of && known?.subject;
  };
  const isolates = isolatesIn(records.filter((one) => isOfType('Observation', one)));
  const oxygen = oxygenIn(records);
  return records.map((one) => {
    const named = withNames(one);
    return isOfType('Observation', one)
      ? withFacts(named, { subject, isolate: isolates.get(one), oxygen: oxygen.get(one) })
      : named;
  });
}
