//! The records of a patient as they are read, with facts from each other.

import { type Subject, withFacts } from '../fhir/facts.ts';
import { withNames } from '../fhir/reference-names.ts';
import { isOfType, type Patient, type Resource } from '../fhir/types.ts';
import { isolatesIn } from './isolate.ts';
import { oxygenIn } from './oxygen.ts';

/**
 * Returns the records. Observations have their subject, their organism and the oxygen that was given, and references
 * without a display have names, by `named`: by default those of what the records contain.
 */
export function related<T extends Resource>(
  records: readonly T[],
  patient: () => Patient | undefined,
  named: (record: T) => T = withNames,
): T[] {
  let known: { of: Patient; subject: Subject } | undefined;
  // A patient keeps one subject object, so that values that depend on it are cached.
  const subject = (): Subject | undefined => {
    const of = patient();
    if (of && known?.of !== of) known = { of, subject: { sex: of.gender, birth: of.birthDate } };
    return of && known?.subject;
  };
  const isolates = isolatesIn(records.filter((one) => isOfType('Observation', one)));
  const oxygen = oxygenIn(records);
  return records.map((one) => {
    const made = named(one);
    return isOfType('Observation', one)
      ? withFacts(made, { subject, isolate: isolates.get(one), oxygen: oxygen.get(one) })
      : made;
  });
}
