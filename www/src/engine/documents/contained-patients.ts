//! Patients that are contained in the records about them, as in a standalone report. Each becomes a Patient of its
//! file. Equal contained Patients of a file become one if they have a birth date or an identifier.

import { digest } from '../text/digest.ts';
import { entrySpans } from '../text/entry-spans.ts';
import { withParts } from '../text/text-parts.ts';
import { type Members, objectsIn, type TextDocument, textAt } from './documents.ts';
import { entriesOf } from './entries.ts';

/** Returns whether a text may have a record that contains its own patient. */
export const mayContainPatient = (text: string): boolean =>
  text.includes('"contained"') && /"reference"\s*:\s*"#/.test(text) && /"resourceType"\s*:\s*"Patient"/.test(text);

/** Returns the contained Patient that is the subject of a record, with its id in the record. */
function containedPatient({ contained, subject, patient }: Members): { id: string; patient: Members } | undefined {
  const reference = textAt(subject, 'reference') || textAt(patient, 'reference');
  // Some systems write the `#` into the id too.
  const isNamed = (one: Members): boolean => `#${textAt(one, 'id').replace(/^#/, '')}` === reference;
  const found = objectsIn(contained).find((one) => one.resourceType === 'Patient' && isNamed(one));
  return found && { id: reference.slice(1), patient: found };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Returns a document in which the contained patients of its records are Patients of their own. */
export function withOwnPatients({ text, before }: TextDocument, file: string): string {
  if (!mayContainPatient(text)) return text;
  const found = new Map<string, Members>();
  const entries = entriesOf(text);
  const written = withParts(text, entries, ({ placed, text: entry }) => {
    const contained = placed && containedPatient(placed.resource);
    if (!contained) return undefined;
    const { id: _, ...patient } = contained.patient;
    const isKnown = patient.birthDate !== undefined || patient.identifier !== undefined;
    const id = digest(JSON.stringify([patient, file, ...(isKnown ? [] : [before, placed.place])]));
    found.set(id, { ...patient, id });
    // Only the subject is rewritten: other contained resources may still refer to the contained Patient.
    const about = new RegExp(
      `("(?:subject|patient)"\\s*:\\s*\\{[^{}]*?"reference"\\s*:\\s*)"#${escaped(contained.id)}"`,
      'g',
    );
    return entry.replace(about, (_all, before) => `${before}"Patient/${id}"`);
  });
  if (found.size === 0) return text;
  const patients = [...found.values()].map((resource) => `{"resource":${JSON.stringify(resource)}}`).join(',');
  // The document is a single resource.
  if (entries[0]?.place === '')
    return `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${written.trimEnd()}},${patients}]}`;
  const [, last] = [...entrySpans(written)].filter(([place]) => /^Bundle\.entry\[\d+\]$/.test(place)).at(-1) ?? [];
  return last ? `${written.slice(0, last[1])},${patients}${written.slice(last[1])}` : text;
}
