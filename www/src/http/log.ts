//! The exchanges of this page, newest first, as the drawer of requests shows them. They are kept in memory alone.

import { signal } from '@preact/signals-core';
import type { Exchange } from './exchange.ts';

const KEPT = 200;

export const exchanges = signal<readonly Exchange[]>([]);

/** The time at which the exchanges with the server were dropped last. */
let droppedAt: Date | undefined;

/** Drops the exchanges with the server: when a session ends, its records go with it, also those on their way. */
export const dropServerExchanges = (): void => {
  droppedAt = new Date();
  exchanges.value = exchanges.value.filter(({ where }) => where === 'local');
};

/** Drops the exchanges with the engine: when files are closed, their records go with them. */
export const dropLocalExchanges = (): void => {
  exchanges.value = exchanges.value.filter(({ where }) => where === 'edge');
};

export function logExchange(exchange: Exchange): Exchange {
  if (droppedAt && exchange.where === 'edge' && exchange.at < droppedAt) return exchange;
  exchanges.value = [exchange, ...exchanges.value].slice(0, KEPT);
  return exchange;
}
