//! The words that the app makes of a record, for which a reader may search: the name from a record that it refers to,
//! the dose from its structure, the status and the uncertainty, in the language of the page; and the tests of a name.

import { cautionOf } from '#reading/fhir/certainty.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { unaccented } from '#reading/fhir/unaccented.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { shortName } from '#reading/results/names/names.ts';
import { toldApart } from '#reading/results/names/told-apart.ts';
import { apartTexts, type TestGroup } from '#reading/results/panels/test-groups.ts';
import { words } from '../../language/language.ts';

/** The address of a record, its name, and its other words. */
type RecordWords = [address: string, name: string, ...more: string[]];

/** Returns the words of a record; `undefined` if the app makes none. `medications`: those that it may refer to. */
export function wordsFor(resource: Resource, medications: Resource[]): RecordWords | undefined {
  const address = recordAddress(resource);
  // There may be thousands of results. Their values are found as they are recorded.
  if (resource.resourceType === 'Observation') {
    const told = isOfType('Observation', resource) ? toldApart(words(), resource) : [];
    const said = [...told, cautionOf(words(), resource)].flatMap((one) => one ?? []);
    return said.length === 0 ? undefined : [address, '', ...said];
  }
  const { what = '', value, who, status, caution } = meaningOf(words(), resource, medications);
  const more = [...new Set([value, who, status, caution])].filter((words) => words !== undefined && words !== '');
  return what === '' && more.length === 0 ? undefined : [address, what, ...more.map(String)];
}

/** The most tests that are listed before the records. */
const MAX_TESTS = 5;

/** A test that was found: the key of its trend, its name, what tells it apart, and the number of its results. */
interface NamedTest {
  key: string;
  name: string;
  apart: string;
  count: number;
}

const folded = (text: string): string => unaccented(text).toLowerCase();

/** Returns the tests with several results that have all words of a text, those with most results first. */
export function testsNamed(text: string, tests: readonly TestGroup[]): NamedTest[] {
  const wanted = folded(text).split(/\s+/).filter(Boolean);
  const named = tests.flatMap((group): NamedTest[] => {
    const { key, list } = group;
    if (list.length < 2) return [];
    const { main: name } = shortName(words(), group.name);
    const apart = apartTexts(words(), group).join(' · ');
    const said = folded(`${name} ${apart}`);
    return wanted.every((word) => said.includes(word)) ? [{ key, name, apart, count: list.length }] : [];
  });
  return named.toSorted((a, b) => b.count - a.count).slice(0, MAX_TESTS);
}
