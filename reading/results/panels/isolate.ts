//! The organism of a susceptibility test. Laboratories list the tests as members of the observation that
//! names the organism, at any depth, or derive the tests from it. Without it, the tests of two organisms of one culture
//! read as one.

import { valuesAt } from '../../fhir/element-text.ts';
import { factsOf } from '../../fhir/facts.ts';
import { recordAddress, referredAddress } from '../../fhir/record-address.ts';
import { concept } from '../../fhir/text.ts';
import { type Observation, referenceShape } from '../../fhir/types.ts';
import { kept } from '../../kept.ts';
import { ENGLISH } from '../../language/words.ts';
import { isShaped } from '../../shape.ts';
import { interpretations } from '../flags/interpretation.ts';

/** Words with which a laboratory describes the response of an organism to a drug. */
const RESPONSES = [
  ...['Resistant', 'Not susceptible', 'Synergy: resistant', 'Intermediate', 'Susceptible', 'Moderately susceptible'],
  ...['Very susceptible', 'Susceptible, depending on the dose', 'Synergy: susceptible', 'No breakpoint is defined'],
];

/** The number of levels that are read: an organism, its panel, the drugs, and the results for each. */
const DEPTH = 4;

/** Returns the organism of a test; `undefined` for most tests. */
export const isolateOf = (o: object): string | undefined => factsOf(o).isolate;

/** Returns the name of a test after the name of its organism. */
export const withIsolate = (o: object, name: string): string => {
  const isolate = isolateOf(o);
  return isolate === undefined ? name : `${isolate}: ${name}`;
};

const isResponse = ({ interpretation }: Observation): boolean =>
  interpretations(interpretation).some(({ words }) => RESPONSES.includes(words));

const organismIn = (o: Observation | undefined): string | undefined =>
  o && (concept(ENGLISH, o.valueCodeableConcept) ?? o.valueString);

/** Returns the organisms of the tests among some observations. */
export function isolatesIn(observations: readonly Observation[]): ReadonlyMap<Observation, string> {
  const isolates = new Map<Observation, string>();
  const holders = observations.filter(({ hasMember = [] }) => hasMember.length > 0);
  const derived = observations.filter((o) => 'derivedFrom' in o && isResponse(o));
  if (holders.length === 0 && derived.length === 0) return isolates;
  const known = new Map<string, Observation>(observations.map((o) => [recordAddress(o), o]));
  const held = kept(({ hasMember = [] }: Observation) =>
    hasMember.flatMap(({ reference }) => known.get(referredAddress(reference)) ?? []),
  );
  // Members may contain each other: each is visited once.
  const membersOf = (holder: Observation): Observation[] => {
    const found = new Set<Observation>();
    let level = [holder];
    for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
      level = [...new Set(level.flatMap(held))].filter((one) => one !== holder && !found.has(one));
      for (const one of level) found.add(one);
    }
    return [...found];
  };
  for (const one of derived) {
    const sources = valuesAt(one, 'derivedFrom').filter((to) => isShaped(referenceShape, to));
    const [named] = sources.flatMap(({ reference }) => organismIn(known.get(referredAddress(reference))) ?? []);
    if (named) isolates.set(one, named);
  }
  for (const holder of holders) {
    const named = organismIn(holder);
    if (!named) continue;
    const all = membersOf(holder);
    if (all.some(isResponse)) for (const one of all) isolates.set(one, named);
  }
  return isolates;
}
