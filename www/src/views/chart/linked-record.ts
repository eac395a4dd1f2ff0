//! The record in the address of a chart. It is opened in the drawer over the summary once it is loaded.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { typesOf } from '#reading/fhir/other-types.ts';
import { typeOf } from '#reading/fhir/record-address.ts';
import type { ChartStore } from '../../chart/loading/store.ts';
import { openResource } from '../../chart/record/resource.ts';
import { SEARCHES } from '../../chart/sections.ts';
import { t } from '../../language/message.ts';
import { onceDrawerCloses } from '../../parts/drawer.ts';
import { chartUrl } from '../../routes.ts';
import { onceDrawn } from '../../scheduling.ts';

/** Returns whether a search of the chart is under way. Begins the deferred searches that may find the type. */
const isWaiting = (store: ChartStore, type: string): boolean =>
  SEARCHES.some(
    (query) => (typesOf(query).includes(type) ? store.load(query) : store.loadInTime(query)).is === 'waiting',
  );

export class LinkedRecord {
  readonly #store: ChartStore;
  readonly #address: string;
  /** The state of the record: to be opened, open, or closed or left. */
  readonly #is = signal<'wanted' | 'opened' | 'over'>('wanted');

  /** `address`: the `Type/id` of the record. */
  constructor(store: ChartStore, address: string) {
    this.#store = store;
    this.#address = address;
  }

  /** Forgets the record when its view is left. */
  stop(): void {
    this.#is.value = 'over';
  }

  /**
   * Opens the record as soon as it is loaded. Returns a notice if the chart has no such record: the record of another
   * patient is never shown over this chart.
   */
  view(): TemplateResult | typeof nothing {
    if (this.#is.value !== 'wanted') return nothing;
    const record = this.#store.all().get(this.#address);
    if (record) {
      onceDrawn(() => {
        if (this.#is.value !== 'wanted') return;
        this.#is.value = 'opened';
        openResource(record, this.#store);
        onceDrawerCloses(() => this.#leaveAddress());
      });
      return nothing;
    }
    if (isWaiting(this.#store, typeOf(this.#address))) return nothing;
    return html`<p class="banner-note" role="status">${t(
      'The record that this address names is not among those of this chart that can be shown.',
    )}</p>`;
  }

  /** Replaces the address of the record with that of the chart. */
  #leaveAddress(): void {
    if (this.#is.value !== 'opened') return;
    this.#is.value = 'over';
    history.replaceState(history.state, '', chartUrl(this.#store.source.name, this.#store.patient));
  }
}
