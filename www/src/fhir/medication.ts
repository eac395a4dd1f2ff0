//! The names of medications.

import { t } from '../language/message.ts';
import { concept } from './text.ts';
import { codeElement, type MedicationDispense, type MedicationRequest, type Resource } from './types.ts';

/** The medication's name: its own code, or that of the contained or included medication, or only the reference. */
export function medication(of: MedicationRequest | MedicationDispense, included: Resource[]): string {
  const named = concept(of.medicationCodeableConcept);
  if (named) return named;
  const { reference: address = '', display } = of.medicationReference ?? {};
  const target = address.startsWith('#')
    ? of.contained?.find(({ id }) => `#${id}` === address)
    : included.find(({ resourceType, id }) => address.endsWith(`${resourceType}/${id}`));
  return concept(codeElement(target)) ?? display ?? (address || t('Medication not named'));
}
