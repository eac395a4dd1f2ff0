//! The modifier elements of a Patient (<https://hl7.org/fhir/R4/patient.html>): the record may be one not to use, or be
//! about an animal.

import { modifierText } from '../fhir/certainty.ts';
import { textAt, valuesAt } from '../fhir/element-text.ts';
import type { Patient } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { own } from '../own.ts';

/** The links that say which other record is to be used. */
const LINKS = {
  'replaced-by': 'Replaced by another record: {name}',
  replace: 'Replaced by another record: {name}',
  refer: 'Another record is to be used too: {name}',
} as const;

const extensionsAt = (of: unknown, url: string): unknown[] =>
  valuesAt(of, 'extension').filter((one) => valuesAt(one, 'url').some((said) => String(said).endsWith(url)));

/** Returns the facts about an animal: the extension of R4, and the modifier element of DSTU2 and STU3. */
const animalFacts = (patient: Patient): unknown[] => [
  ...valuesAt(patient, 'animal'),
  ...extensionsAt(patient, '/patient-animal'),
];

/** Returns whether a Patient is an animal, to which no range of people applies. */
export const isAnimal = (patient: Patient): boolean => animalFacts(patient).length > 0;

/** Returns why a Patient is not the record to use, not alone, or no person, in words; an empty list for a usual one. */
export const notInUse = (words: Words, patient: Patient): string[] => [
  ...(valuesAt(patient, 'active').some((active) => String(active) === 'false')
    ? [words.t('This record is not in use')]
    : []),
  ...valuesAt(patient, 'link').flatMap((link) => {
    const says = own(LINKS, String(valuesAt(link, 'type')[0]));
    return says ? words.t(says, { name: textAt(words, link, 'other') ?? words.t('Not named') }) : [];
  }),
  ...animalFacts(patient).map((animal) => {
    const [said] = extensionsAt(animal, 'species');
    const name = textAt(words, animal, 'species') ?? textAt(words, said, 'valueCodeableConcept');
    return words.t('Animal: {species}', { species: name ?? words.t('Not named') });
  }),
  ...[modifierText(words, patient) ?? []].flat(),
];
