//! The modifier elements of a Patient (<https://hl7.org/fhir/R4/patient.html>): the record may be one not to use.

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

/** Returns why a Patient is not the record to use, or not alone, in words; an empty list for a usual one. */
export const notInUse = (words: Words, patient: Patient): string[] => [
  ...(valuesAt(patient, 'active').some((active) => String(active) === 'false')
    ? [words.t('This record is not in use')]
    : []),
  ...valuesAt(patient, 'link').flatMap((link) => {
    const says = own(LINKS, String(valuesAt(link, 'type')[0]));
    return says ? words.t(says, { name: textAt(words, link, 'other') ?? words.t('Not named') }) : [];
  }),
  ...[modifierText(words, patient) ?? []].flat(),
];
