//! The words of document sections that have no words and list observations whose values are words, such as a history, a
//! diagnosis or a recommendation. These words are read as the narrative of the section.

import { concept } from '../fhir/text.ts';
import { isOfType, type Observation, type Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { testName } from '../results/names/names.ts';
import { withAbout } from '../results/names/told-apart.ts';
import { placeOf as placeOfObservation } from '../results/observation-place.ts';
import type { DocumentSection, SummaryDocument } from './composition.ts';
import { placeOf } from './places.ts';

/** The sections of the chart that show observations on their own. */
const OF_OBSERVATIONS = ['vitals', 'labs', 'reports', 'screening', 'other-observations'];

/** Returns whether a section names its subject. One without a title or a code repeats entries of other sections. */
const isNamed = ({ codes, names }: DocumentSection): boolean => codes.length > 0 || names.length > 0;

const isObservation = (address: string): boolean => address.startsWith('Observation/');

/** Returns whether the words of a section may be the words of the observations that it lists. */
export const mayListObservations = (section: DocumentSection): boolean =>
  section.div === undefined &&
  isNamed(section) &&
  section.entries.some(isObservation) &&
  !OF_OBSERVATIONS.includes(placeOf(section));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br/>');

/** Returns the words of an observation that has no section of its own, and no words for a result. */
function wordsOf(words: Words, o: Observation): string {
  const said = o.valueString?.trim() || concept(words, o.valueCodeableConcept);
  return said && placeOfObservation(o) === 'others' ? withAbout(words, o, said) : '';
}

const nameOf = (words: Words, { code }: Observation): string => testName(words, code) ?? '';

/**
 * Returns a section with the words of the observations that it lists, which are removed from the entries. Returns the
 * section unchanged if no observation has words.
 */
function saidSection(
  words: Words,
  section: DocumentSection,
  find: (address: string) => Resource | undefined,
): DocumentSection {
  if (!mayListObservations(section)) return section;
  const said = section.entries.flatMap((address) => {
    const o = isObservation(address) ? find(address) : undefined;
    return isOfType('Observation', o) && wordsOf(words, o) !== '' ? [{ address, o }] : [];
  });
  const [first] = said;
  if (!first) return section;
  const lines = said.map(
    ({ o }) => `<p>${escaped(said.length > 1 ? `${nameOf(words, o)}: ${wordsOf(words, o)}` : wordsOf(words, o))}</p>`,
  );
  return {
    ...section,
    title: section.names.length > 0 ? section.title : nameOf(words, first.o) || section.title,
    div: lines.join(''),
    entries: section.entries.filter((address) => said.every((one) => one.address !== address)),
  };
}

/** Returns a document with the words of the observations that its sections list. */
export const withObservationWords = (
  words: Words,
  document: SummaryDocument,
  find: (address: string) => Resource | undefined,
): SummaryDocument => ({ ...document, sections: document.sections.map((one) => saidSection(words, one, find)) });
