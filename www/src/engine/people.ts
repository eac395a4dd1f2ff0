//! The patients of files. An id is unique on its server alone
//! (<https://hl7.org/fhir/R4/resource.html#id>): two files may have two people under one id, whose records must not
//! come into one chart.

import { isObject } from '../shape.ts';
import { digest } from './digest.ts';
import { type Members, type PlacedResource, textAt } from './documents.ts';

/** What tells people apart. */
interface Identity {
  /** Folded family names, and given names. */
  names: { family: string; given: string[] }[];
  birthDate: string;
  /** Values by system. */
  identifiers: Map<string, Set<string>>;
}

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\s]+/gu, '')
    .toLowerCase();

const listAt = (members: Members, name: string): unknown[] => {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return Array.isArray(value) ? value : [];
};

function identityOf(patient: Members): Identity {
  const names = listAt(patient, 'name').flatMap((name) => {
    if (!isObject(name)) return [];
    const family = folded(textAt(name, 'family'));
    const given = listAt(name, 'given').flatMap((one) => (typeof one === 'string' ? [folded(one)] : []));
    const words = textAt(name, 'text').split(/\s+/).map(folded).filter(Boolean);
    if (family || given.length > 0) return [{ family, given }];
    return words.length > 0 ? [{ family: words.at(-1) ?? '', given: words.slice(0, -1) }] : [];
  });
  const identifiers = new Map<string, Set<string>>();
  for (const one of listAt(patient, 'identifier')) {
    const [system, value] = [textAt(one, 'system'), textAt(one, 'value')];
    if (!value) continue;
    identifiers.set(system, (identifiers.get(system) ?? new Set()).add(value));
  }
  return { names, birthDate: textAt(patient, 'birthDate'), identifiers };
}

const overlap = (a: Iterable<string>, b: ReadonlySet<string>): boolean => [...a].some((one) => b.has(one));

/** Returns whether two Patients of one id are two people. What one of them lacks tells nothing. */
export function areTwoPeople(one: Members, other: Members): boolean {
  const [a, b] = [identityOf(one), identityOf(other)];
  const shared = [...a.identifiers].flatMap(([system, values]) => {
    const others = b.identifiers.get(system);
    return others ? [overlap(values, others)] : [];
  });
  if (shared.includes(true)) return false;
  const dates = [a.birthDate, b.birthDate].sort((x, y) => x.length - y.length);
  const [short = '', long = ''] = dates;
  if (short !== '' && !long.startsWith(short)) return true;
  if (shared.length > 0) return true;
  if (a.names.length === 0 || b.names.length === 0) return false;
  const isSameDay = short.length === 10;
  return !a.names.some(({ family, given }) =>
    b.names.some((name) => {
      const isGiven = given.length === 0 || name.given.length === 0 || overlap(given, new Set(name.given));
      // A family name may change.
      return isGiven && (isSameDay || family === '' || name.family === '' || family === name.family);
    }),
  );
}

/** The name and the birth date of a Patient, as they are written. */
export function nameAndBirthDate(patient: Members): string {
  const [name] = listAt(patient, 'name').filter(isObject);
  const given = name ? listAt(name, 'given').filter((one) => typeof one === 'string') : [];
  const parts = name ? [...given, textAt(name, 'family')].filter(Boolean) : [];
  const written = parts.length > 0 ? parts.join(' ') : textAt(name, 'text');
  return [written, textAt(patient, 'birthDate')].filter(Boolean).join(', ');
}

/** A Patient as it was seen: the documents that have it are its spaces. */
interface Seen {
  patient: Members;
  base: string;
  spaces: Set<string>;
}

/** Returns whether two forms of a resource say that they are different versions of it. */
function areVersions(one: Members, other: Members): boolean {
  const versions = ['versionId', 'lastUpdated'].map((name) => [one, other].map((form) => textAt(form.meta, name)));
  return versions.some(([a, b]) => a !== '' && b !== '' && a !== b);
}

/** The patients of a load, by id. */
export class People {
  readonly #seen = new Map<string, Seen[]>();
  /** The spaces that have two people of one id, of which no version is the other's. */
  readonly #mixed = new Set<string>();

  /** Notes a Patient of a space: a Bundle, or a file of resources by line. */
  note({ resource, type, id, fullUrl }: PlacedResource, space: string): void {
    if (type !== 'Patient' || id === '') return;
    const base = /^https?:/.test(fullUrl) ? fullUrl.slice(0, fullUrl.lastIndexOf('/Patient/')) : '';
    const all = this.#seen.get(id) ?? [];
    this.#seen.set(id, all);
    // Within a space two versions are of one person. Where two servers are named, the engine tells them apart.
    const same = all.find((seen) => {
      if (seen.base !== base) return false;
      return !areTwoPeople(seen.patient, resource) || (seen.spaces.has(space) && areVersions(seen.patient, resource));
    });
    if (same) {
      same.spaces.add(space);
      return;
    }
    if (all.some((seen) => seen.base === base && seen.spaces.has(space))) this.#mixed.add(space);
    // A load may have very many patients: no more of them is kept than tells them apart.
    const { name, birthDate, identifier, meta } = resource;
    all.push({ patient: { name, birthDate, identifier, meta }, base, spaces: new Set([space]) });
  }

  /** Returns whether a space has two people of one id: then it does not say whose its records are. */
  isMixed(space: string): boolean {
    return this.#mixed.has(space);
  }

  /** The ids of more than one person, each with the people of one server, or of no server that is named. */
  #shared(): [string, Seen[]][] {
    const isTold = ([first, ...others]: Seen[]): boolean =>
      others.every(({ base }) => base !== '' && first?.base !== '' && base !== first?.base);
    return [...this.#seen].filter(([, all]) => all.length > 1 && !isTold(all));
  }

  get sharedIds(): Set<string> {
    return new Set(this.#shared().map(([id]) => id));
  }

  /** The Patients of shared ids. */
  get twins(): { id: string; patient: Members; space: string }[] {
    return this.#shared().flatMap(([id, all]) =>
      all.map(({ patient, spaces: [space = ''] }) => ({ id, patient, space })),
    );
  }

  /**
   * What is added to the ids of a space, so that its people are others than those of the first one. Nothing where its
   * ids stay; `unclear` where it does not say whose records it has.
   */
  suffixOf(space: string, mentions: (id: string) => boolean): string | undefined {
    if (this.isMixed(space)) return `unclear-${digest(space).slice(0, 8)}`;
    for (const [id, all] of this.#shared()) {
      const at = all.findIndex(({ spaces }) => spaces.has(space));
      if (at > 0) return digest(`${id} ${at} ${JSON.stringify(all[at]?.patient)}`).slice(0, 8);
      if (at < 0 && mentions(id)) return `unclear-${digest(space).slice(0, 8)}`;
    }
    return undefined;
  }
}
