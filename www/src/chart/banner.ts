//! The banner of a chart: the patient's name, age, sex, birth date and record number, and what must be seen first.
//! While the page scrolls, a line with the patient stays in sight.

import { html, nothing, type TemplateResult } from 'lit-html';
import { age, date } from '#reading/fhir/date.ts';
import { addressOf, byUse, capital, concept, isOld, plain, references } from '#reading/fhir/text.ts';
import type { Patient } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { notInUse } from '#reading/people/in-use.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Message, type PlainMessage, rich, t, words } from '../language/message.ts';
import { empty, failed, notGranted, waiting } from '../parts/notice.ts';
import { exchangeView, openRequests } from '../parts/requests.ts';
import { tag } from '../parts/tag.ts';
import { patientsUrl, type SourceName } from '../routes.ts';
import { obstacleText } from '../source/abilities.ts';
import { EVENTS, eventLine } from './allergies/adverse-events.ts';
import { ALLERGIES } from './allergies/allergies.ts';
import { allergyLine, allergyNames } from './allergies/allergy-line.ts';
import { BORROWED, CONSENTS, directiveLine } from './care/consents.ts';
import { FLAGS, flagLine } from './care/flags.ts';
import { OTHER_OBSERVATIONS } from './loading/observation-searches.ts';
import type { ChartStore } from './loading/store.ts';
import * as person from './patient.ts';
import { openResource } from './record/resource.ts';
import { LISTS } from './section/named-elsewhere.ts';
import { DOCUMENTS } from './summary-document/documents.ts';
import { documentLine } from './summary-document/line.ts';

const fact = (label: string, value: unknown): TemplateResult | typeof nothing =>
  value ? html`<div><dt class="narrow-hidden">${label}</dt><dd>${value}</dd></div>` : nothing;

export function banner(store: ChartStore): TemplateResult {
  const state = store.load(person.PATIENT);
  const p = person.patientOf(store);
  const missing = person.isMissing(store);
  const absent = person.isAbsent(store);
  // All states share one heading element, so that it keeps the focus.
  const name = p
    ? person.patientName(p)
    : missing
      ? t(NO_SUCH_PATIENT[store.source.name].title)
      : state.is === 'waiting'
        ? t('Chart')
        : person.absentName(store.patient);
  return html`<header class="patient">
    <div class="patient-name"><h1 tabindex="-1">${name}</h1>${p ? tags(p) : nothing}</div>
    ${
      p
        ? html`${about(p)}${lines(store)}`
        : absent
          ? html`${empty(t(NO_PATIENT))}${lines(store)}`
          : state.is === 'waiting'
            ? waiting(t('the patient'))
            : state.is === 'withheld'
              ? notGranted(state.why, state.wasAsked)
              : state.is === 'not offered'
                ? empty(obstacleText(state.obstacle))
                : state.is === 'failed'
                  ? missing
                    ? noSuchPatient(store, state.exchange)
                    : failed(state.exchange, state.says)
                  : nothing
    }
    ${
      !isBannerWaiting(store) && (absent || !['waiting', 'failed'].includes(state.is))
        ? html`<p class="actions"><button type="button" class="quiet" @click=${() => saveChart(store)}>${t(
            'Share or print',
          )}</button>
      ${
        p && state.is === 'loaded'
          ? html`<button type="button" class="quiet" @click=${() => openResource(p, store)}>${t(
              'Patient record',
            )}</button>
      <button type="button" class="quiet for-developers" @click=${() =>
        openRequests(state.found.exchanges, t('Patient: the request'))}>${t('Request')}</button>`
          : nothing
      }</p>`
        : nothing
    }
  </header>`;
}

/** Draws the lines below the facts: allergies, documents, alerts, directives and events. */
function lines(store: ChartStore): TemplateResult {
  // Allergies are loaded first and stand first, so that the other lines do not move them.
  const allergies = allergyLine(store);
  return html`${allergies}${documentLine(store)}${flagLine(store)}${directiveLine(store)}${eventLine(store)}`;
}

/** The searches of the banner, and those with many pages, for which the chart of a server does not wait. */
const SEARCHES = [ALLERGIES, FLAGS, CONSENTS, EVENTS, DOCUMENTS, LISTS, ...BORROWED];
const LONG = [OTHER_OBSERVATIONS, LISTS];

/** Returns whether a part of the banner is still loading: the banner would grow with it. */
export const isBannerWaiting = (store: ChartStore): boolean =>
  SEARCHES.some(
    (query) => (store.source.name !== 'session' || !LONG.includes(query)) && store.load(query).is === 'waiting',
  );

/** Opens the drawer to save the chart. Its code is loaded only then. */
async function saveChart(store: ChartStore): Promise<void> {
  const { openSaveChart } = await import('./save-chart.ts');
  openSaveChart(store);
}

/** Draws the patient in a line, for use while the banner is out of sight. */
export function patientLine(store: ChartStore): TemplateResult | typeof nothing {
  const p = person.patientOf(store);
  const { says, isAnyNamed } = allergyNames(store);
  // Only a named allergy has the colour of danger.
  const allergies = html`<span class="whose-allergies" data-named=${isAnyNamed}>${says}</span>`;
  if (person.isAbsent(store)) {
    return html`<span><strong>${person.absentName(store.patient)}</strong></span> ${allergies}`;
  }
  if (!p) return nothing;
  const died = p.deceasedDateTime || p.deceasedBoolean;
  return html`<span><strong>${person.patientName(p)}</strong> ${joinedBy(
    ' · ',
    ...notInUse(words(), p),
    died ? t('died') : age(words(), p.birthDate, new Date()),
    p.gender ? capital(plain(words(), p.gender)) : '',
    date(words(), p.birthDate, { short: true }),
  )}</span> ${allergies}`;
}

const NO_PATIENT: PlainMessage =
  'Your files have records of this patient and no Patient: name, sex and birth date are not known.';

/** The words for a patient whom a source does not have or does not show. */
const NO_SUCH_PATIENT = {
  sample: {
    title: 'No such patient in the sample',
    says: 'The sample holds no patient with the id {id}.',
    why: 'The address may be mistyped.',
    list: 'Patients of the sample',
  },
  session: {
    title: 'This session sees no such patient',
    says: 'The server shows this session no patient with the id {id}.',
    why: 'The address may be mistyped, or the record may be one that was not shared.',
    list: 'Patients of this session',
  },
  files: {
    title: 'No such patient in your files',
    says: 'Your files hold no patient with the id {id}.',
    why: 'The address may be of files that were open before.',
    list: 'Patients of your files',
  },
} as const satisfies Record<SourceName, { title: PlainMessage; says: Message; why: PlainMessage; list: PlainMessage }>;

function noSuchPatient({ source, patient }: ChartStore, exchange: Exchange | undefined): TemplateResult {
  const { says, why, list } = NO_SUCH_PATIENT[source.name];
  return html`<div class="missing"><p>${rich(says, {
    id: html`<code class="breakable">${patient}</code>`,
  })} ${t(why)}</p>
    <p class="actions"><a class="button primary" href=${patientsUrl(source.name)}>${t(list)}</a></p>
    ${exchange ? exchangeView(exchange) : nothing}</div>`;
}

const tags = (p: Patient): TemplateResult => html`
  ${notInUse(words(), p).map((says) => tag(says, 'alert'))}
  ${
    p.deceasedDateTime
      ? tag(t('Died {date}', { date: date(words(), p.deceasedDateTime, { short: true }) }), 'alert')
      : p.deceasedBoolean
        ? tag(t('Died'), 'alert')
        : nothing
  }
  ${p.multipleBirthInteger ? tag(t('Twin or multiple: {order}', { order: p.multipleBirthInteger })) : nothing}`;

function about(p: Patient): TemplateResult {
  const record = person.recordNumber(p);
  const died = p.deceasedDateTime;
  // Nobody lives at an office, or at an address for bills.
  const [home] = byUse((p.address ?? []).filter(({ use = '' }) => !['work', 'billing'].includes(use)));
  const language = p.communication?.find(({ preferred }) => preferred) ?? p.communication?.[0];
  return html`<dl class="facts">
    ${fact(died ? t('Age at death') : t('Age'), person.ageOf(p, Date.now()))}
    ${fact(t('Sex'), p.gender ? capital(plain(words(), p.gender)) : person.missingText(p, 'gender'))}
    ${fact(t('Born'), date(words(), p.birthDate, { short: true }) || person.missingText(p, 'birthDate'))}
    ${fact(record?.label ?? t('Record number'), record?.value)}
    ${fact(home && isOld(home) ? t('Lived at') : t('Lives at'), addressOf(home))}
    ${fact(t('Language'), capital(concept(words(), language?.language) ?? ''))}
    ${fact(t('General practitioner'), references(words(), p.generalPractitioner))}
  </dl>`;
}
