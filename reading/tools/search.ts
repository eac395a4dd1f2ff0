//! The tool `search`: records in which words occur, in their names, their values or their texts.

import { textsIn } from '../documents/texts-in-record.ts';
import { instant } from '../fhir/date.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { isOfType, type Resource } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import { meaningOf } from '../records/meaning.ts';
import { plainTest } from '../results/plain-words.ts';
import { visible } from '../visible.ts';
import { type Answer, pageOf, Refusal, type Tool, type ToolCall } from './call.ts';
import { factOf } from './fact.ts';
import { hiddenText, TECHNICAL, wordsIn } from './plain-text.ts';
import { BUDGET, closedText, fitted, patientOf, searchOf, sizeOf, textArgument } from './result.ts';
import { sourceSearches, withTargets } from './targets.ts';

/** The types that are searched. */
const TYPES = (
  'AllergyIntolerance Condition MedicationRequest MedicationStatement Procedure Immunization DiagnosticReport ' +
  'DocumentReference Encounter CarePlan CareTeam ClinicalImpression Communication Composition Consent Coverage ' +
  'Device FamilyMemberHistory Flag Goal ImagingStudy Media MedicationAdministration MedicationDispense ' +
  'NutritionOrder QuestionnaireResponse RiskAssessment ServiceRequest'
).split(' ');
/** The most types of one request. */
const MAX_TYPES = 10;

/** The letters of a text before and after the words that were found. */
const AROUND = 80;

const folded = (text: string): string => unaccented(text).toLowerCase();

/** Returns the words of a record itself, and the plain words of a result: HbA1c. */
function wordsOf({ words }: ToolCall, record: Resource, known: Resource[]): string {
  const { what, value, who, kind } = meaningOf(words, record, known);
  const plain = isOfType('Observation', record) ? plainTest(words, record.code)?.[0] : undefined;
  return [what ?? kind, value, who, ...stringsIn(record), plain].filter(Boolean).join('; ');
}

/** Returns all texts in an element, without the markup of a narrative. */
function stringsIn(element: unknown): string[] {
  if (typeof element === 'string') return [element.replace(/<[^<>]*>/g, ' ')];
  if (typeof element !== 'object' || element === null) return [];
  return Object.entries(element).flatMap(([name, value]) => (TECHNICAL.has(name) ? [] : stringsIn(value)));
}

/** Returns the part around the first of the words, if a text has all of them. */
function found(written: string, asked: readonly string[]): string | undefined {
  const text = visible(written);
  const letters = folded(text);
  const at = Math.min(...asked.map((word) => letters.indexOf(word)));
  return at < 0 ? undefined : text.slice(Math.max(0, at - AROUND), at + AROUND);
}

export const search: Tool = function* (call): Generator<string[], object, Answer[]> {
  const asked = wordsIn(folded(textArgument(call, 'query') ?? ''));
  if (asked.every((word) => word.length < 2)) throw new Refusal('"query" needs a word of two letters or more.');
  const patient = yield* patientOf(call);
  const types = TYPES.filter((type) => call.types.includes(type));
  const ofPatient = ['patient', patient] as const;
  const hasResults = call.types.includes('Observation');
  const sources = hasResults ? sourceSearches(call, patient) : [];
  const parts = [0, 1, 2].map((part) => types.slice(part * MAX_TYPES, (part + 1) * MAX_TYPES));
  const searches = [...parts, ...(hasResults ? [['Observation']] : [])].filter((some) => some.length > 0);
  const answers = yield [
    ...sources,
    ...searches.map((some) => searchOf('', [ofPatient, ['_type', some.join(',')], ['_count', '1000']])),
  ];
  const pages = answers.slice(sources.length).map(pageOf);
  const records = pages.flatMap(({ matches }) => matches).filter((one) => !isEnteredInError(one));
  const { all, known, notIndexed } = yield* withTargets(call, records, answers.slice(0, sources.length));
  let unread = 0;
  const atOf = (record: Resource): number => instant(meaningOf(call.words, record, known).when) ?? 0;
  const hits = all.flatMap((record) => {
    const inRecord = textsIn(call.words, record);
    unread += inRecord.unread.length;
    const quoted = found([wordsOf(call, record, known), ...inRecord.texts].join('\n'), asked);
    return quoted === undefined ? [] : [{ record, quoted, at: atOf(record) }];
  });
  const newest = hits.toSorted((a, b) => b.at - a.at);
  const head = { now: call.now.toISOString(), patient };
  const searched = searches.flat();
  const cut = searches.flatMap((some, i) => (pages[i]?.cursor === undefined ? [] : some));
  const whole = searched.filter((type) => !cut.includes(type));
  const others = call.chart?.filter((type) => type !== 'Patient' && !searched.includes(type));
  const unsearched = others?.length === 0 ? [] : [`Not searched: ${others?.join(', ') ?? 'records of other types'}.`];
  const shown = fitted(newest, BUDGET.search - sizeOf([head, unsearched]) - 700, ({ record, quoted }) => {
    const { ref, what, when, url, apart, state, caution } = factOf(call, record, known);
    const title = [what, when].filter(Boolean).join(', ');
    return { id: ref.replace(/@.*$/, ''), title, url, apart, state, caution, quoted };
  });
  const left = newest.length - shown.length;
  const none =
    whole.length > 0
      ? `Not in the names, values and notes of these records: ${whole.join(', ')}.`
      : 'There are too many records to search them all: ask with query.';
  const leftOut = [
    ...closedText(call, [...TYPES, 'Observation']),
    ...unsearched,
    ...pages.flatMap(({ warnings }) => warnings),
    ...(left > 0 ? [`${left} older records that did not fit: use more words.`] : []),
    ...(unread > 0 ? [`The content of ${unread} attachments: fetch reads one.`] : []),
    ...(cut.length > 0 ? [`Records beyond the first 1,000 of these together: ${cut.join(', ')}.`] : []),
  ];
  return {
    ...head,
    results: shown,
    none: newest.length === 0 ? none : undefined,
    complete: leftOut.length === 0,
    shown: shown.length,
    total: newest.length,
    left_out: [...leftOut, ...notIndexed, ...hiddenText(hits.map(({ record }) => record))],
  };
};
