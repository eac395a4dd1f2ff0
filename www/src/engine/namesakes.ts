//! Records of one id that are no versions of one record: files of several sources often count from 1. Each of them is
//! kept, the later ones with an id of their own, and references go to the one of their document, or of their patient.

import { isObject } from '../shape.ts';
import { digest } from './digest.ts';
import { type Members, type PlacedResource, textAt } from './documents.ts';
import { type Entry, entriesOf } from './entries.ts';
import { entryWithIds, resourceOf, withId } from './entry-ids.ts';
import { fileDocuments, type Rewrite } from './file-documents.ts';
import type { FilePlace, NamedFile } from './file-report.ts';
import { type Address, joinedId } from './ids.ts';
import { spaceOf } from './space-of.ts';
import { withParts } from './text-parts.ts';

/** A form of a record, as far as it tells whether it is a version of another one. */
export interface Form {
  space: string;
  /** The patient whom it names; the empty text where it names none. */
  patient: string;
  /** The codes and the words for what it is about. */
  about: Set<string>;
  /** The day on which it was made or done. */
  day: string;
  versionId: string;
  lastUpdated: string;
  /** True in the history of a server, where each form is a version. */
  isHistory: boolean;
}

/** The elements that say what a resource is about, of which the first counts. */
const ABOUT = [
  'code',
  'medicationCodeableConcept',
  'medicationReference',
  'vaccineCode',
  'name',
  'title',
  'deviceName',
  'type',
  'class',
  'description',
];
/** The elements with the time at which something was done, of which the first counts. */
const TIMES = [
  'effectiveDateTime',
  'effectivePeriod',
  'effectiveInstant',
  'performedDateTime',
  'performedPeriod',
  'occurrenceDateTime',
  'authoredOn',
  'whenHandedOver',
  'period',
  'date',
];

const folded = (text: string): string => text.toLowerCase().replace(/[\p{P}\s]+/gu, ' ');

/** The codes and the words of an element, whatever its type is. */
function wordsOf(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value === 'string') into.add(folded(value));
  else if (Array.isArray(value)) for (const one of value) wordsOf(one, into);
  else if (isObject(value)) {
    const [code, reference] = [textAt(value, 'code'), textAt(value, 'reference')];
    if (code !== '') into.add(`${textAt(value, 'system')}|${code}`);
    if (reference !== '') into.add(reference);
    for (const name of ['text', 'display', 'family', 'given', 'coding', 'name']) wordsOf(value[name], into);
  }
  return into;
}

/** The `Type/id` of the Patients of a document by their `fullUrl`, behind the place of their Bundle. */
type Patients = ReadonlyMap<string, string>;

const patientsIn = (entries: readonly Entry[]): Patients =>
  new Map(
    entries.flatMap(({ placed, around }): [string, string][] =>
      placed?.type === 'Patient' && placed.fullUrl !== '' && placed.id !== ''
        ? [[`${around} ${placed.fullUrl}`, `Patient/${placed.id}`]]
        : [],
    ),
  );

/** The last part of the address of a patient. What names one within a Bundle has no meaning outside of it. */
const patientIn = (resource: Members, around: string, patients: Patients): string => {
  const named = [resource.subject, resource.patient].map((one) => textAt(one, 'reference')).find(Boolean) ?? '';
  return (patients.get(`${around} ${named}`) ?? named).replace(/\/_history\/.*$/, '').replace(/^.*\/(?=Patient\/)/, '');
};

/** The form of a resource of a space. `around`: the place of its Bundle, whose `patients` are known. */
export function formOf(
  { resource, isHistory }: Pick<PlacedResource, 'resource' | 'isHistory'>,
  space: string,
  around = '',
  patients: Patients = new Map(),
): Form {
  const about = ABOUT.map((name) => wordsOf(resource[name])).find(({ size }) => size > 0) ?? new Set();
  const times = TIMES.map((name) => {
    const { [name]: time } = resource;
    return typeof time === 'string' ? time : textAt(time, 'start');
  });
  return {
    ...{
      space,
      patient: patientIn(resource, around, patients),
      about,
      day: times.find(Boolean)?.slice(0, 10) ?? '',
      isHistory,
    },
    ...{ versionId: textAt(resource.meta, 'versionId'), lastUpdated: textAt(resource.meta, 'lastUpdated') },
  };
}

const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;

/** Returns whether nothing that two forms are about tells them apart. A day may be less exact in one of them. */
function areAlike(a: Form, b: Form): boolean {
  if (a.about.size > 0 && b.about.size > 0 && ![...a.about].some((word) => b.about.has(word))) return false;
  const length = Math.min(a.day.length, b.day.length);
  return !differ(a.day.slice(0, length), b.day.slice(0, length));
}

/** Returns whether two forms say that they are versions: another time of change under one number is another server. */
const areMarked = (a: Form, b: Form): boolean =>
  differ(a.versionId, b.versionId) || (differ(a.lastUpdated, b.lastUpdated) && !(a.versionId && b.versionId));

/**
 * Returns whether two forms of one address are versions of one record. A record that names another patient than before
 * was corrected within one file, or stayed the same otherwise.
 */
export function areVersions(a: Form, b: Form): boolean {
  const isOneSpace = a.space === b.space;
  const isHistory = isOneSpace && a.isHistory && b.isHistory;
  if (differ(a.patient, b.patient)) return isHistory || (areMarked(a, b) && (isOneSpace || areAlike(a, b)));
  return isHistory || areMarked(a, b) || areAlike(a, b);
}

/** One of several records of an address. */
interface OneRecord {
  forms: Form[];
  id: string;
  place: FilePlace;
}

/** A record that was given another id, since another one has it too. */
export interface Namesake extends FilePlace {
  type: string;
  id: string;
  /** The id that it has in its file. */
  given: string;
}

export class Namesakes {
  /** The records of each address that several have. */
  readonly #records = new Map<string, OneRecord[]>();

  /** Reads files for the records of some addresses, each of which has several forms. */
  static async of(
    files: NamedFile[],
    addresses: ReadonlySet<string>,
    rewrites: readonly Rewrite[],
  ): Promise<Namesakes> {
    const namesakes = new Namesakes();
    if (addresses.size === 0) return namesakes;
    for await (const { file, document } of fileDocuments(files, rewrites)) {
      const entries = entriesOf(document.text);
      const patients = patientsIn(entries);
      for (const entry of entries) {
        const placed = resourceOf(entry);
        if (!placed || !addresses.has(`${placed.type}/${placed.id}`)) continue;
        const space = spaceOf(file, document, placed);
        const at = { file, line: document.before + 1, ...(placed.place ? { place: placed.place } : {}) };
        namesakes.#note(placed, formOf(placed, space, entry.around, patients), at);
      }
    }
    for (const [address, records] of namesakes.#records) if (records.length < 2) namesakes.#records.delete(address);
    return namesakes;
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** The records that were given other ids. */
  get all(): Namesake[] {
    return [...this.#records].flatMap(([address, [, ...others]]) => {
      const [type = '', given = ''] = address.split('/');
      return others.map(({ id, place }) => ({ type, id, given, ...place }));
    });
  }

  #note({ type, id }: PlacedResource, form: Form, place: FilePlace): void {
    const address = `${type}/${id}`;
    const records = this.#records.get(address) ?? [];
    this.#records.set(address, records);
    const known = records.find(({ forms }) => forms.some((one) => areVersions(one, form)));
    if (known) {
      known.forms.push(form);
      return;
    }
    const ending = digest(`${address} ${form.space} ${form.patient} ${records.length}`).slice(0, 8);
    records.push({ forms: [form], id: records.length === 0 ? id : joinedId(id, ending), place });
  }

  /** A document in which each record has an id of its own. */
  readonly rewrite: Rewrite = (file, document) => {
    const entries = entriesOf(document.text);
    const patients = patientsIn(entries);
    return withParts(document.text, entries, (entry) =>
      this.#rewritten(entry, spaceOf(file, document, entry), patients),
    );
  };

  #rewritten(entry: Entry, space: string, patients: Patients): string {
    const own = resourceOf(entry);
    const form = own && formOf(own, space, entry.around, patients);
    return entryWithIds(entry, form && this.#ownId(own, form), (address) =>
      withId(address, this.#meant(address, space, form?.patient ?? '')),
    );
  }

  #ownId({ type, id }: PlacedResource, form: Form): string | undefined {
    const records = this.#records.get(`${type}/${id}`);
    return records?.find(({ forms }) => forms.some((one) => isSame(one, form)))?.id;
  }

  /** The id of the record that a reference means; one that nobody has where that is not clear. */
  #meant({ type, id }: Address, space: string, patient: string): string | undefined {
    const records = this.#records.get(`${type}/${id}`);
    if (!records) return undefined;
    const has = (check: (form: Form) => boolean) => (one: OneRecord) => one.forms.some(check);
    const here = records.filter(has((form) => form.space === space));
    if (here.length === 1) return here[0]?.id;
    const inReach = here.length > 0 ? here : records;
    const ofPatient = inReach.filter(has((form) => patient !== '' && form.patient === patient));
    return ofPatient.length === 1 ? ofPatient[0]?.id : joinedId(id, 'unclear');
  }
}

const isSame = (a: Form, b: Form): boolean =>
  a.space === b.space &&
  a.patient === b.patient &&
  a.versionId === b.versionId &&
  a.lastUpdated === b.lastUpdated &&
  a.day === b.day &&
  a.about.size === b.about.size &&
  [...a.about].every((word) => b.about.has(word));
