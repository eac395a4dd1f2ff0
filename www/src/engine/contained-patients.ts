//! Patients who are contained in the records about them, as in a report that stands alone. Each becomes a Patient of
//! the files, and one and the same where records say the same of them.

import { digest } from './digest.ts';
import { type Members, objectsIn, textAt } from './documents.ts';
import { type Entry, entriesOf } from './entries.ts';
import { entrySpans } from './entry-spans.ts';
import { withParts } from './text-parts.ts';

/** Returns whether a text may have a record about a patient who is contained in it. */
export const mayContainPatient = (text: string): boolean =>
  text.includes('"contained"') && /"reference"\s*:\s*"#/.test(text) && /"resourceType"\s*:\s*"Patient"/.test(text);

/** The Patient that a record contains and is about, with its id there. */
function containedPatient({ contained, subject, patient }: Members): { id: string; patient: Members } | undefined {
  const reference = textAt(subject, 'reference') || textAt(patient, 'reference');
  // Some systems write the sign into the id too.
  const isNamed = (one: Members): boolean => `#${textAt(one, 'id').replace(/^#/, '')}` === reference;
  const found = objectsIn(contained).find((one) => one.resourceType === 'Patient' && isNamed(one));
  return found && { id: reference.slice(1), patient: found };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A document with the contained patients of its records as Patients of its own. */
export function withOwnPatients(text: string): string {
  if (!mayContainPatient(text)) return text;
  const found = new Map<string, Members>();
  const entries = entriesOf(text);
  const written = withParts(text, entries, ({ placed, text: entry }) => {
    const contained = placed && containedPatient(placed.resource);
    if (!contained) return undefined;
    const { id: _, ...patient } = contained.patient;
    const id = digest(JSON.stringify(patient));
    found.set(id, { ...patient, id });
    // Their own subject alone: what else is contained may name the patient as before.
    const about = new RegExp(
      `("(?:subject|patient)"\\s*:\\s*\\{[^{}]*?"reference"\\s*:\\s*)"#${escaped(contained.id)}"`,
      'g',
    );
    return entry.replace(about, (_all, before) => `${before}"Patient/${id}"`);
  });
  return withPatients(written, [...found.values()], isAlone(entries)) ?? text;
}

/** Returns whether the entries of a document are the one resource that the document is. */
export const isAlone = ([first]: readonly Entry[]): boolean => first?.place === '';

/**
 * A document with further Patients. Nothing without one, or where a Bundle has no entry that they could follow.
 * `isOne`: the document is no Bundle, but one resource.
 */
export function withPatients(document: string, all: readonly Members[], isOne: boolean): string | undefined {
  if (all.length === 0) return undefined;
  const patients = all.map((resource) => `{"resource":${JSON.stringify(resource)}}`).join(',');
  if (isOne) {
    return `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${document.trimEnd()}},${patients}]}`;
  }
  const [, last] = [...entrySpans(document)].filter(([place]) => /^Bundle\.entry\[\d+\]$/.test(place)).at(-1) ?? [];
  return last && `${document.slice(0, last[1])},${patients}${document.slice(last[1])}`;
}
