//! The part of a chart that shows growth. Its curves are fetched on first use.

import { signal } from '@preact/signals-core';
import { html, type TemplateResult } from 'lit-html';
import { ofType } from '#reading/fhir/types.ts';
import { VITALS } from '../../chart/loading/observation-searches.ts';
import type { ChartStore } from '../../chart/loading/store.ts';
import { t } from '../../language/message.ts';
import { empty, failed, notGranted, waiting } from '../../parts/notice.ts';
import { obstacleText } from '../../source/abilities.ts';

type GrowthModule = typeof import('../../growth/view.ts');

let fetched: GrowthModule | undefined;

export class GrowthPart {
  readonly #store: ChartStore;
  readonly #module = signal<GrowthModule | 'failed' | undefined>(fetched);
  #isFetching = false;

  constructor(store: ChartStore) {
    this.#store = store;
  }

  /** Draws the growth, or says why it is not shown yet. */
  view(): TemplateResult {
    const store = this.#store;
    const { value: module } = this.#module;
    const state = store.load(VITALS);
    if (state.is === 'withheld') return notGranted(state.why);
    if (state.is === 'not offered') return empty(obstacleText(state.obstacle));
    if (state.is === 'failed') return failed(state.exchange, state.says);
    if (module === 'failed') {
      return html`${failed(undefined, t('The growth curves could not be loaded.'))}
        <p class="actions"><button type="button" @click=${() => this.#fetch()}>${t('Try again')}</button></p>`;
    }
    if (!module) void this.#fetch();
    if (!module || state.is === 'waiting') return waiting(t('growth'));
    return module.growthView(ofType('Observation', state.found.matches), store);
  }

  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#module.value = undefined;
    try {
      fetched = await import('../../growth/view.ts');
      this.#module.value = fetched;
    } catch {
      this.#module.value = 'failed';
    }
    this.#isFetching = false;
  }
}
