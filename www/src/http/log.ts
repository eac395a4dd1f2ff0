//! The exchanges of this page, newest first, for the drawer of requests. They are kept in memory only.

import { signal } from '@preact/signals-core';
import type { Exchange } from './exchange.ts';

const KEPT = 200;

export const exchanges = signal<readonly Exchange[]>([]);

/** The time at which the exchanges with the server were last dropped. */
let droppedAt: Date | undefined;

/** Drops the exchanges with the server, including pending ones. Called when a session ends. */
export const dropServerExchanges = (): void => {
  droppedAt = new Date();
  exchanges.value = exchanges.value.filter(({ where }) => where === 'local');
};

/** Drops the exchanges with the engine. Called when files are closed. */
export const dropLocalExchanges = (): void => {
  exchanges.value = exchanges.value.filter(({ where }) => where === 'edge');
};

export function logExchange(exchange: Exchange): Exchange {
  if (droppedAt && exchange.where === 'edge' && exchange.at < droppedAt) return exchange;
  exchanges.value = [exchange, ...exchanges.value].slice(0, KEPT);
  return exchange;
}
