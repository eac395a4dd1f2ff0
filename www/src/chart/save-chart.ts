//! Saving a chart: downloads, a print, and a link to share.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { parsed, printed } from '#reading/fhir/json.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { withoutEmpty } from '#reading/joined.ts';
import { isShaped, object, type Shape, string } from '#reading/shape.ts';
import { collection, ndjson } from '#reading/summary/bundle.ts';
import { patientSummary, unknownPatient } from '#reading/summary/patient-summary.ts';
import { sourceWords } from '#reading/summary/source-words.ts';
import { setWhenDone } from '../drawing.ts';
import { engine } from '../engine/client.ts';
import { type PlainMessage, t, words } from '../language/message.ts';
import { download } from '../parts/copy.ts';
import { openDrawer } from '../parts/drawer.ts';
import { aside, waiting } from '../parts/notice.ts';
import type { SourceName } from '../routes.ts';
import { BASE } from '../smart/server.ts';
import type { ChartStore } from './loading/store.ts';
import { patientOf } from './patient.ts';
import { hasUntypedOmissions, MORE_UNTYPED, omissionsOf } from './section/omissions.ts';
import type { Section } from './section/section.ts';
import { SECTIONS } from './sections.ts';
import { ShareLink } from './share-link.ts';

/** A record to save as it is, whatever the form of its elements. */
const record: Shape<Resource> = object({ resourceType: string, id: string });

const FHIR = 'application/fhir+json';
const NDJSON = 'application/fhir+ndjson';

/** Returns the titles of incomplete sections. Omissions that may belong to any section are reported separately. */
function incomplete(store: ChartStore): string[] {
  const isWhole = (section: Section): boolean =>
    section.queries.every((query) => store.load(query).is === 'loaded') && omissionsOf(section, store).length === 0;
  return SECTIONS.filter((section) => !isWhole(section)).map(({ title }) => t(title));
}

const isWaiting = (store: ChartStore): boolean =>
  SECTIONS.some(({ queries }) => queries.some((query) => store.load(query).is === 'waiting'));

/** Returns all local records of the patient as NDJSON, including types that the chart does not read. */
async function allTexts({ source, patient }: ChartStore): Promise<string> {
  if (source.name === 'session' || source.grant) return '';
  return (await engine('texts', source.name, patient)).value;
}

/** Opens the drawer. It waits for the searches of all sections, so that the files contain the whole chart. */
export function openSaveChart(store: ChartStore): void {
  const texts = signal<string | undefined>(undefined);
  const link = store.source.name === 'session' ? new ShareLink() : undefined;
  setWhenDone(
    texts,
    allTexts(store).catch(() => ''),
  );
  openDrawer(() => ({
    title: t('Share or print'),
    body:
      isWaiting(store) || texts.value === undefined
        ? waiting(t('the whole chart'))
        : bodyView(store, recordsOf(store, texts.value), link),
  }));
}

/** The words about the saved records, by their source. */
const WHOSE: Record<SourceName, PlainMessage> = {
  sample: 'The person in the sample is invented.',
  session: 'What you share leaves the protection of the server: keep it as you keep other papers of this person.',
  files: 'They are the records of your files, as they were read. They are made in this tab, and nothing is sent.',
};

/** Returns the records of an NDJSON text, and others that the chart has loaded, such as practitioners. */
function recordsOf(store: ChartStore, texts: string): Resource[] {
  const lines = texts.split('\n').map(parsed);
  const own = lines.filter((one) => isShaped(record, one));
  const known = new Set(own.map(recordAddress));
  return [...own, ...[...store.all().values()].filter((one) => !known.has(recordAddress(one)))];
}

/** Says whether the patient summary includes words of documents, and what it lacks. */
function carriedText(all: readonly Resource[]): string[] {
  const { sections, lacking } = sourceWords(words(), all);
  return withoutEmpty(
    sections.length > 0 && t('It carries the words of the source document as plain lines.'),
    lacking.length > 0 && t('Not in this summary: {what}.', { what: lacking.join(', ') }),
  );
}

function bodyView(store: ChartStore, all: Resource[], link: ShareLink | undefined): TemplateResult {
  const patient = patientOf(store);
  const missing = incomplete(store);
  const now = new Date();
  // The file name must not identify the patient.
  const name = `chart-${now.toISOString().slice(0, 10)}`;
  const file = (says: string, about: string, made: string, type: string, text: () => string): TemplateResult =>
    html`<li><button type="button" @click=${() => download(made, type, [text()])}>${says}</button>
      <span class="aside">${about}</span></li>`;
  const origin = { base: BASE, now, uuid: () => crypto.randomUUID() };
  const summary = (leftOut: string[] = []): object =>
    patientSummary(words(), patient ?? unknownPatient(words(), store.patient), all, { ...origin, leftOut });
  return html`<p class="lead">${t('{records} of this chart, made into a file in this browser.', {
    records: t('{n} record|{n} records', { n: all.length }),
  })} ${t(WHOSE[store.source.name])}</p>
    ${
      missing.length > 0
        ? html`<p class="state">${t('Not complete, since not all was granted, loaded or readable: {sections}.', {
            sections: missing.join(', '),
          })}</p>`
        : nothing
    }
    ${hasUntypedOmissions(store) ? html`<p class="state">${t(MORE_UNTYPED)}</p>` : nothing}
    ${
      patient
        ? nothing
        : html`<p class="state">${t('There is no Patient here: name, sex and birth date are not known.')}</p>`
    }
    ${aside(store.source.name === 'session' && t('This chart has loaded these records. The server may have others.'))}
    <h3>${t('Download')}</h3>
    <ul class="save-chart" role="list">
      ${file(
        t('Patient summary'),
        [t('A FHIR document in the form of the International Patient Summary.'), ...carriedText(all)].join(' '),
        `${name}-summary.json`,
        FHIR,
        () => printed(summary()),
      )}
      ${file('Bundle', t('All records in one FHIR Bundle.'), `${name}.json`, FHIR, () => collection(BASE, all, now))}
      ${file('NDJSON', t('One record per line, for programs.'), `${name}.ndjson`, NDJSON, () => ndjson(all))}
    </ul>
    <h3>${t('On paper')}</h3>
    <p class="save-chart-words">${t(
      'The open page, unfolded; each sheet says whose chart it is, when it was printed, and its number.',
    )}</p>
    <p class="actions"><button type="button" @click=${printChart}>${t('Print')}</button></p>
    ${link?.view(summary) ?? nothing}`;
}

function printChart(): void {
  document.querySelector<HTMLDialogElement>('dialog.drawer')?.close();
  requestAnimationFrame(() => print());
}
