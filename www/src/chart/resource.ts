//! One record as it is: its text, who made it and when (asked for only when it is wanted), and the JSON.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '../fhir/date.ts';
import { printed } from '../fhir/json.ts';
import { concept, reference } from '../fhir/text.ts';
import { narrative } from '../fhir/narrative.ts';
import type { Bundle, Provenance, Resource } from '../fhir/types.ts';
import { block, copyButton } from '../parts/copy.ts';
import { openDrawer, redrawDrawer } from '../parts/drawer.ts';
import { failed, notGranted, waiting } from '../parts/notice.ts';
import { exchangeView } from '../parts/requests.ts';
import type { Exchange } from '../source/source.ts';
import type { ChartStore } from './store.ts';

type Origin =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  | { is: 'there'; exchange: Exchange; list: Provenance[] };

export function openResource(resource: Resource, store: ChartStore): void {
  let origin: Origin | undefined;
  let failedRead: Exchange | undefined;
  const address = `${resource.resourceType}/${resource.id}`;
  const ask = async (): Promise<void> => {
    origin = { is: 'waiting' };
    redrawDrawer();
    const cell = await store.cell('Provenance', 'search');
    if (cell && !cell.open) origin = { is: 'withheld', why: cell.why ?? 'No scope opens Provenance' };
    else {
      const exchange = await store.source.search(
        `${resource.resourceType}?_id=${resource.id}&_revinclude=Provenance:target`,
      );
      const list = ((exchange.body as Bundle | undefined)?.entry ?? [])
        .map((entry) => entry.resource)
        .filter((one): one is Provenance => one?.resourceType === 'Provenance');
      origin = { is: 'there', exchange, list };
    }
    redrawDrawer();
  };
  /** Opens what this record refers to, where it may be read. */
  const follow = async (to: string): Promise<void> => {
    const known = store.known(to);
    if (known) return openResource(known, store);
    const exchange = await store.source.read(to);
    if (exchange.status === 200) return openResource(exchange.body as Resource, store);
    failedRead = exchange;
    redrawDrawer();
  };
  const links = [...new Set(addressesIn(resource))].filter((to) => to !== address);
  openDrawer(() => ({
    title: address,
    body: html`<p class="lead">Version ${resource.meta?.versionId ?? '—'}, last changed ${
      clockDate(resource.meta?.lastUpdated) || '—'
    }</p>
      ${(resource.meta?.profile ?? []).map(
        (profile) => html`<p class="detail breakable"><span class="label">Profile</span> ${profile}</p>`,
      )}
      ${
        resource.text?.div
          ? html`<h3>In its own words</h3><div class="narrative">${narrative(resource.text.div)}</div>`
          : nothing
      }
      <h3>Where it comes from</h3>
      ${
        origin === undefined
          ? html`<p class="actions"><button type="button" @click=${ask}>Ask for its provenance</button></p>`
          : provenanceView(origin)
      }
      ${
        links.length
          ? html`<h3>What it refers to</h3><ul class="links" role="list">${links.map(
              (to) =>
                html`<li><button type="button" class="quiet inset" @click=${() => follow(to)}>${to}</button></li>`,
            )}</ul>`
          : nothing
      }
      ${failedRead ? failed(failedRead) : nothing}
      <h3>The record</h3><p class="actions">${copyButton(() => printed(resource), 'JSON')}</p>
      ${block(printed(resource), `${address} as JSON`)}`,
  }));
}

function provenanceView(origin: Origin): TemplateResult {
  if (origin.is === 'waiting') return waiting('its provenance');
  if (origin.is === 'withheld') return notGranted(origin.why);
  if (origin.exchange.status !== 200) return failed(origin.exchange);
  return html`${
    origin.list.length === 0
      ? html`<p class="state empty">No provenance is recorded for it.</p>`
      : origin.list.map(
          (p) => html`<div class="provenance">
      <p class="title">${clockDate(p.recorded)}${p.activity ? html` · ${concept(p.activity)}` : nothing}</p>
      <dl class="people">${(p.agent ?? []).map(
        ({ type, who, onBehalfOf }) =>
          html`<div><dt>${concept(type) ?? 'Agent'}</dt><dd>${reference(who)}${
            onBehalfOf ? html` <span class="aside">for ${reference(onBehalfOf)}</span>` : nothing
          }</dd></div>`,
      )}</dl>
      ${(p.entity ?? []).map(
        ({ role, what }) => html`<p class="detail"><span class="label">${role}</span> ${reference(what)}</p>`,
      )}
    </div>`,
        )
  }${exchangeView(origin.exchange)}`;
}

/** `Type/id` wherever a record refers to one. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'reference' && typeof inner === 'string'
      ? (/^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(inner) ?? [])
      : addressesIn(inner),
  );
}
