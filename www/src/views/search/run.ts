//! A run of a search on this page, with its answer.

import { clipped } from '#reading/fhir/text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { t } from '../../language/message.ts';
import { type Answer, countsOnly, idsOf } from '../../search/compare.ts';

/** A search that was run, once or several times: its first exchange, and the time of each in milliseconds. */
export interface Run {
  /** Counted from 1 on this page. */
  number: number;
  query: string;
  exchange: Exchange;
  times: number[];
}

export const PLACES = { edge: 'the server', local: 'this browser' } as const;

/** Returns the names of two runs: their places, or their numbers if the place is the same. */
export function runNames([first, second]: [Run, Run]): [string, string] {
  const places = [first.exchange.where, second.exchange.where] as const;
  return places[0] === places[1]
    ? [t('run {number}', { number: first.number }), t('run {number}', { number: second.number })]
    : [t(PLACES[places[0]]), t(PLACES[places[1]])];
}

export function runAnswers(runs: [Run, Run]): [Answer, Answer] {
  const names = runNames(runs);
  const answer = ({ query, exchange: { where, status, body } }: Run, name: string): Answer => ({
    name,
    where,
    query,
    status,
    body,
  });
  return [answer(runs[0], names[0]), answer(runs[1], names[1])];
}

/** Returns the title of a run in a list: `3 · the server · 23 matches · Observation?…`. */
export function runTitle({ number, query, exchange: { where, status, body } }: Run): string {
  const { matches, total } = idsOf(body);
  const found = countsOnly(query)
    ? t('counts {count}', { count: total ?? t('nothing#count') })
    : t('{n} match|{n} matches', { n: matches.length });
  const outcome = status === 200 ? found : status || t('failed');
  return `${number} · ${t(PLACES[where])} · ${outcome} · ${clipped(query, 80)}`;
}
