//! The list of the patients of a session, of the sample, or of the user's files.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { age, shortDate } from '#reading/fhir/date.ts';
import { capital, nameOf, plain } from '#reading/fhir/text.ts';
import { ofType, type Patient } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { EVERY_PATIENT } from '#reading/people/every-patient.ts';
import { notInUse } from '#reading/people/in-use.ts';
import { absentName, patientName, recordNumber } from '../chart/patient.ts';
import { UNKNOWN_PATIENT } from '../engine/documents/claim.ts';
import { errorText } from '../error-text.ts';
import { type PlainMessage, rich, t, words } from '../language/message.ts';
import { focusOnceDrawn, keepFocus } from '../parts/focus.ts';
import { fieldValue } from '../parts/form.ts';
import { failed, notGranted, retryButton, waiting } from '../parts/notice.ts';
import { chartUrl, type SourceName } from '../routes.ts';
import { debounced, onceDrawn } from '../scheduling.ts';
import { session } from '../smart/session.ts';
import { endTrial, sourceOf, trialGrant } from '../source/current.ts';
import { absentPatients, absentRecords, similarPeople } from '../source/files.ts';
import { allPages, ExchangeError, readResult, type Source } from '../source/source.ts';
import { withheldBy } from '../source/withheld.ts';
import { headed, type OpenView } from '../view.ts';
import { patientsOfFiles } from './files/patients.ts';
import { signedOut } from './signed-out.ts';

type ListState =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  | { is: 'failed'; error: unknown }
  /** `unread`: why some patients were not loaded, so that no filter finds them. */
  | { is: 'loaded'; list: Patient[]; total?: number; unread?: (() => string) | undefined };

async function searchAll(source: Source): Promise<{ list: Patient[]; unread: (() => string) | undefined }> {
  // Another server decides which patients a search without a condition finds. The first condition is on the sex.
  const [first, ...more] = EVERY_PATIENT;
  const conditions = source.abilities ? [''] : [`${first}&`, ...more.map((one) => `${one}&gender:missing=true&`)];
  const results = await Promise.all(conditions.map((one) => allPages(source, `Patient?${one}_count=200`)));
  const found = results.flatMap(({ matches }) => ofType('Patient', matches));
  const byId = new Map(found.map((patient) => [patient.id, patient]));
  return { list: [...byId.values()], unread: results.find(({ unread }) => unread)?.unread };
}

/** Loads the patients of a source. `text` filters the patients of files, of which there may be very many. */
async function loadPatients(source: Source, own: string | undefined, text: string): Promise<ListState> {
  try {
    if (source.name === 'files') return { is: 'loaded', ...(await patientsOfFiles(source, text)) };
    const why = await withheldBy(source)('Patient', 'search');
    if (why !== undefined) return { is: 'withheld', why };
    if (own === undefined) return { is: 'loaded', ...(await searchAll(source)) };
    const { matches } = readResult(await source.read(`Patient/${own}`));
    return { is: 'loaded', list: ofType('Patient', matches) };
  } catch (error) {
    return { is: 'failed', error };
  }
}

export const patients: OpenView = (route) => {
  const { source: name = 'sample' } = route;
  const source = sourceOf(name);
  if (!source) return signedOut(route);
  const own = name === 'session' ? session.value?.patient : undefined;
  const list = signal<ListState>({ is: 'waiting' });
  const filter = signal('');
  const load = async (): Promise<ListState> => {
    const { value: text } = filter;
    const loaded = await loadPatients(source, own, text);
    if (name !== 'files' || text === filter.value) list.value = loaded;
    return loaded;
  };
  void load();
  /** Loads the list again, and moves the focus from the button to what replaces it. */
  const retry = async (): Promise<void> => {
    list.value = { is: 'waiting' };
    onceDrawn(keepFocus);
    if ((await load()).is === 'failed') focusOnceDrawn('main .retry');
  };
  /** Searches the files, since the list has only the first of many patients. */
  const findSoon = debounced(load, 120);
  const setFilter = (event: Event): void => {
    filter.value = fieldValue(event);
    if (name === 'files') findSoon();
  };
  const content = (): TemplateResult => {
    const { value: state } = list;
    if (state.is === 'waiting') return waiting(t('patients'));
    if (state.is === 'withheld') return notGranted(state.why);
    if (state.is === 'failed') return failure(state.error, own && chartUrl(name, own), retry);
    const shown = name === 'files' ? byName(state.list) : matching(state.list, filter.value);
    const { total = shown.length } = state;
    return html`<p class="field narrow find-patient"><label for="filter">${
      name === 'files' ? t('Find by name or id') : t('Find by name')
    }</label><input id="filter" type="search"
      autocomplete="off" .value=${filter.value} @input=${setFilter}></p>
      <p class="visually-hidden" role="status">${t('{n} patient|{n} patients', { n: total })}</p>
      ${
        total > shown.length
          ? html`<p class="aside">${t('The first {shown} of {n} patients.', { shown: shown.length, n: total })}
            ${t('Find others by name or id.')}</p>`
          : nothing
      }
      ${
        state.unread
          ? html`<p class="aside">${t('There are more patients than these.')} ${state.unread()}</p>`
          : nothing
      }
      ${peopleLists(shown, name)}`;
  };
  return headed(
    'Patients',
    () => html`<p class="lead">${t(LEADS[name])} ${name === 'sample' ? trialNote() : nothing}</p>${content()}`,
  );
};

/** Draws the patients, and below them those of files without a Patient resource, who are mostly ids in references. */
function peopleLists(shown: Patient[], source: SourceName): TemplateResult {
  const absent = new Set(source === 'files' ? absentPatients() : []);
  const list = (entries: TemplateResult[]): TemplateResult => html`<ul class="people-list" role="list">${entries}</ul>`;
  const [known, others] = [shown.filter(({ id }) => !absent.has(id)), shown.filter(({ id }) => absent.has(id))];
  const namesakes: Namesakes = Map.groupBy(shown, ({ name }) => nameOf(name));
  return html`<div class="people-lists">${
    known.length > 0 || others.length === 0 ? list(known.map((one) => patientEntry(one, source, namesakes))) : nothing
  }${
    others.length > 0
      ? html`<h2>${t('Named by records, without a Patient in the files')}</h2>
          ${list(others.map(({ id }) => absentEntry(id)))}`
      : nothing
  }</div>`;
}

const LEADS: Record<SourceName, PlainMessage> = {
  session: 'Those that this session may see.',
  sample: 'The sample population: synthetic people, each with a story.',
  files: 'Those in the files that you opened.',
};

function trialNote(): TemplateResult | typeof nothing {
  if (!trialGrant.value) return nothing;
  return html`<br>${rich('Looked at with {scopes}.', { scopes: html`<code>${trialGrant.value.scopes}</code>` })} <button
    type="button" class="quiet" @click=${endTrial}>${t('Show everything')}</button>`;
}

function failure(error: unknown, chart: string | undefined, retry: () => Promise<void>): TemplateResult {
  const notice = error instanceof ExchangeError ? failed(error.exchange) : failed(undefined, errorText(error));
  return html`${notice}<p class="actions">${retryButton(() => void retry())}
    ${chart ? html`<a class="button" href=${chart}>${t('Open the chart')}</a>` : nothing}</p>`;
}

/** Draws a patient of files who has records, but no Patient resource. */
const absentEntry = (id: string): TemplateResult => html`<li><a href=${chartUrl('files', id)}>
    <span class="person">${id === UNKNOWN_PATIENT ? absentName(id) : t('Patient {id}', { id })}</span>
    <span class="aside">${t('{n} record|{n} records', { n: absentRecords(id) })}</span>
  </a></li>`;

/** Returns the patients whose name or id contains the text, by name. Patients without a name come last. */
function matching(list: Patient[], text: string): Patient[] {
  const wanted = text.toLowerCase();
  return byName(list.filter(({ id, name }) => `${nameOf(name)} ${id}`.toLowerCase().includes(wanted)));
}

function byName(list: Patient[]): Patient[] {
  const named = list.map((patient) => ({ patient, name: nameOf(patient.name) }));
  const compare = (a: string | undefined, b: string | undefined): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return a.localeCompare(b);
  };
  return named.sort((a, b) => compare(a.name, b.name)).map(({ patient }) => patient);
}

type Namesakes = ReadonlyMap<string | undefined, readonly Patient[]>;

/** Returns the record number of a patient; without one, the id if other patients have the same name. */
function numberText(patient: Patient, isOfOthers: boolean): string {
  const record = recordNumber(patient);
  if (record) return `${record.label}\u00a0${record.value}`;
  return isOfOthers ? `${t('Id')}\u00a0${patient.id}` : '';
}

function patientEntry(patient: Patient, source: SourceName, namesakes: Namesakes): TemplateResult {
  const { id, name, gender, birthDate, deceasedDateTime, deceasedBoolean } = patient;
  const named = nameOf(name);
  const others = (namesakes.get(named) ?? []).filter((other) => other.id !== id);
  const isTwin =
    source === 'files'
      ? similarPeople(id).length > 0
      : named !== undefined && birthDate !== undefined && others.some((other) => other.birthDate === birthDate);
  const facts = joinedBy(
    ' · ',
    gender && capital(plain(words(), gender)),
    birthDate ? t('born {date}', { date: shortDate(words(), birthDate) }) : t('birth date unknown'),
    deceasedDateTime || deceasedBoolean ? t('deceased') : age(words(), birthDate, new Date()),
    numberText(patient, others.length > 0),
    ...notInUse(words(), patient),
    isTwin && t('another one here may be the same person'),
  );
  return html`<li><a href=${chartUrl(source, id)}>
    <span class="person">${patientName(patient)}</span>
    <span class="aside">${facts}</span>
  </a></li>`;
}
