//! Suggests people in files who may be the same person. No charts are joined by this.

import { unaccented } from '#reading/fhir/unaccented.ts';
import { joined } from '#reading/joined.ts';
import { isObject } from '#reading/shape.ts';
import { type Members, objectsIn, type PlacedResource, textAt } from '../documents/documents.ts';
import type { KnownPerson } from './file-report.ts';
import type { Sources } from './sources.ts';

/** The maximum number of groups that are reported. */
const GROUPS = 1000;

const folded = (text: string): string =>
  unaccented(text)
    .replace(/[\p{P}\s]+/gu, '')
    .toLowerCase();

/** Returns the first given name and the family name, or the first and the last word of the text of a name. */
function partsOf(name: Members): string[] {
  const given = Array.isArray(name.given) ? name.given.find((one) => typeof one === 'string' && one.trim() !== '') : '';
  const words = textAt(name, 'text').trim().split(/\s+/);
  const family = textAt(name, 'family');
  return given && family ? [given.trim().split(/\s+/)[0], family] : [words[0] ?? '', words.at(-1) ?? ''];
}

/** Returns the keys of a Patient that match those of similar ones: two of name, birth date and id, or an identifier. */
function keysOf({ name, birthDate, identifier }: Members, id: string): string[] {
  const day = typeof birthDate === 'string' && birthDate.length === 10 ? birthDate : '';
  const names = objectsIn(name)
    .map((one) => partsOf(one).map(folded))
    .filter((parts) => parts.every(Boolean))
    .map((parts) => parts.join(' '));
  const twos = [
    ...names.flatMap((one) => [
      [day, one],
      [id, one],
    ]),
    [id, day],
  ];
  return [
    ...twos.filter((two) => two.every(Boolean)).map((two) => two.join('|')),
    ...objectsIn(identifier)
      .map((one) => [textAt(one, 'system'), textAt(one, 'value')])
      .filter((two) => two.every(Boolean))
      .map((two) => two.join('|')),
  ];
}

/** Returns the name and the birth date of a Patient, as they are written. */
function nameAndBirthDate(patient: Members): string {
  const [name] = objectsIn(patient.name);
  const given = isObject(name) && Array.isArray(name.given) ? name.given.filter((one) => typeof one === 'string') : [];
  const parts = [...given, textAt(name, 'family')].filter(Boolean);
  const written = parts.length > 0 ? parts.join(' ') : textAt(name, 'text');
  return joined(written, textAt(patient, 'birthDate'));
}

/** The patients of a load, grouped by the keys that they have in common. */
export class SimilarPatients {
  readonly #sources: Sources | undefined;
  readonly #byKey: People = new Map();
  readonly #byId: People = new Map();

  constructor(sources: Sources | undefined) {
    this.#sources = sources;
  }

  note({ id: patient, resource }: PlacedResource, file: string): void {
    const { id } = this.#sources?.given(patient) ?? { id: patient };
    const person = { patient, id, who: nameAndBirthDate(resource), file };
    for (const key of keysOf(resource, id)) add(this.#byKey, key, person);
    if (this.#sources) add(this.#byId, id, person);
  }

  /**
   * Returns the groups of people who have a key in common. `absent` lists patients without a Patient in their source.
   * Each may be a person who has the same id in another source.
   */
  groups(absent: readonly string[]): KnownPerson[][] {
    const groups = [...this.#byKey.values()].map((group) => [...group.values()]);
    for (const patient of absent) {
      const given = this.#sources?.given(patient);
      if (!given) continue;
      const one = { patient, who: '', ...given };
      for (const other of this.#byId.get(given.id)?.values() ?? []) groups.push([one, other]);
      add(this.#byId, given.id, one);
    }
    return groups.filter(({ length }) => length > 1).slice(0, GROUPS);
  }
}

type People = Map<string, Map<string, KnownPerson>>;

function add(people: People, key: string, person: KnownPerson): void {
  const known = people.get(key) ?? new Map<string, KnownPerson>();
  // If two people share a chart, the first one is kept.
  people.set(key, known.has(person.patient) ? known : known.set(person.patient, person));
}
