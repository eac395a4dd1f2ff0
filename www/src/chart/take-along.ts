//! Taking a chart along: downloads, a print, and a link to the page.

import { html, nothing, type TemplateResult } from 'lit-html';
import { collection, ndjson } from '../export/bundle.ts';
import { patientSummary } from '../export/patient-summary.ts';
import type { Resource } from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { copyButton, download } from '../parts/copy.ts';
import { openDrawer } from '../parts/drawer.ts';
import { waiting } from '../parts/notice.ts';
import type { SourceName } from '../routes.ts';
import { BASE } from '../smart/server.ts';
import { omissionsOf } from './omissions.ts';
import { patientOf } from './patient.ts';
import type { Section } from './section.ts';
import { SECTIONS } from './sections.ts';
import type { ChartStore } from './store.ts';

const FHIR = 'application/fhir+json';
const NDJSON = 'application/fhir+ndjson';

/** The titles of sections of which nothing, or not all, is there. */
function incomplete(store: ChartStore): string[] {
  const isWhole = (section: Section): boolean =>
    section.queries.every((query) => store.load(query).is === 'loaded') && omissionsOf(section, store).length === 0;
  return SECTIONS.filter((section) => !isWhole(section)).map(({ title }) => t(title));
}

const isWaiting = (store: ChartStore): boolean =>
  SECTIONS.some(({ queries }) => queries.some((query) => store.load(query).is === 'waiting'));

/** Opens the drawer. The searches of all sections are made first, so that the files have the whole chart. */
export function openTakeAlong(store: ChartStore): void {
  openDrawer(() => ({
    title: t('Take it along'),
    body: isWaiting(store) ? waiting(t('the whole chart')) : bodyView(store),
  }));
}

/** What is taken along, and where a link to it leads, by the source of the records. */
const OF_SOURCE = {
  sample: {
    whose: 'The person of the sample is made up.',
    link: 'It leads to the same page of the sample.',
  },
  session: {
    whose: 'What you take along leaves the protection of the server: keep it as you keep other papers of this person.',
    link: 'It holds no record. Whoever signs in here and may see this patient can open it.',
  },
  files: {
    whose: 'They are the records of your files, as they were read. They are made in this tab, and nothing is sent.',
    link: 'There is none: your files are open in this tab alone, and no address leads to them.',
  },
} as const satisfies Record<SourceName, { whose: PlainMessage; link: PlainMessage }>;

function bodyView(store: ChartStore): TemplateResult {
  const patient = patientOf(store);
  const all: Resource[] = [...store.all().values()];
  const missing = incomplete(store);
  const now = new Date();
  // The name of the file names no person.
  const name = `chart-${now.toISOString().slice(0, 10)}`;
  const file = (says: string, about: string, made: string, type: string, text: () => string): TemplateResult =>
    html`<li><button type="button" @click=${() => download(made, type, [text()])}>${says}</button>
      <span class="aside">${about}</span></li>`;
  const origin = { base: BASE, now, uuid: crypto.randomUUID() };
  return html`<p class="lead">${t('{records} of this chart, made into a file in this browser.', {
    records: t('{n} record|{n} records', { n: all.length }),
  })} ${t(OF_SOURCE[store.source.name].whose)}</p>
    ${
      missing.length > 0
        ? html`<p class="state">${t('Not complete, since not all was granted, loaded or readable: {sections}.', {
            sections: missing.join(', '),
          })}</p>`
        : nothing
    }
    <h3>${t('Download')}</h3>
    <ul class="take-along" role="list">
      ${
        patient
          ? file(
              t('Patient summary'),
              t('A FHIR document in the form of the International Patient Summary.'),
              `${name}-summary.json`,
              FHIR,
              () => patientSummary(patient, all, origin),
            )
          : nothing
      }
      ${file('Bundle', t('All records in one FHIR Bundle.'), `${name}.json`, FHIR, () => collection(BASE, all, now))}
      ${file('NDJSON', t('A record a line, as loaders take it.'), `${name}.ndjson`, NDJSON, () => ndjson(all))}
    </ul>
    <h3>${t('On paper')}</h3>
    <p>${t('The page that is open, with nothing folded, and on each sheet whose chart it is, when it was printed, and its number.')}</p>
    <p class="actions"><button type="button" @click=${printChart}>${t('Print')}</button></p>
    <h3>${t('A link to this page')}</h3>
    <p>${t(OF_SOURCE[store.source.name].link)}</p>
    ${
      store.source.name === 'files'
        ? nothing
        : html`<p class="actions">${copyButton(() => location.href, t('link'))}</p>`
    }`;
}

/** Prints the chart, and not the drawer. */
function printChart(): void {
  document.querySelector<HTMLDialogElement>('dialog.drawer')?.close();
  requestAnimationFrame(() => print());
}
