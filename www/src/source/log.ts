//! Everything that this page asked, newest first: what the requests drawer shows. Kept in memory, and not for ever.

import { watched } from '../state.ts';
import type { Exchange } from './source.ts';

const KEPT = 200;

export const exchanges = watched<readonly Exchange[]>([]);

/** Drops what the server answered: with a session its records go. */
export const forgetAnswers = (): void => exchanges.set(exchanges.value.filter(({ where }) => where === 'local'));

export function noted(exchange: Exchange): Exchange {
  exchanges.set([exchange, ...exchanges.value].slice(0, KEPT));
  return exchange;
}
