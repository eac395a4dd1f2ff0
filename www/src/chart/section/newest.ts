//! Lists that begin with their newest entries. The others follow a button, which says how many there are, and are made
//! when it is pressed: a chart may have hundreds of visits.

import { type Signal, signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Resource } from '#reading/fhir/types.ts';
import { t } from '../../language/message.ts';
import { watching } from '../../parts/watching.ts';
import type { ChartStore } from '../loading/store.ts';

/** The number of entries that are always shown, unless a list says another. */
const SHOWN = 3;

/** True while the page is printed: a print has all entries. */
export const isPrinting = signal(false);

/** The lists of each open chart that show all entries, by their names. They do while the reader visits a trend. */
const lists = new WeakMap<ChartStore, Map<string, Signal<boolean>>>();
function isOpenOf(store: ChartStore, name: string): Signal<boolean> {
  const known = lists.get(store) ?? new Map<string, Signal<boolean>>();
  lists.set(store, known);
  const isOpen = known.get(name) ?? signal(false);
  known.set(name, isOpen);
  return isOpen;
}

export interface Folding<T> {
  /** The name of the list, which is unique in a chart. The button says it to a screen reader. */
  name: string;
  /** The number of entries that are always shown. */
  most?: number;
  /** Returns whether an entry is always shown, however old it is. */
  stays?: (one: T) => boolean;
}

/** Returns a function that returns whether a record is the first of its key among some valid ones, the newest first. */
export function latestOf<T extends Resource>(all: readonly T[], keyOf: (one: T) => string): (one: T) => boolean {
  const latest = new Set([...Map.groupBy(all, keyOf).values()].map(([first]) => first));
  return (one) => latest.has(one);
}

/**
 * Draws the newest of some entries, which are in order, and the others behind a button. `draw` draws some of them.
 * Draws nothing if there are none.
 */
export function newestOf<T>(
  all: readonly T[],
  draw: (some: readonly T[]) => unknown,
  { name, most = SHOWN, stays }: Folding<T>,
  store: ChartStore,
): unknown {
  if (all.length === 0) return nothing;
  const shown = new Set(all.filter((one, i) => i < most || stays?.(one)));
  const others = all.filter((one) => !shown.has(one));
  if (others.length === 0) return draw(all);
  const isOpen = isOpenOf(store, name);
  const press = (): void => {
    isOpen.value = !isOpen.value;
  };
  const rest = (): TemplateResult => {
    const isShown = isOpen.value || isPrinting.value;
    return html`<button type="button" class="quiet unfold" aria-expanded=${isShown} @click=${press}>${
      isShown ? t('Show fewer') : t('Show all {n}', { n: all.length })
    }<span class="visually-hidden"> ${name}</span></button>${isShown ? draw(others) : nothing}`;
  };
  return html`${draw([...shown])}${watching(rest)}`;
}
