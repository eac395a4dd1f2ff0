//! A run of a search on this page, with its answer.

import type { Exchange } from '../../http/exchange.ts';

/** A search that was run, once or several times: its first exchange, and the time of each in milliseconds. */
export interface Run {
  query: string;
  exchange: Exchange;
  times: number[];
}
