//! One record in the drawer: its meaning, its text, its provenance (loaded only on request), and its JSON.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '#reading/fhir/date.ts';
import { type ElementLine, elementTree } from '#reading/fhir/element-tree.ts';
import { printed } from '#reading/fhir/json.ts';
import { recordAddress, referredAddress } from '#reading/fhir/record-address.ts';
import { concept, plain, reference } from '#reading/fhir/text.ts';
import { isOfType, ofType, type Provenance, type Resource } from '#reading/fhir/types.ts';
import { type Meaning, meaningOf } from '#reading/records/meaning.ts';
import { usualRanges } from '#reading/results/flags/usual-range.ts';
import { related } from '#reading/results/related.ts';
import { valueLabel } from '#reading/results/values/value-label.ts';
import { versionInFile } from '#reading/versions/as-r4.ts';
import { isDeveloper } from '../../developer.ts';
import { errorText } from '../../error-text.ts';
import { narrative } from '../../fhir/narrative.ts';
import type { Exchange } from '../../http/exchange.ts';
import { rich, t, translated, words } from '../../language/message.ts';
import { block, copyButton } from '../../parts/copy.ts';
import { openDrawer } from '../../parts/drawer.ts';
import { fact } from '../../parts/fact.ts';
import { aside, empty, failed, notGranted, waiting } from '../../parts/notice.ts';
import { exchangeView } from '../../parts/requests.ts';
import { tag } from '../../parts/tag.ts';
import { provenanceQuery } from '../../source/abilities.ts';
import { versionReason } from '../../source/remark-words.ts';
import { addPage, ExchangeError, noResult, resourceIn } from '../../source/source.ts';
import type { ChartStore } from '../loading/store.ts';
import { patientOf } from '../patient.ts';
import { documentWords } from '../summary-document/view.ts';
import { plainResultView } from '../values/plain-words.ts';
import { usualSources, usualView } from '../values/usual.ts';

type ProvenanceState =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  | { is: 'not offered' }
  | { is: 'failed'; exchange: Exchange | undefined; says: string }
  | { is: 'loaded'; exchange: Exchange; list: Provenance[] };

export function openResource(resource: Resource, store: ChartStore): void {
  const address = recordAddress(resource);
  const links = [...new Set(addressesIn(resource))].filter((to) => to !== address);
  const provenance = signal<ProvenanceState | undefined>(undefined);
  const problem = signal<TemplateResult | undefined>(undefined);

  const askProvenance = async (): Promise<void> => {
    provenance.value = { is: 'waiting' };
    provenance.value = await provenanceOf(resource, store);
  };
  /** Opens a record that this one refers to, if it may be read. */
  const follow = async (to: string): Promise<void> => {
    const known = store.find(to);
    if (known) return openResource(known, store);
    const exchange = await store.source.read(to);
    try {
      const [read = resourceIn(exchange)] = await store.named([resourceIn(exchange)]);
      const [record = read] = isOfPatient(read, store.patient) ? related([read], () => patientOf(store)) : [];
      return openResource(record, store);
    } catch (error) {
      problem.value = error instanceof ExchangeError ? failed(exchange) : failed(undefined, errorText(error));
    }
  };

  const meaning = meaningOf(words(), resource, [...store.all().values()]);
  const from = versionInFile(resource);
  openDrawer(() => ({
    title: titleOf(meaning),
    body: html`${meaningView(meaning, resource.resourceType)}${plainResultView(resource)}${documentWords(resource)}
      ${usualFacts(resource)}${detailsView(resource)}
      ${
        resource.text?.div
          ? html`<h3>${t('In its own words')}</h3><div class="narrative">${narrative(resource.text.div)}</div>`
          : nothing
      }
      <h3>${t('Where it comes from')}</h3>
      ${
        provenance.value === undefined
          ? html`<p class="actions"><button type="button" @click=${askProvenance}>${t(
              'Ask for its provenance',
            )}</button></p>`
          : provenanceView(provenance.value)
      }
      ${links.length ? html`<h3>${t('What it refers to')}</h3>${linkList(links, store, follow)}` : nothing}
      ${problem.value ?? nothing}
      <details class="folded record-json" ?open=${isDeveloper()}><summary>${t('The record as JSON')}</summary>
        <p class="lead">${rich('{address}, version {version}, last changed {date}', {
          address: html`<code class="breakable">${address}</code>`,
          version: resource.meta?.versionId ?? '—',
          date: clockDate(words(), resource.meta?.lastUpdated) || '—',
        })}</p>
        ${from ? html`<p class="detail">${versionReason(from)}</p>` : nothing}
        ${(resource.meta?.profile ?? []).map(
          (profile) => html`<p class="detail breakable"><span class="label">${t('Profile')}</span> ${profile}</p>`,
        )}
        <p class="actions">${copyButton(() => printed(resource), 'JSON')}</p>
        ${block(printed(resource), t('{address} as JSON', { address }))}</details>`,
  }));
}

const titleOf = ({ kind, what }: Meaning): string => (what ? `${translated(kind)}: ${what}` : translated(kind));

/** Returns the title of a linked record. Includes a caution, so that an uncertain record does not read as a fact. */
const linkTitle = (meaning: Meaning): string =>
  meaning.caution ? `${titleOf(meaning)} (${meaning.caution})` : titleOf(meaning);

function meaningView({ what, when, who, status, value, caution }: Meaning, type: string): TemplateResult {
  const known = (label: string, said: unknown): TemplateResult | typeof nothing => (said ? fact(label, said) : nothing);
  return html`${caution ? html`<p>${tag(caution, 'alert')}</p>` : nothing}<dl
    class="facts meaning">${known(t('What'), what)}${known(t(valueLabel(type)), value)}${known(
      type === 'Patient' ? t('Born') : t('When'),
      when && clockDate(words(), when),
    )}${known(t('Who'), who)}${known(t('Status'), status)}</dl>`;
}

/** Returns whether a record is an observation of the patient. Only these get facts from the patient, such as ranges. */
const isOfPatient = (resource: Resource, patient: string): boolean =>
  isOfType('Observation', resource) && referredAddress(resource.subject?.reference) === `Patient/${patient}`;

/** Draws the usual range of a vital sign with its source, or why there is none. */
function usualFacts(resource: Resource): TemplateResult | typeof nothing {
  const usual = isOfType('Observation', resource) ? usualRanges(words(), resource) : [];
  return usual.length > 0 ? html`<p class="detail">${usualView(usual)}</p>${usualSources(usual)}` : nothing;
}

/** Draws links to the records that a record refers to, with titles if they are loaded. */
const linkList = (links: string[], store: ChartStore, follow: (to: string) => Promise<void>): TemplateResult =>
  html`<ul class="links" role="list">${links.map((to) => {
    const known = store.find(to);
    return html`<li><button type="button" class="quiet inset" @click=${() => follow(to)}>${
      known ? linkTitle(meaningOf(words(), known)) : to
    }</button></li>`;
  })}</ul>`;

async function provenanceOf({ resourceType, id }: Resource, store: ChartStore): Promise<ProvenanceState> {
  const why = await store.whyWithheld('Provenance', 'search');
  if (why) return { is: 'withheld', why };
  const query = provenanceQuery(resourceType, id, await store.source.abilities?.());
  if (query === undefined) return { is: 'not offered' };
  const exchange = await store.source.search(query);
  const result = noResult([exchange]);
  try {
    addPage(result, exchange);
    return {
      is: 'loaded',
      exchange,
      list: await store.named(ofType('Provenance', [...result.matches, ...result.included])),
    };
  } catch (error) {
    return { is: 'failed', exchange: error instanceof ExchangeError ? exchange : undefined, says: errorText(error) };
  }
}

function provenanceView(state: ProvenanceState): TemplateResult {
  if (state.is === 'waiting') return waiting(t('its provenance'));
  if (state.is === 'withheld') return notGranted(state.why);
  if (state.is === 'not offered') return empty(t('Who recorded it is not shown: this server does not offer it.'));
  if (state.is === 'failed') return failed(state.exchange, state.says);
  const { list, exchange } = state;
  return html`${
    list.length === 0 ? empty(t('No provenance is recorded for it.')) : list.map(oneProvenance)
  }${exchangeView(exchange)}`;
}

const oneProvenance = ({ recorded, activity, agent = [], entity = [] }: Provenance): TemplateResult =>
  html`<div class="provenance">
      <p class="title">${clockDate(words(), recorded)}${activity ? html` · ${concept(words(), activity)}` : nothing}</p>
      <dl class="people">${agent.map(({ type, who, onBehalfOf }) =>
        fact(
          concept(words(), type) ?? t('Agent'),
          html`${reference(words(), who)}${
            onBehalfOf
              ? html` <span class="aside">${t('for {name}', { name: reference(words(), onBehalfOf) ?? '' })}</span>`
              : nothing
          }`,
        ),
      )}</dl>
      ${entity.map(
        ({ role, what }) =>
          html`<p class="detail"><span class="label">${plain(words(), role)}</span> ${reference(words(), what)}</p>`,
      )}
    </div>`;

/** Returns all addresses (`Type/id`) that a record refers to. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'reference' && typeof inner === 'string'
      ? (/^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(inner) ?? [])
      : addressesIn(inner),
  );
}

const lineView = ({ label, values, groups }: ElementLine): TemplateResult =>
  html`<div class=${groups.length > 0 ? 'nested' : nothing}><dt>${label}</dt><dd>${values.map(
    (value) => html`<p>${value}</p>`,
  )}${groups.map((group) => html`<dl class="elements inner">${group.map(lineView)}</dl>`)}</dd></div>`;

/** Draws a record element by element. Draws nothing if it has no elements to show. */
function detailsView(resource: Resource): TemplateResult | typeof nothing {
  const { lines, isCut } = elementTree(words(), resource);
  if (lines.length === 0 && !isCut) return nothing;
  return html`<h3>${t('Details')}</h3><dl class="elements">${lines.map(lineView)}</dl>${aside(
    isCut && t('It has more than is listed here. The JSON has all of it.'),
  )}`;
}
