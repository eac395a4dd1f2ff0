//! The sources of records, the server at the edge and the engine in this browser, behind one interface.

import { recordAddress } from '#reading/fhir/record-address.ts';
import { issuesOf, issueText } from '#reading/fhir/text.ts';
import { type Resource, resourceShape } from '#reading/fhir/types.ts';
import { anything, checked, isObject, isShaped, number, object, oneOf } from '#reading/shape.ts';
import { asR4 } from '#reading/versions/as-r4.ts';
import { isOlder } from '#reading/versions/is-older.ts';
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

export interface Source {
  readonly name: SourceName;
  /** The grant under which the source is searched; without a grant it shows everything. */
  readonly grant: Grant | undefined;
  /** The scopes on which a person decided: those that the app requested, without wildcards if one was granted. */
  readonly requested?: string | undefined;
  /** The scopes as the server wrote them, if the grant has the app's interpretation of them. */
  readonly granted?: string | undefined;
  /** A key that changes whenever the answers may change. */
  readonly key: string;
  /** Searches by `Type?…` below the base, or by the link of a further page. */
  search(query: string): Promise<Exchange>;
  /** Reads `Type/id`. */
  read(address: string): Promise<Exchange>;
  /** Returns the abilities of the server; `undefined` if unknown. A source without this method supports everything. */
  abilities?(): Promise<Abilities | undefined>;
}

/** An unexpected answer. */
export class ExchangeError extends Error {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`HTTP ${exchange.status}`);
    this.exchange = exchange;
  }
}

/** Returns the answer 200 as a `Resource`. Throws an `ExchangeError` for another status, an error for an older FHIR. */
export function resourceIn(exchange: Exchange): Resource {
  if (exchange.status !== 200) throw new ExchangeError(exchange);
  const read = asR4(exchange.body);
  if (isOlder(read)) throw new Error(t('This record is of an older FHIR (DSTU2 or STU3), and cannot be shown.'));
  return checked(resourceShape, read, 'the record');
}

/** The most pages of a server that are read. For records in this browser, all are read. */
const PAGES = 200;

/** A record with malformed elements that were left out. */
interface LostFields {
  type: string;
  id: string;
  /** The paths of the elements. */
  lost: string[];
}

export interface SearchResult {
  matches: Resource[];
  included: Resource[];
  /** A sentence for each resource that was left out because it does not have the shape of its type. */
  malformed: string[];
  /** The records with elements that were left out; `undefined` if there are none. */
  mended?: LostFields[];
  /** The number of resources that were left out because they are of an older FHIR. */
  older: number;
  /** The number of records of other patients, which were left out; `undefined` if there are none. */
  ofOthers?: number;
  /** The errors that the server reports in addition to the resources, in its own words. */
  errors: string[];
  exchanges: Exchange[];
  /** Returns a sentence on why further pages were not read; `undefined` if all were. */
  unread?: () => string;
  /** Returns a sentence on the part that the scopes exclude of the types that the app requested. */
  ungranted?: () => string;
  /** The types that the app never requested, and that are not shown. */
  unasked?: readonly string[];
  /** True for a search that is postponed, since its part of the page is not visible. */
  later?: boolean;
  /** Returns sentences on what is missing because the server does not support it. */
  missing?: () => string[];
}

export const noResult = (exchanges: Exchange[] = []): SearchResult => ({
  matches: [],
  included: [],
  malformed: [],
  older: 0,
  errors: [],
  exchanges,
});

/** A Bundle with no checks of its other parts, since a server may write a part of it in another form. */
const bundle = object({ resourceType: oneOf('Bundle') }, { entry: anything });
const counted = object({ total: number });

const outcomeType = object({ resourceType: oneOf('OperationOutcome') });
const isOutcome = (resource: unknown): boolean => isShaped(outcomeType, resource);

const patientType = object({ resourceType: oneOf('Patient') });
/** Returns the errors of an OperationOutcome in a searchset. Information and warnings do not indicate omissions. */
const errorsIn = (resource: unknown): string[] =>
  issuesOf(resource).some(({ severity }) => severity === 'error' || severity === 'fatal') ? [issueText(resource)] : [];

/** Adds the resources of one page, and returns the link to the next. Throws an `ExchangeError` for a refusal. */
export function addPage(result: SearchResult, exchange: Exchange): string | undefined {
  if (exchange.status !== 200) throw new ExchangeError(exchange);
  const { entry } = checked(bundle, exchange.body, 'the answer');
  for (const [i, one] of (Array.isArray(entry) ? entry : []).entries()) {
    const { resource: given, search } = isObject(one) ? one : { resource: null };
    if (given === undefined) continue;
    const resource = asR4(given);
    const mode = isObject(search) ? search.mode : undefined;
    // Some servers do not mark an outcome as different from the matches.
    if (mode === 'outcome' || isOutcome(resource)) result.errors.push(...errorsIn(resource));
    else if (isUnreadable(resource)) result.older += 1;
    else {
      const found = mendedResource(resource);
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

/** Returns whether a resource is of an older FHIR and unreadable. A Patient is read, to identify whose chart it is. */
const isUnreadable = (resource: unknown): boolean => isOlder(resource) && !isShaped(patientType, resource);

function addMended(result: SearchResult, { resource, lost }: MendedResource): void {
  if (lost.length === 0) return;
  result.mended ??= [];
  result.mended.push({ type: resource.resourceType, id: resource.id, lost });
}

/** Returns the answer to a read as the result of a search. Throws as `resourceIn`. */
export function readResult(exchange: Exchange): SearchResult {
  const result = noResult([exchange]);
  const read = asR4(exchange.body);
  const found = exchange.status === 200 && !isUnreadable(read) ? mendedResource(read) : undefined;
  if (found) addMended(result, found);
  return { ...result, matches: [found ? found.resource : resourceIn(exchange)] };
}

/** Returns the reason why a further page is not requested; `undefined` if it is. */
function whyUnread(source: Source, link: string, pages: number): (() => string) | undefined {
  if (source.name === 'session' && pages === PAGES)
    return () => t('There is more than is shown: the search has further pages.');
  if (isBelow(BASE, link)) return undefined;
  return () => t('The link to a further page leads elsewhere, and was not followed: {link}', { link });
}

/** Returns a result without duplicate resources: a server may give one on several pages. */
function eachOnce(result: SearchResult): SearchResult {
  const once = (all: Resource[]): Resource[] => [...new Map(all.map((one) => [recordAddress(one), one])).values()];
  return { ...result, matches: once(result.matches), included: once(result.included) };
}

/** Returns a sentence if a server counts more matches than it gave. */
function whyFewer({
  matches,
  included,
  malformed,
  older,
  exchanges: [first],
}: SearchResult): (() => string) | undefined {
  const { total } = isShaped(counted, first?.body) ? first.body : { total: 0 };
  // Some servers count included resources too.
  const given = matches.length + included.length + malformed.length + older;
  if (total <= given) return undefined;
  return () => t('The server counts {total} records, and gave {n}: some are missing here.', { total, n: given });
}

/** Returns all pages of a search. Pages before an unreadable one are kept; if the first is unreadable, it throws. */
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
