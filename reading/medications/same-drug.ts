//! The records about one drug: those that share a code, or else those that share a name.

import { referredAddress } from '../fhir/record-address.ts';
import type { Coding, Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { type DrugRecord, medicationCodings, medicationName } from './medication.ts';

/** The marks by which records of one drug are recognized. */
export interface DrugMarks {
  /** Codes with their systems, and the address of a Medication. */
  codes: readonly Mark[];
  name: string | undefined;
}

interface Mark {
  system: string;
  code: string;
}

/** Systems whose codes are reasons for a missing code. */
const NO_CODE = /NullFlavor$|data-absent-reason$|absent-unknown/;
const ATC = /(?:whocc\.no\/atc|2\.16\.840\.1\.113883\.6\.73)$/;
/** The length of an ATC code of a substance. Shorter codes name groups of substances. */
const ATC_SUBSTANCE = 7;

/** Returns the mark of a code; none without a system, as the code is ambiguous, and none for a group of drugs. */
function markOf({ system, code }: Coding): Mark[] {
  if (!system || !code || NO_CODE.test(system)) return [];
  return ATC.test(system) && code.length < ATC_SUBSTANCE ? [] : [{ system, code }];
}

/** Returns a name without differences of spelling: the case of letters, and spaces, such as those before a unit. */
const plainName = (name: string | undefined): string | undefined =>
  name
    ?.trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d) (?=[a-zµ%])/g, '');

/** Returns the marks of a record. `included` are the medications to which it may refer. */
export function drugMarks(of: DrugRecord, included: readonly Resource[]): DrugMarks {
  const address = referredAddress(of.medicationReference?.reference);
  const referred = address.startsWith('Medication/') ? [{ system: 'Medication', code: address }] : [];
  return {
    codes: [...medicationCodings(of, included).flatMap(markOf), ...referred],
    name: plainName(medicationName(ENGLISH, of, included)),
  };
}

/** Groups of items that are merged step by step, each with the systems of its codes. */
class Groups {
  readonly #above = new Map<number, number>();
  readonly #systems = new Map<number, Set<string>>();

  /** Returns the group of an item, which is the item that represents it. */
  of(item: number): number {
    let first = item;
    for (let above = this.#above.get(first); above !== undefined; above = this.#above.get(first)) first = above;
    if (first !== item) this.#above.set(item, first);
    return first;
  }

  systems(group: number): Set<string> {
    const known = this.#systems.get(group) ?? new Set();
    this.#systems.set(group, known);
    return known;
  }

  join(a: number, b: number): void {
    const [kept, joined] = [this.of(a), this.of(b)];
    if (kept === joined) return;
    for (const system of this.systems(joined)) this.systems(kept).add(system);
    this.#above.set(joined, kept);
  }
}

/**
 * Groups items by drug, in the order of the first of each. A shared name merges groups unless two of them have
 * different codes of one system: two insulins may share a name. An item without marks is a group of its own.
 */
export function byDrug<T>(items: readonly T[], marksOf: (item: T) => DrugMarks): T[][] {
  const marks = items.map(marksOf);
  const groups = new Groups();
  const firstOf = new Map<string, number>();
  const named = new Map<string, number[]>();
  marks.forEach(({ codes, name }, i) => {
    for (const { system, code } of codes) {
      const key = `${system}|${code}`;
      groups.join(firstOf.get(key) ?? i, i);
      if (!firstOf.has(key)) firstOf.set(key, i);
      if (system !== 'Medication') groups.systems(groups.of(i)).add(system);
    }
    if (!name) return;
    const list = named.get(name);
    if (list) list.push(i);
    else named.set(name, [i]);
  });
  for (const list of named.values()) {
    const all = [...new Set(list.map((i) => groups.of(i)))];
    const systems = all.flatMap((group) => [...groups.systems(group)]);
    const isClear = new Set(systems).size === systems.length;
    // If codes distinguish several drugs with this name, the items without a code form one group.
    const [first, ...others] = isClear ? all : all.filter((group) => groups.systems(group).size === 0);
    for (const other of others) groups.join(first ?? other, other);
  }
  return [...Map.groupBy(items.keys(), (i) => groups.of(i)).values()].map((list) =>
    list.flatMap((i) => items.slice(i, i + 1)),
  );
}
