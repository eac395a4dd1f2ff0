//! The parts of files in which an id has one meaning: a Bundle, or a file of resources by line. Where two people have
//! one id, the ids of one of them are made others, so that nothing of the two comes together. A record that may be of
//! either is of neither: its patient gets an id that nobody has.

import { digest } from './digest.ts';
import type { PlacedResource, TextDocument } from './documents.ts';
import { type Entry, entriesOf } from './entries.ts';
import { entryWithIds, resourceOf, withId } from './entry-ids.ts';
import { fileDocuments, type Rewrite } from './file-documents.ts';
import type { NamedFile } from './file-report.ts';
import { type Address, joinedId, withIds } from './ids.ts';
import type { People } from './people.ts';
import { spaceOf } from './space-of.ts';
import { withParts } from './text-parts.ts';

interface IdSpace {
  name: string;
  /** A digest of its name. */
  short: string;
  /** The ending of what may be of several people. */
  unclear: string;
  /** What is added to the ids of its resources, by their addresses: several endings, with spaces between them. */
  endings: Map<string, string>;
  /** The addresses of resources that name nobody of a shared id. */
  neutral: Set<string>;
  /** The endings of the others. */
  told: Set<string>;
  /** The numbers of the people of shared ids whom it has. */
  people: Map<string, Set<number>>;
  /** The Patients of all lines, in a file of lines. */
  ofLines?: Known;
}

/** A Patient of a shared id, within a document. */
interface KnownPatient {
  at: number;
  /** The FHIR base of its address. */
  base: string;
  fullUrl: string;
  /** The place of its Bundle. */
  around: string;
}

/** The Patients of shared ids in a document, by id. */
type Known = ReadonlyMap<string, KnownPatient[]>;

/** The patient of records of whom it is not clear which person of an id they mean. */
export interface UnclearPatient {
  /** The shared id. */
  id: string;
  space: string;
}

const addressOf = ({ type, id }: { type: string; id: string }): string => `${type}/${id}`;

export class IdSpaces {
  /** The patients of records that are unclear, by the ids that they were given. */
  readonly unclear = new Map<string, UnclearPatient>();
  readonly #people: People;
  readonly #shared: ReadonlySet<string>;
  readonly #all = new Map<string, IdSpace>();
  readonly #byAddress = new Map<string, IdSpace[]>();
  /** What is added to the ids of people, by id and number: a digest of what is known of them. */
  readonly #suffixes = new Map<string, string>();

  private constructor(people: People) {
    this.#people = people;
    this.#shared = people.sharedIds;
  }

  /** Reads files for the addresses in their spaces. */
  static async of(files: NamedFile[], people: People, rewrites: readonly Rewrite[]): Promise<IdSpaces> {
    const spaces = new IdSpaces(people);
    for await (const { file, document } of fileDocuments(files, rewrites)) spaces.#note(file, document);
    spaces.#settle();
    return spaces;
  }

  /** The id that a person of a shared id has. */
  patientId(id: string, at: number): string {
    return joinedId(id, this.#suffix(id, at));
  }

  #suffix(id: string, at: number): string {
    const key = `${id} ${at}`;
    const suffix = this.#suffixes.get(key) ?? this.#people.suffix(id, at);
    this.#suffixes.set(key, suffix);
    return suffix;
  }

  /** A document with the ids of its space. */
  readonly rewrite: Rewrite = (file, document) => {
    const entries = entriesOf(document.text);
    const [first] = entries;
    if (!first) return document.text;
    const space = this.#space(spaceOf(file, document, first));
    const known = this.#known(entries, space);
    return withParts(document.text, entries, (entry) => this.#rewritten(entry, space, known));
  };

  #space(name: string): IdSpace {
    const known = this.#all.get(name);
    if (known) return known;
    const short = digest(name).slice(0, 8);
    const space = {
      ...{ name, short, unclear: `unclear-${short}` },
      ...{ endings: new Map(), neutral: new Set<string>(), told: new Set<string>(), people: new Map() },
    };
    this.#all.set(name, space);
    return space;
  }

  /** The Patients of shared ids in a document. In a file of lines those of all lines, none of which has an address. */
  #known(entries: Entry[], space: IdSpace): Known {
    const [first] = entries;
    if (first?.place === '') {
      const has = (id: string): KnownPatient[] =>
        this.#people.in(id, space.name).map((at) => ({ at, base: '', fullUrl: '', around: '' }));
      space.ofLines ??= new Map(
        [...this.#shared].map((id) => [id, has(id)] as const).filter(([, all]) => all.length > 0),
      );
      return space.ofLines;
    }
    const known = new Map<string, KnownPatient[]>();
    for (const entry of entries) {
      const patient = this.#sharedPatient(entry);
      const at = patient ? this.#people.of(patient) : -1;
      if (!patient || at < 0) continue;
      const { id, fullUrl } = patient;
      const one = { at, base: entry.base, fullUrl, around: entry.around };
      known.set(id, [...(known.get(id) ?? []), one]);
    }
    return known;
  }

  /** The Patient of an entry whose id several people have. */
  #sharedPatient(entry: Entry): PlacedResource | undefined {
    const own = resourceOf(entry);
    return own?.type === 'Patient' && this.#shared.has(own.id) ? own : undefined;
  }

  /** Notes the addresses of a document, and whom its resources name. */
  #note(file: string, document: TextDocument): void {
    const entries = entriesOf(document.text);
    const [first] = entries;
    if (!first) return;
    const space = this.#space(spaceOf(file, document, first));
    const known = this.#known(entries, space);
    if (space.people.size === 0) {
      for (const [id, all] of known) space.people.set(id, new Set(all.map(({ at }) => at)));
    }
    for (const entry of entries) {
      const own = resourceOf(entry);
      const ending = this.#endingOf(entry, space, known);
      if (!own) continue;
      const address = addressOf(own);
      const all = this.#byAddress.get(address) ?? [];
      if (all.at(-1) !== space) all.push(space);
      this.#byAddress.set(address, all);
      if (own.type === 'Patient' && !this.#shared.has(own.id)) space.endings.set(address, '');
      else if (ending === undefined) space.neutral.add(address);
      else {
        space.told.add(ending);
        addEnding(space, address, ending);
      }
    }
  }

  /** Gives the resources that name nobody the ending of the others of their space. */
  #settle(): void {
    for (const space of this.#all.values()) {
      const ending = neutralEnding(space);
      for (const address of space.neutral) addEnding(space, address, ending);
    }
  }

  /** The number of the person whom a reference means; nothing where that is not clear, and -1 where it is nobody's. */
  #personOf({ base, id }: Address, entry: Entry, known: Known): number | undefined {
    const ofId = known.get(id) ?? [];
    const depth = Math.max(-1, ...ofId.map(({ around }) => (isWithin(entry.around, around) ? around.length : -1)));
    const near = ofId.filter(({ around }) => around.length === depth && isWithin(entry.around, around));
    const inReach = near.length > 0 ? near : ofId;
    const wanted = base ? base.replace(/\/$/, '') : entry.base;
    let people = new Set(inReach.filter((one) => wanted === '' || one.base === wanted).map(({ at }) => at));
    if (people.size === 0) {
      // The Patient is elsewhere, or has no address.
      const elsewhere = this.#people.at(id, wanted);
      people = new Set(inReach.filter((one) => one.base === '').map(({ at }) => at));
      if (wanted !== '' && elsewhere !== undefined) people.add(elsewhere);
    }
    const [only] = people;
    if (people.size === 1) return only;
    return people.size === 0 && base !== '' ? -1 : undefined;
  }

  #unclearId(id: string, { name, unclear }: IdSpace): string {
    const made = joinedId(id, unclear);
    this.unclear.set(made, { id, space: name });
    return made;
  }

  /** The ending for the id of a resource, by whom it names; nothing where it names nobody of a shared id. */
  #endingOf(entry: Entry, space: IdSpace, known: Known): string | undefined {
    const { text } = entry;
    const patient = this.#sharedPatient(entry);
    if (patient) {
      const at = this.#people.of(patient);
      // A Patient that says too little is of nobody known, as are the records beside it.
      if (at < 0) this.#unclearId(patient.id, space);
      return at < 0 ? space.unclear : this.#suffix(patient.id, at);
    }
    const endings = new Set<string>();
    withIds(text, new Map(), (address) => {
      if (address.type !== 'Patient' || !this.#shared.has(address.id)) return undefined;
      const at = this.#personOf(address, entry, known);
      if (at === undefined) this.#unclearId(address.id, space);
      if (at !== -1) {
        endings.add(at === undefined ? space.unclear : this.#suffix(address.id, at));
      }
      return undefined;
    });
    for (const [, url = ''] of text.matchAll(/"reference"\s*:\s*"(urn:[^"\\]+)"/g)) {
      for (const [id, all] of known) {
        for (const { at, fullUrl } of all) if (fullUrl === url) endings.add(this.#suffix(id, at));
      }
    }
    const [only] = endings;
    return endings.size > 1 ? space.unclear : only;
  }

  #rewritten(entry: Entry, space: IdSpace, known: Known): string {
    const ending = this.#endingOf(entry, space, known) ?? neutralEnding(space);
    const own = resourceOf(entry);
    const ownId = own && joinedId(own.id, own.type === 'Patient' && !this.#shared.has(own.id) ? '' : ending);
    return entryWithIds(entry, ownId, (address) => {
      const { type, id } = address;
      if (type !== 'Patient' || !this.#shared.has(id))
        return withId(address, joinedId(id, this.#endingFor(address, space, ending)));
      const at = this.#personOf(address, entry, known);
      if (at === undefined) return `Patient/${this.#unclearId(id, space)}`;
      return at === -1 ? undefined : withId(address, this.patientId(id, at));
    });
  }

  /** The ending of a resource that a reference names, from a record with an ending of its own. */
  #endingFor(named: { type: string; id: string }, space: IdSpace, ending: string): string {
    const address = addressOf(named);
    const own = space.endings.get(address)?.split(' ');
    const choose = (endings: string[]): string | undefined =>
      endings.includes(ending) ? ending : endings.length === 1 ? endings[0] : undefined;
    if (own) return choose(own) ?? choose(own.filter((one) => one === neutralEnding(space))) ?? space.short;
    const others = this.#byAddress.get(address) ?? [];
    if (others.length === 0) return '';
    const friends = others.filter((other) => !areOfTwoServers(space, other));
    const endings = new Set(friends.flatMap((other) => other.endings.get(address)?.split(' ') ?? []));
    // What another server has under this name is not meant.
    return choose([...endings]) ?? space.short;
  }
}

function addEnding({ endings }: IdSpace, address: string, ending: string): void {
  const known = endings.get(address);
  if (known === undefined) endings.set(address, ending);
  else if (!known.split(' ').includes(ending)) endings.set(address, `${known} ${ending}`);
}

/** The ending for what names nobody: that of the others, if they have one. */
function neutralEnding({ told, unclear }: IdSpace): string {
  const [only = ''] = told;
  return told.size > 1 ? unclear : only;
}

/** Returns whether two spaces have different people under an id, so that their ids are of two servers. */
function areOfTwoServers(one: IdSpace, other: IdSpace): boolean {
  const [few, many] = one.people.size <= other.people.size ? [one.people, other.people] : [other.people, one.people];
  for (const [id, here] of few) {
    const there = many.get(id);
    if (there !== undefined && ![...here].some((at) => there.has(at))) return true;
  }
  return false;
}

/** Returns whether a place is in a Bundle, or in one inside it. */
const isWithin = (place: string, bundle: string): boolean => place === bundle || place.startsWith(`${bundle}.`);
