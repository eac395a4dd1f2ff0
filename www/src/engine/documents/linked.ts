//! The links of a Patient to other entries of the same person (<https://hl7.org/fhir/R4/patient.html#link>).

import { type Members, objectsIn, textAt } from './documents.ts';

export interface PatientLink {
  patient: string;
  /** The id of the other Patient. */
  other: string;
  /** The kind of the link, such as `replaces`. */
  type: string;
}

export const linksOf = ({ link }: Members, patient: string): PatientLink[] =>
  objectsIn(link).flatMap((one) => {
    const [, other] =
      /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.*)?$/.exec(textAt(one.other, 'reference')) ?? [];
    return other === undefined || other === patient ? [] : [{ patient, other, type: textAt(one, 'type') }];
  });
