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

/** The words of two forms of a resource on one thing. */
type Agreement = 'same' | 'other' | 'unknown';

/** Only a value with its system is proof: two clinics may both count from 1. */
function identifiersOf(a: Identity, b: Identity): Agreement {
  const shared = [...a.identifiers].flatMap(([system, values]) => {
    const others = b.identifiers.get(system);
    return others ? [{ isProof: system !== '', isSame: overlap(values, others) }] : [];
  });
  if (shared.some(({ isProof, isSame }) => isProof && isSame)) return 'same';
  return shared.some(({ isSame }) => !isSame) ? 'other' : 'unknown';
}

/** Birth dates, of which one may be less exact. */
function birthsOf(a: Identity, b: Identity): Agreement {
  const [short = '', long = ''] = [a.birthDate, b.birthDate].sort((x, y) => x.length - y.length);
  if (short === '') return 'unknown';
  return long.startsWith(short) ? 'same' : 'other';
}

function namesOf(a: Identity, b: Identity): Agreement {
  if (a.names.length === 0 || b.names.length === 0) return 'unknown';
  const isSameDay = a.birthDate.length === 10 && a.birthDate === b.birthDate;
  const isSame = a.names.some(({ family, given }) =>
    b.names.some((name) => {
      const isShared = overlap(given, new Set(name.given));
      const isGiven = isShared || given.length === 0 || name.given.length === 0;
      // A family name may change.
      return isGiven && ((isSameDay && isShared) || family === '' || name.family === '' || family === name.family);
    }),
  );
  return isSame ? 'same' : 'other';
}

/** Returns whether two people have a whole name in common: the family name and a given one. */
const haveWholeName = (a: Identity, b: Identity): boolean =>
  a.names.some(({ family, given }) =>
    b.names.some((name) => family !== '' && family === name.family && overlap(given, new Set(name.given))),
  );

/**
 * What two Patients of one id have in common beside it: nothing that is known, the source, or a file in which they say
 * that they are different versions.
 */
export type Bond = 'none' | 'source' | 'versions';

/**
 * Returns whether two Patients of one id are two people. What one of them lacks tells nothing. An identifier that they
 * share makes up for one thing in which they differ, and so does their bond; nothing makes up for two.
 */
export function areTwoPeople(one: Members, other: Members, bond: Bond = 'none'): boolean {
  const [a, b] = [identityOf(one), identityOf(other)];
  const agreements = [identifiersOf(a, b), birthsOf(a, b), namesOf(a, b)];
  const differing = agreements.filter((one) => one === 'other').length;
  if (differing !== 1) return differing > 1;
  const [identifiers, births] = agreements;
  if (identifiers === 'same' || bond === 'versions') return false;
  return !(bond === 'source' && births === 'other' && haveWholeName(a, b));
}

function haveSomethingInCommon(one: Members, other: Members): boolean {
  const [a, b] = [identityOf(one), identityOf(other)];
  return [identifiersOf(a, b), birthsOf(a, b), namesOf(a, b)].includes('same');
}

/** Returns whether two Patients differ in name or birth date, and not only in how exact they are. */
function areDescribedOtherwise(one: Members, other: Members): boolean {
  const [a, b] = [identityOf(one), identityOf(other)];
  if (birthsOf(a, b) === 'other') return true;
  if (a.names.length === 0 || b.names.length === 0) return false;
  return !a.names.some(({ family, given }) =>
    b.names.some((name) => {
      const isFamily = family === '' || name.family === '' || family === name.family;
      return isFamily && (given.length === 0 || name.given.length === 0 || overlap(given, new Set(name.given)));
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

/** A form of a Patient, with the spaces that have it. */
interface Form {
  patient: Members;
  /** The FHIR base in its address. */
  base: string;
  spaces: Set<string>;
  /** A digest of what it says, once it was needed. */
  key?: string;
}

/** A person. */
interface Seen {
  /** The FHIR base of the server; the empty text where none is named. */
  base: string;
  /** The forms that tell people apart. */
  forms: Form[];
}

/** The form that says most of a person. */
const bestForm = ({ forms }: Seen): Form =>
  forms.reduce((best, one) =>
    nameAndBirthDate(one.patient).length > nameAndBirthDate(best.patient).length ? one : best,
  );

const described = (id: string, at: number, { patient, spaces: [space = ''] }: Form): DescribedPatient => ({
  id,
  at,
  patient,
  space,
});

/** Returns whether two forms of a resource say that they are different versions of it. */
function areVersions(one: Members, other: Members): boolean {
  const versions = ['versionId', 'lastUpdated'].map((name) => [one, other].map((form) => textAt(form.meta, name)));
  return versions.some(([a, b]) => a !== '' && b !== '' && a !== b);
}

/** The source of a resource, without the request that it came by. */
const sourceOf = ({ meta }: Members): string => textAt(meta, 'source').replace(/#.*/s, '');

/** The FHIR base in the address of a resource of a type; the empty text in one of another form. */
export function baseIn(address: string, type: string): string {
  return /^https?:/.test(address) ? address.slice(0, Math.max(0, address.lastIndexOf(`/${type}/`))) : '';
}

/** The parts of a Patient by which people are told apart: a load may have very many. */
const partsOf = ({ name, birthDate, identifier, meta }: Members): Members => ({
  name,
  birthDate,
  identifier,
  meta: isObject(meta) ? { versionId: meta.versionId, lastUpdated: meta.lastUpdated, source: meta.source } : undefined,
});

/** The most groups of people of one name and birth date that are told. */
const ALIKE = 1000;

/** The keys of a Patient with the day of birth: the family name and the first given one, or the whole name. */
function nameKeys(patient: Members): string[] {
  const birthDate = textAt(patient, 'birthDate');
  if (birthDate.length !== 10) return [];
  const names = listAt(patient, 'name')
    .filter(isObject)
    .map((name) => {
      const given = listAt(name, 'given').find((one) => typeof one === 'string' && one.trim() !== '');
      const family = textAt(name, 'family');
      const words = textAt(name, 'text').trim().split(/\s+/);
      const parts = family && given ? [family, String(given).trim().split(/\s+/)[0] ?? ''] : [words.at(-1), words[0]];
      return parts.map((one = '') => folded(one)).filter(Boolean);
    });
  return names.flatMap((parts) => (parts.length > 1 ? [[birthDate, ...parts].join('|')] : []));
}

/** The most forms of a person that are told. */
const FORMS = 8;

/** The digest of what a form says. Most people have one form, which is compared with no other. */
function keyOf(form: Form): string {
  form.key ??= digest(JSON.stringify([form.base, form.patient]));
  return form.key;
}

/** A Patient of a person, as it is told to readers. */
export interface DescribedPatient {
  id: string;
  /** The number of the person among those of the id. */
  at: number;
  patient: Members;
  space: string;
}

/** The patients of a load, by id. The people of one id are counted from 0, in the order in which they came. */
export class People {
  readonly #seen = new Map<string, Seen[]>();

  /** Notes a Patient of a space: a Bundle, or a file of resources by line. */
  note({ resource, type, id, fullUrl }: PlacedResource, space: string): void {
    if (type !== 'Patient' || id === '') return;
    const base = baseIn(fullUrl, type);
    const all = this.#seen.get(id) ?? [];
    this.#seen.set(id, all);
    const form: Form = { patient: partsOf(resource), base, spaces: new Set([space]) };
    const same = all.find((seen) => isSame(seen, form));
    if (!same) {
      all.push({ base, forms: [form] });
      return;
    }
    same.base ||= base;
    const known = same.forms.find((one) => keyOf(one) === keyOf(form));
    if (known) known.spaces.add(space);
    else same.forms.push(form);
  }

  /** The FHIR bases of the servers that Patients are of. */
  get bases(): Set<string> {
    return new Set([...this.#seen.values()].flat().flatMap(({ base }) => base || []));
  }

  /** The ids of more than one person. */
  get sharedIds(): Set<string> {
    return new Set([...this.#seen].filter(([, all]) => all.length > 1).map(([id]) => id));
  }

  /** The number of the person whom a Patient is of; -1 where it says so little that it may be of several. */
  of({ resource, id, fullUrl }: PlacedResource): number {
    const key = keyOf({ patient: partsOf(resource), base: baseIn(fullUrl, 'Patient'), spaces: new Set() });
    const all = this.#seen.get(id) ?? [];
    return all.findIndex((seen) => {
      const form = seen.forms.find((one) => keyOf(one) === key);
      return form !== undefined && !isOfSeveral(form, seen, all);
    });
  }

  /** The numbers of the people of an id whom a space has. */
  in(id: string, space: string): number[] {
    const all = this.#seen.get(id) ?? [];
    return [...all.entries()].flatMap(([at, seen]) => {
      const forms = seen.forms.filter(({ spaces }) => spaces.has(space));
      return forms.some((form) => !isOfSeveral(form, seen, all)) ? [at] : [];
    });
  }

  /** The number of the one person of an id on a server; nothing where there is none, or several. */
  at(id: string, base: string): number | undefined {
    const there = [...(this.#seen.get(id) ?? []).entries()].filter(([, seen]) => seen.base === base);
    return there.length === 1 ? there[0]?.[0] : undefined;
  }

  /** What is added to the ids of a person's records; the empty text for the first person of an id, who keeps them. */
  suffix(id: string, at: number): string {
    const seen = this.#seen.get(id)?.[at];
    return at === 0 || !seen ? '' : digest(`${id} ${at} ${JSON.stringify(bestForm(seen).patient)}`).slice(0, 8);
  }

  /** The people of each shared id. */
  get #byId(): DescribedPatient[][] {
    return [...this.#seen].flatMap(([id, all]) =>
      all.length > 1 ? [all.map((seen, at) => described(id, at, bestForm(seen)))] : [],
    );
  }

  /** The people of shared ids. */
  get shared(): DescribedPatient[] {
    return this.#byId.flat();
  }

  /** Those of them who are told apart by more than their servers. */
  get twins(): DescribedPatient[] {
    return this.#byId.flatMap((people) =>
      people.filter((one) => people.some((other) => areTwoPeople(one.patient, other.patient))),
    );
  }

  /** The people who have a name and the day of their birth in common under different ids, each group once. */
  get alike(): DescribedPatient[][] {
    const groups = new Map<string, { id: string; at: number; seen: Seen }[]>();
    for (const [id, all] of this.#seen) {
      for (const [at, seen] of all.entries()) {
        for (const key of new Set(seen.forms.flatMap(({ patient }) => nameKeys(patient)))) {
          const group = groups.get(key);
          if (group) group.push({ id, at, seen });
          else groups.set(key, [{ id, at, seen }]);
        }
      }
    }
    const found = [...groups.values()].filter(({ length }) => length > 1).slice(0, ALIKE);
    return found.map((group) => group.map(({ id, at, seen }) => described(id, at, bestForm(seen))));
  }

  /** The forms of the people whose name or birth date another form has otherwise. */
  get corrected(): DescribedPatient[] {
    return [...this.#seen].flatMap(([id, all]) =>
      all.flatMap(({ forms }, at) => {
        const [first, ...others] = forms;
        const different = others.filter(({ patient }) => first && areDescribedOtherwise(first.patient, patient));
        const told = first && different.length > 0 ? [first, ...different] : [];
        return told.slice(0, FORMS).map((form) => described(id, at, form));
      }),
    );
  }
}

const areOfTwoServers = (one: { base: string }, other: { base: string }): boolean =>
  one.base !== '' && other.base !== '' && one.base !== other.base;

function bondOf(one: Form, other: Form): Bond {
  const isOneSpace = [...one.spaces].some((space) => other.spaces.has(space));
  if (isOneSpace && areVersions(one.patient, other.patient)) return 'versions';
  const [source, base] = [sourceOf(one.patient), one.base];
  return (base !== '' && base === other.base) || (source !== '' && source === sourceOf(other.patient))
    ? 'source'
    : 'none';
}

/** Returns whether nothing that is known of a person speaks against it that a form is of them. */
const isPossible = (seen: Seen, form: Form): boolean =>
  !areOfTwoServers(seen, form) &&
  seen.forms.every((one) => !areTwoPeople(one.patient, form.patient, bondOf(one, form)));

/** Returns whether a form is of a person. A chain of versions may change one thing after the other. */
const isSame = (seen: Seen, form: Form): boolean =>
  isPossible(seen, form) ||
  (!areOfTwoServers(seen, form) &&
    seen.forms.some(
      (one) =>
        bondOf(one, form) === 'versions' &&
        haveSomethingInCommon(one.patient, form.patient) &&
        !areTwoPeople(one.patient, form.patient, 'versions'),
    ));

/** Returns whether a form of a person may as well be of another one of the id, such as a Patient without a name. */
const isOfSeveral = (form: Form, seen: Seen, all: Seen[]): boolean =>
  all.some(
    (other) =>
      other !== seen && areTwoPeople(bestForm(seen).patient, bestForm(other).patient) && isPossible(other, form),
  );
