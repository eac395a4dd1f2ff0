//! Divides files into sources. Files that are opened together are one source, in which an id has one meaning. If they
//! contradict each other, each Bundle becomes a source; if resources outside of Bundles do, each file does. The ids of
//! a source get a suffix, so that its references never lead to another source. Two people are joined only if the user
//! says so.

import { type Members, type PlacedResource, type TextDocument, textAt } from '../documents/documents.ts';
import { type Entry, entriesOf, isDeletion } from '../documents/entries.ts';
import { joinedId, type Rename, withIds } from '../documents/ids.ts';
import { digest } from '../text/digest.ts';
import { withParts } from '../text/text-parts.ts';
import { fileDocuments, type Rewrite } from './file-documents.ts';
import type { KnownPerson, NamedFile, SamePeople } from './file-report.ts';

/** The extent of a source: all files; each Bundle, and all resources outside of Bundles; each Bundle and each file. */
const LEVELS = ['all', 'bundles', 'files'] as const;
type Level = (typeof LEVELS)[number];

/** The file and the Bundle of a resource. */
interface Place {
  file: string;
  /** The Bundle, by its file and the lines before it; the empty string outside of Bundles. */
  bundle: string;
}

interface Form extends Place {
  /** The patient that it refers to, and a text of the elements by which forms are compared. */
  who: string;
  about: string;
  /** The FHIR base in its `fullUrl`. */
  base: string;
  /** The `fullUrl` with the place of its Bundle. */
  name: string;
  isHistory: boolean;
  versionId: string;
  lastUpdated: string;
}

type GivenName = Omit<KnownPerson, 'patient' | 'who'>;

/** The elements that distinguish a resource from another one with the same id. */
const ABOUT = [
  ...['name', 'birthDate', 'identifier', 'code', 'medicationCodeableConcept', 'medicationReference', 'vaccineCode'],
  ...['title', 'deviceName', 'description', 'target', 'data', 'effectiveDateTime', 'performedDateTime'],
  ...['occurrenceDateTime', 'authoredOn'],
];

/** The types whose versions may have different names. They belong to no patient. */
const DIRECTORY = new Set(['Practitioner', 'PractitionerRole', 'Organization', 'Location']);

const resourceOf = ({ placed }: Entry): PlacedResource | undefined =>
  placed && !isDeletion(placed) ? placed : undefined;

/** Returns the place of a document's resources. A Bundle of deletions alone counts as outside of Bundles. */
const placeOf = (file: string, { before }: TextDocument, entries: readonly Entry[]): Place => ({
  file,
  bundle: entries.some((entry) => entry.place !== '' && resourceOf(entry)) ? `${file}\n${before}` : '',
});

const aboutOf = (resource: Members): string => JSON.stringify(ABOUT.map((name) => resource[name]));

/** Returns a name for a `fullUrl`, which is valid within its own Bundle only. */
const nameOf = ({ around }: Entry, url: string): string => (url === '' ? '' : `${around} ${url}`);

/** The maximum number of forms of an address that are compared. */
const FORMS = 100;

/** Returns the form of a resource. `patients` has the addresses of the Patients of its document by name. */
function formOf(own: PlacedResource, entry: Entry, place: Place, patients: ReadonlyMap<string, string>): Form {
  const { resource, fullUrl, isHistory } = own;
  const named = textAt(resource.subject, 'reference') || textAt(resource.patient, 'reference');
  const who = ((named && patients.get(nameOf(entry, named))) || named)
    .replace(/\/_history\/.*$/, '')
    .replace(/^.*\/(?=Patient\/)/, '');
  return {
    ...{ ...place, who, base: entry.base, name: nameOf(entry, fullUrl), isHistory },
    about: who + aboutOf(resource),
    ...{ versionId: textAt(resource.meta, 'versionId'), lastUpdated: textAt(resource.meta, 'lastUpdated') },
  };
}

const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;

/** Returns whether two forms of an address are the same resource. Forms of a Patient must agree in all elements. */
function areOne(type: string, a: Form, b: Form): boolean {
  if (differ(a.base, b.base)) return false;
  if (a.about === b.about) return true;
  const areVersions = differ(a.versionId, b.versionId) || differ(a.lastUpdated, b.lastUpdated);
  return areVersions && ((a.who !== '' && a.who === b.who) || DIRECTORY.has(type));
}

/** Returns whether the source itself marks two forms as versions: by a history, or by the same `fullUrl`. */
const areVersionsHere = (a: Form, b: Form): boolean =>
  (a.isHistory && b.isHistory) || (a.name !== '' && a.name === b.name);

export class Sources {
  #level: Level = 'all';
  /** The addresses that several resources of one source share, each after the name of the source. */
  readonly #shared = new Set<string>();
  /** The ids of people to keep, by the ids of the people who are joined to them. */
  readonly #same: ReadonlyMap<string, string>;
  /** The ids and files of people as given, by their ids in the engine. */
  readonly #given = new Map<string, GivenName>();

  private constructor(same: readonly SamePeople[]) {
    this.#same = new Map(same.map(({ kept, other }) => [other.patient, kept.patient]));
  }

  /** Reads the Patients of files and the records of the addresses that have several forms. */
  static async of(
    files: readonly NamedFile[],
    several: ReadonlySet<string>,
    same: readonly SamePeople[],
    rewrites: readonly Rewrite[],
  ): Promise<Sources> {
    const sources = new Sources(same);
    const forms = new Map<string, Form[]>();
    for await (const { file, document } of fileDocuments(files, rewrites)) {
      const entries = entriesOf(document.text);
      const patients = new Map(
        entries.flatMap((entry) => {
          const own = resourceOf(entry);
          return own?.type === 'Patient' ? [[nameOf(entry, own.fullUrl), `Patient/${own.id}`]] : [];
        }),
      );
      const place = placeOf(file, document, entries);
      for (const entry of entries) {
        const own = resourceOf(entry);
        const address = own ? `${own.type}/${own.id}` : '';
        if (!own || !(own.type === 'Patient' || several.has(address))) continue;
        const form = formOf(own, entry, place, patients);
        const known = forms.get(address) ?? [];
        forms.set(address, known);
        // Most forms are equal. One of each kind per place is enough.
        const isKnown = known.some(
          (one) => one.about === form.about && one.base === form.base && placeName(one) === placeName(form),
        );
        if (!isKnown && known.length < FORMS) known.push(form);
      }
    }
    sources.#settle(forms);
    return sources;
  }

  #settle(forms: ReadonlyMap<string, Form[]>): void {
    const patients = [...forms].flatMap(([address, all]) => (address.startsWith('Patient/') ? all : []));
    const [bases, places] = [patients.map(({ base }) => base).filter(Boolean), patients.map(placeName)];
    if (new Set(bases).size > 1 && new Set(places).size > 1) this.#raise('bundles');
    const shared: [Form, string][] = [];
    for (const [address, all] of forms) {
      const [type = ''] = address.split('/');
      if (all.length === FORMS) this.#raise('files');
      for (const [i, a] of all.entries()) {
        for (const b of all.slice(i + 1)) {
          if (areOne(type, a, b)) continue;
          if (placeName(a) !== placeName(b)) this.#raise(a.bundle === '' && b.bundle === '' ? 'files' : 'bundles');
          else if (!areVersionsHere(a, b)) shared.push([a, address]);
        }
      }
    }
    for (const [form, address] of shared) this.#shared.add(`${this.#sourceOf(form)} ${address}`);
  }

  #raise(level: Level): void {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(this.#level)) this.#level = level;
  }

  /** True if the files contradict each other, or if several resources of one source share an id. */
  get areSeveral(): boolean {
    return this.#level !== 'all' || this.#shared.size > 0;
  }

  /** True if any id has to change. */
  get isNeeded(): boolean {
    return this.areSeveral || this.#same.size > 0;
  }

  /** Returns the id and the file of a patient as given. */
  given(patient: string): GivenName | undefined {
    return this.#given.get(patient);
  }

  /** Returns the id of the chart that has a person's records. */
  #kept(patient: string): string {
    const kept = this.#same.get(patient);
    return kept === undefined ? patient : this.#kept(kept);
  }

  #sourceOf({ file, bundle }: Place): string {
    if (this.#level === 'all') return '';
    return bundle || (this.#level === 'files' ? file : '');
  }

  /** Writes the ids of its source into a document. */
  readonly rewrite: Rewrite = (file, document) => {
    const entries = entriesOf(document.text);
    const source = this.#sourceOf(placeOf(file, document, entries));
    const bases = new Set(entries.flatMap(({ base }) => base || []));
    const endingOf = (base: string): string => {
      const name = bases.size > 1 && base !== '' ? `${source} ${base}` : source;
      return name === '' ? '' : digest(name).slice(0, 8);
    };
    const isShared = (type: string, id: string): boolean => this.#shared.has(`${source} ${type}/${id}`);
    const named = (type: string, id: string, ...endings: string[]): string => {
      const made = joinedId(id, endings.filter(Boolean).join('-'));
      if (type !== 'Patient') return made;
      if (!this.#given.has(made)) this.#given.set(made, { id, file });
      return this.#kept(made);
    };
    const ownId = ({ type, id, resource }: PlacedResource, base: string): string => {
      const { subject, patient } = resource;
      const whole = (): string => JSON.stringify([base, subject, patient, aboutOf(resource)]);
      return named(type, id, endingOf(base), isShared(type, id) ? digest(whole()).slice(0, 8) : '');
    };
    const byName = new Map(
      entries.flatMap((entry) => {
        const own = resourceOf(entry);
        return own ? [[nameOf(entry, own.fullUrl), ownId(own, entry.base)]] : [];
      }),
    );
    return withParts(document.text, entries, (entry) => {
      const own = resourceOf(entry);
      const made = own && ownId(own, entry.base);
      const rename: Rename = ({ base, type, id, member }) => {
        if (own && member !== 'reference' && type === own.type && id === own.id) return `${type}/${made}`;
        // A relative reference is below the base of the entry (<https://hl7.org/fhir/R4/bundle.html#references>).
        const below = base.replace(/\/$/, '') || entry.base;
        if (base !== '' && !bases.has(below)) return undefined;
        const meant = below === '' ? undefined : byName.get(nameOf(entry, `${below}/${type}/${id}`));
        return `${type}/${meant ?? named(type, id, endingOf(below), isShared(type, id) ? 'unclear' : '')}`;
      };
      return withIds(entry.text, rename, new Map(own && made ? [[own.id, made]] : []));
    });
  };
}

const placeName = ({ file, bundle }: Place): string => bundle || file;
