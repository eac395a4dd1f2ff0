//! The line of the banner that says how recent a chart is: the newest document with its author and age, and for the
//! user's own files the date of the newest record.

import { html, nothing, type TemplateResult } from 'lit-html';
import { ageWords } from '#reading/documents/age.ts';
import type { SummaryDocument } from '#reading/documents/composition.ts';
import { cautionOf } from '#reading/fhir/certainty.ts';
import { instant, shortDate } from '#reading/fhir/date.ts';
import { clipped, isEnteredInError } from '#reading/fhir/text.ts';
import { isOfType, type Resource, type ResourceType } from '#reading/fhir/types.ts';
import { withoutEmpty } from '#reading/joined.ts';
import { wordsOf } from '#reading/records/meaning.ts';
import { t, words } from '../../language/message.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';
import { documentsOf } from './documents.ts';

/** The types of records whose dates show how recent a chart is. */
const DATED = [
  'AllergyIntolerance',
  'Condition',
  'DiagnosticReport',
  'DocumentReference',
  'Encounter',
  'Immunization',
  'MedicationAdministration',
  'MedicationDispense',
  'MedicationRequest',
  'MedicationStatement',
  'Observation',
  'Procedure',
  'QuestionnaireResponse',
  'ServiceRequest',
] as const satisfies ResourceType[];

const whenIn = <T extends ResourceType>(type: T, record: Resource): string | undefined =>
  isOfType(type, record) ? wordsOf(words(), type)?.when?.(record) : undefined;

function dateOf(record: Resource): string | undefined {
  const type = DATED.find((one) => one === record.resourceType);
  return type && whenIn(type, record);
}

/** Returns the newest date of some valid records that is not in the future, as it is written. */
export function newestDate(records: readonly Resource[], now: number): string | undefined {
  let [newest, at]: [string | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const record of records) {
    const date = dateOf(record);
    const time = instant(date) ?? Number.NEGATIVE_INFINITY;
    if (time > at && time <= now && !isEnteredInError(record)) [newest, at] = [date, time];
  }
  return newest;
}

const known = new WeakMap<SearchState, string | undefined>();

/** Returns the newest date of all loaded records. Each answer is searched only once. */
function newestRecord(store: ChartStore, now: number): string | undefined {
  const dates = [...store.answers.values()].flatMap((state) => {
    if (state.is !== 'loaded') return [];
    if (!known.has(state)) known.set(state, newestDate(state.found.matches, now));
    return known.get(state) ?? [];
  });
  return dates.reduce<string | undefined>(
    (newest, date) => ((instant(date) ?? 0) > (instant(newest) ?? Number.NEGATIVE_INFINITY) ? date : newest),
    undefined,
  );
}

/** The most characters of a title, and of the authors' names. */
const MAX_LENGTH = 80;

/** Says what a document is, when it was written, and who wrote it. */
function written(document: SummaryDocument): string {
  const date = shortDate(words(), document.date) || t('no date');
  const author = clipped(document.authors.join(', '), MAX_LENGTH);
  const title = clipped(document.title ?? '', MAX_LENGTH);
  if (document.isSummary || !title)
    return author ? t('Summary written {date} by {author}', { date, author }) : t('Summary written {date}', { date });
  return author
    ? t('“{title}” written {date} by {author}', { title, date, author })
    : t('“{title}” written {date}', { title, date });
}

/** Returns the parts of the line, and separately the age of the newest document. */
function asOf(store: ChartStore, now: number): { says: string[]; age: string } {
  const [newest, ...others] = documentsOf(store);
  const record = store.source.name === 'files' ? newestRecord(store, now) : undefined;
  const recorded = record ? t('Newest record {date}', { date: shortDate(words(), record) }) : '';
  if (!newest) return { says: recorded ? [recorded] : [], age: '' };
  const isLater = (record ?? '').slice(0, 10) > (newest.date ?? '').slice(0, 10);
  return {
    says: withoutEmpty(
      written(newest),
      cautionOf(words(), newest.resource),
      newest.related,
      others.length > 0 && t('the newest of {n} documents', { n: others.length + 1 }),
      isLater && recorded,
    ),
    age: ageWords(words(), newest.date, now),
  };
}

/** Draws the line of the banner. Draws nothing if a server has no document. */
export function documentLine(store: ChartStore): TemplateResult | typeof nothing {
  const { says, age } = asOf(store, Date.now());
  const [first, ...others] = says;
  if (first === undefined) return store.source.name === 'files' ? html`<p class="as-of">\u00a0</p>` : nothing;
  return html`<p class="as-of">${first}${age ? html`: <strong>${age}</strong>` : nothing}${others.map(
    (one) => ` · ${one}`,
  )}</p>`;
}
