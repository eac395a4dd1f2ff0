//! The holders of records, the server at the edge and the engine in this browser, behind one interface.

import type { Grant } from '../engine/types.ts';
import { bundle, type Resource, resourceShape } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import type { SourceName } from '../routes.ts';
import { checked, isShaped } from '../shape.ts';
import { isBelow } from '../smart/address.ts';
import { BASE } from '../smart/server.ts';
import type { Abilities } from './abilities.ts';

/** One request and its answer, over the network or from the engine. */
export interface Exchange {
  where: 'edge' | 'local';
  method: string;
  url: string;
  /** Without secrets: of a token only the beginning is kept. */
  headers: Record<string, string>;
  /** The body of the request, without secrets. */
  sent?: string;
  at: Date;
  /** 0 where no answer came. */
  status: number;
  statusText?: string;
  answerHeaders: Record<string, string>;
  text: string;
  /** The parsed answer, unchecked; nothing where it is no JSON. */
  body: unknown;
  ms: number;
  bytes: number;
  /** Rows that the database read for the answer, and the round trips to it. */
  rowsRead?: number;
  trips?: number;
}

export interface Source {
  readonly name: SourceName;
  /** The authority that it is asked on; without one it shows everything. */
  readonly grant: Grant | undefined;
  /** Changes whenever the answers may. */
  readonly key: string;
  /** Searches by `Type?…` below the base, or by the link of a further page. */
  search(query: string): Promise<Exchange>;
  /** Reads `Type/id`. */
  read(address: string): Promise<Exchange>;
  /** What the server can do; nothing where it does not say it. A source without this can do all that is asked for. */
  abilities?(): Promise<Abilities | undefined>;
}

/** An answer that is not the one that was asked for. */
export class ExchangeError extends Error {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`HTTP ${exchange.status}`);
    this.exchange = exchange;
  }
}

/** The answer 200 as a `Resource`. Throws an `ExchangeError` for another status. */
export function resourceIn(exchange: Exchange): Resource {
  if (exchange.status !== 200) throw new ExchangeError(exchange);
  return checked(resourceShape, exchange.body, 'the record');
}

/** The number of pages that are followed: a section is for reading, not for exporting. */
const PAGES = 20;

export interface SearchResult {
  matches: Resource[];
  included: Resource[];
  /** A sentence for each resource that has not the shape of its type and is left out. */
  malformed: string[];
  exchanges: Exchange[];
  /** True if there are pages that were not followed. */
  more: boolean;
  /** What is missing since the server does not offer it, in sentences. */
  missing?: () => string[];
}

/** Adds the resources of one page, and returns the link to the next. Throws an `ExchangeError` for a refusal. */
export function addPage(result: SearchResult, exchange: Exchange): string | undefined {
  if (exchange.status !== 200) throw new ExchangeError(exchange);
  const { entry = [], link = [] } = checked(bundle, exchange.body, 'the answer');
  for (const [i, { resource, search }] of entry.entries()) {
    if (resource === undefined || search?.mode === 'outcome') continue;
    if (!isShaped(resourceShape, resource)) result.malformed.push(resourceShape(resource, `entry ${i + 1}`) ?? '');
    else (search?.mode === 'include' ? result.included : result.matches).push(resource);
  }
  return link.find(({ relation }) => relation === 'next')?.url;
}

/** All pages of a search. */
export async function allPages(source: Source, query: string): Promise<SearchResult> {
  const result: SearchResult = { matches: [], included: [], malformed: [], exchanges: [], more: false };
  for (let next: string | undefined = query; next; ) {
    if (result.exchanges.length === PAGES) return { ...result, more: true };
    const exchange = await source.search(next);
    result.exchanges.push(exchange);
    next = addPage(result, exchange);
    if (next && !isBelow(BASE, next)) {
      throw new Error(t('The link to a further page leads elsewhere, and was not followed: {link}', { link: next }));
    }
  }
  return result;
}
