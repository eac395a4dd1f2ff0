//! Who holds the records: the server at the edge, or the sample in this browser. The chart does not care which.

import type { Grant } from '../engine/types.ts';
import type { Bundle, Resource } from '../fhir/types.ts';
import type { SourceName } from '../routes.ts';
import { BASE } from '../smart/server.ts';

/** One question and its answer, as it went over the wire or to the engine. */
export interface Exchange {
  where: 'edge' | 'local';
  method: string;
  url: string;
  /** Without secrets: a token is shown as its beginning. */
  headers: Record<string, string>;
  sent?: string;
  at: Date;
  status: number;
  statusText?: string;
  answerHeaders: Record<string, string>;
  text: string;
  body: unknown;
  ms: number;
  bytes: number;
  rowsRead?: number;
  trips?: number;
}

export interface Source {
  readonly name: SourceName;
  /** What it may see; nothing: all of it. */
  readonly grant: Grant | undefined;
  /** Changes whenever the answers may. */
  readonly key: string;
  /** `Type?…` below the base, or the link of a further page. */
  search(query: string): Promise<Exchange>;
  read(address: string): Promise<Exchange>;
}

/** No answer but a refusal. */
export class Failed extends Error {
  constructor(readonly exchange: Exchange) {
    super(`HTTP ${exchange.status}`);
  }
}

/** How many pages are followed: a section is for reading, not for exporting. */
const PAGES = 20;

export interface Found {
  matches: Resource[];
  included: Resource[];
  exchanges: Exchange[];
  more: boolean;
}

/** All pages of a search. */
export async function everyPage(source: Source, query: string): Promise<Found> {
  const found: Found = { matches: [], included: [], exchanges: [], more: false };
  for (let next: string | undefined = query; next; ) {
    if (found.exchanges.length === PAGES) return { ...found, more: true };
    const exchange = await source.search(next);
    found.exchanges.push(exchange);
    if (exchange.status !== 200) throw new Failed(exchange);
    const bundle = exchange.body as Bundle;
    for (const { resource, search } of bundle.entry ?? []) {
      if (!resource || search?.mode === 'outcome') continue;
      (search?.mode === 'include' ? found.included : found.matches).push(resource);
    }
    next = bundle.link?.find(({ relation }) => relation === 'next')?.url;
    if (next && !next.startsWith(`${BASE}/`))
      throw new Error(`The link to a further page leads elsewhere, and was not followed: ${next}`);
  }
  return found;
}
