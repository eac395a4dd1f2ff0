//! The records of a patient as they are read, with facts from each other.

import { factsOf, type Subject, withFacts } from '../fhir/facts.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { withNames } from '../fhir/reference-names.ts';
import { isOfType, type Observation, type Patient, type Resource } from '../fhir/types.ts';
import { isAnimal } from '../people/in-use.ts';
import { panelAfter, panelsByMember } from './names/told-apart.ts';
import { isolatesIn } from './panels/isolate.ts';
import { oxygenIn } from './values/oxygen.ts';

/**
 * Returns the records. Observations have their subject, their panel, their organism and the oxygen that was given, and
 * references without a display have names, by `named`: by default those of what the records contain.
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
    if (of && known?.of !== of)
      known = { of, subject: { sex: of.gender, birth: of.birthDate, isAnimal: isAnimal(of) } };
    return of && known?.subject;
  };
  const observations = records.filter((one) => isOfType('Observation', one));
  const isolates = isolatesIn(observations);
  const oxygen = oxygenIn(records);
  const panels = panelsByMember(observations);
  const addresses = new Set(observations.map(recordAddress));
  const made = new Map<string, Observation>();
  return records.map((one) => {
    const record = named(one);
    if (!isOfType('Observation', record) || !isOfType('Observation', one)) return record;
    const address = recordAddress(one);
    const panel = panels.get(address);
    const known = withFacts(record, {
      subject,
      isolate: isolates.get(one),
      oxygen: oxygen.get(one),
      hasParts: one.hasMember?.some(({ reference }) => addresses.has(referredAddress(reference))),
      panel: panel ? panelAfter(factsOf(one).panel?.(), () => made.get(recordAddress(panel))) : factsOf(one).panel,
    });
    made.set(address, known);
    return known;
  });
}
