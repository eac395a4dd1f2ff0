//! Words for opened files.

import type { LoadedFiles } from '../../engine/types.ts';
import { capital, plural } from '../../fhir/text.ts';

/** The name of a resource type in words: `Medication request`. A resource without a type has none. */
export function typeWords(type: string): string {
  const words = type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words ? capital(words) : 'Without a type';
}

/** The number of resources that are held, of how many patients. */
export function heldText({ counts }: LoadedFiles): string {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const { Patient: patients = 0 } = counts;
  return `${plural(all, 'resource')} of ${patients === 0 ? 'no known patient' : plural(patients, 'patient')}`;
}

/** A sentence about resources that came more than once; nothing where none did. */
export function repeatedText({ taken, counts }: LoadedFiles): string | undefined {
  const held = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (taken <= held) return undefined;
  const repeated = taken - held;
  return repeated === 1
    ? '1 resource was replaced or deleted by a later one.'
    : `${repeated.toLocaleString('en')} resources were replaced or deleted by later ones.`;
}
