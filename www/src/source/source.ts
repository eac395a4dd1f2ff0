//! The holders of records, the server at the edge and the engine in this browser, behind one interface.

import { isOlder } from '#reading/fhir/older.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import { issuesOf, issueText } from '#reading/fhir/text.ts';
import { type Resource, resourceShape } from '#reading/fhir/types.ts';
import { anything, checked, isObject, isShaped, number, object, oneOf } from '#reading/shape.ts';
import type { Grant } from '../engine/types.ts';
import { errorText } from '../error-text.ts';
import type { Exchange } from '../http/exchange.ts';
import { t } from '../language/message.ts';
import type { SourceName } from '../routes.ts';
import { nextPageOf } from '../search/found-text.ts';
import { isBelow } from '../smart/address.ts';
import { BASE } from '../smart/server.ts';
import type { Abilities } from './abilities.ts';
import { type MendedResource, mendedResource } from './lenient.ts';
import { asR4 } from './other-versions.ts';

export interface Source {
  readonly name: SourceName;
  /** The authority that it is asked on; without one it shows everything. */
  readonly grant: Grant | undefined;
  /** The scopes that a person decided about: those that the app asked for, without wildcards where one was given. */
  readonly requested?: string | undefined;
  /** The scopes in the words of the server, where the grant has our reading of them. */
  readonly granted?: string | undefined;
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

/** The answer 200 as a `Resource`. Throws an `ExchangeError` for another status, and an error for an older FHIR. */
export function resourceIn(exchange: Exchange): Resource {
  if (exchange.status !== 200) throw new ExchangeError(exchange);
  if (isOlder(exchange.body))
    throw new Error(t('This record is of an older FHIR (DSTU2 or STU3), and cannot be shown.'));
  return checked(resourceShape, exchange.body, 'the record');
}

/** The number of pages of a server that are followed. Records in this browser are all read. */
const PAGES = 200;

/** A record of which elements were left out, since they are not as FHIR has them. */
interface LostFields {
  type: string;
  id: string;
  /** The paths of the elements. */
  lost: string[];
}

export interface SearchResult {
  matches: Resource[];
  included: Resource[];
  /** A sentence for each resource that has not the shape of its type and is left out. */
  malformed: string[];
  /** The records of which elements were left out; nothing where there are none. */
  mended?: LostFields[];
  /** The number of resources that are left out, since they are of an older FHIR. */
  older: number;
  /** The number of records of other patients, which are left out; nothing where there are none. */
  ofOthers?: number;
  /** The errors that the server reports beside the resources, in its own words. */
  errors: string[];
  exchanges: Exchange[];
  /** Why further pages were not read, in a sentence. Nothing where all were. */
  unread?: () => string;
  /** The part that the scopes leave out of the types that the app asked for, in a sentence. */
  ungranted?: () => string;
  /** The types that the app never asked for, and that are not shown, in a sentence. */
  unasked?: () => string;
  /** True for a search that is not made yet, since its part of the page is not in sight. */
  later?: boolean;
  /** What is missing since the server does not offer it, in sentences. */
  missing?: () => string[];
}

/** The result of a search without resources. */
export const noResult = (exchanges: Exchange[] = []): SearchResult => ({
  matches: [],
  included: [],
  malformed: [],
  older: 0,
  errors: [],
  exchanges,
});

/** A Bundle of which nothing else is relied on: a server may write one part of it otherwise. */
const bundle = object({ resourceType: oneOf('Bundle') }, { entry: anything });
const counted = object({ total: number });

const outcomeType = object({ resourceType: oneOf('OperationOutcome') });
const isOutcome = (resource: unknown): boolean => isShaped(outcomeType, resource);

const patientType = object({ resourceType: oneOf('Patient') });
/** The errors of an OperationOutcome in a searchset. Information and warnings leave nothing out. */
const errorsIn = (resource: unknown): string[] =>
  issuesOf(resource).some(({ severity }) => severity === 'error' || severity === 'fatal') ? [issueText(resource)] : [];

/** Adds the resources of one page, and returns the link to the next. Throws an `ExchangeError` for a refusal. */
export function addPage(result: SearchResult, exchange: Exchange): string | undefined {
  if (exchange.status !== 200) throw new ExchangeError(exchange);
  const { entry } = checked(bundle, exchange.body, 'the answer');
  for (const [i, one] of (Array.isArray(entry) ? entry : []).entries()) {
    const { resource, search } = isObject(one) ? one : { resource: null };
    if (resource === undefined) continue;
    const mode = isObject(search) ? search.mode : undefined;
    // Not every server says that an outcome is none of the matches.
    if (mode === 'outcome' || isOutcome(resource)) result.errors.push(...errorsIn(resource));
    else if (isUnreadable(resource)) result.older += 1;
    else {
      const found = mendedResource(asR4(resource));
      if (!found) {
        result.malformed.push(resourceShape(resource, `entry ${i + 1}`) ?? '');
        continue;
      }
      addMended(result, found);
      (mode === 'include' ? result.included : result.matches).push(found.resource);
    }
  }
  return nextPageOf(exchange.body);
}

/** Returns whether a resource is of an older FHIR, and cannot be read. A Patient is read, to know whose a chart is. */
const isUnreadable = (resource: unknown): boolean => isOlder(resource) && !isShaped(patientType, resource);

function addMended(result: SearchResult, { resource, lost }: MendedResource): void {
  if (lost.length === 0) return;
  result.mended ??= [];
  result.mended.push({ type: resource.resourceType, id: resource.id, lost });
}

/** The answer to a read as the result of a search. Throws as `resourceIn`. */
export function readResult(exchange: Exchange): SearchResult {
  const result = noResult([exchange]);
  const { status, body } = exchange;
  const found = status === 200 && !isUnreadable(body) ? mendedResource(asR4(body)) : undefined;
  if (found) addMended(result, found);
  return { ...result, matches: [found ? found.resource : resourceIn(exchange)] };
}

/** Why a further page is not asked for; nothing where it is. */
function whyUnread(source: Source, link: string, pages: number): (() => string) | undefined {
  if (source.name === 'session' && pages === PAGES)
    return () => t('There is more than is shown: the search has further pages.');
  if (isBelow(BASE, link)) return undefined;
  return () => t('The link to a further page leads elsewhere, and was not followed: {link}', { link });
}

/** A result with each resource once: a server may give one on several pages. */
function eachOnce(result: SearchResult): SearchResult {
  const once = (all: Resource[]): Resource[] => [...new Map(all.map((one) => [recordAddress(one), one])).values()];
  return { ...result, matches: once(result.matches), included: once(result.included) };
}

/** Says that a server counts more matches than it gave; nothing where it does not. */
function whyFewer({
  matches,
  included,
  malformed,
  older,
  exchanges: [first],
}: SearchResult): (() => string) | undefined {
  const { total } = isShaped(counted, first?.body) ? first.body : { total: 0 };
  // Some servers count what is included too.
  const given = matches.length + included.length + malformed.length + older;
  if (total <= given) return undefined;
  return () => t('The server counts {total} records, and gave {n}: some are missing here.', { total, n: given });
}

/** All pages of a search. Those before one that cannot be read are kept; without the first, it is an error. */
export async function allPages(source: Source, query: string): Promise<SearchResult> {
  const first = await source.search(query);
  const result = noResult([first]);
  let next = addPage(result, first);
  const asked = new Set([query]);
  while (next) {
    const unread = whyUnread(source, next, result.exchanges.length) ?? whyAgain(asked, next);
    if (unread) return { ...eachOnce(result), unread };
    asked.add(next);
    try {
      const exchange = await source.search(next);
      result.exchanges.push(exchange);
      next = addPage(result, exchange);
    } catch (error) {
      const why = errorText(error);
      return { ...eachOnce(result), unread: () => t('A further page could not be read: {why}', { why }) };
    }
  }
  const whole = eachOnce(result);
  const unread = source.name === 'session' ? whyFewer(whole) : undefined;
  return unread ? { ...whole, unread } : whole;
}

const whyAgain = (asked: ReadonlySet<string>, link: string): (() => string) | undefined =>
  asked.has(link)
    ? () => t('The link to a further page leads back to one that was read: there may be more than is shown.')
    : undefined;
