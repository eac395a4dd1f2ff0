//! Converts requests in Bundles to the form that the engine takes. Servers write URLs of deletions in several forms,
//! keep the deleted record, or mark a deletion by the response status alone. A record that is stored with PUT may have
//! its id in the URL alone.

import { decoded } from '#reading/decoded.ts';
import { isObject } from '#reading/shape.ts';
import { entrySpans } from '../text/entry-spans.ts';
import { parsedDocument } from '../text/parsed-document.ts';
import { withParts } from '../text/text-parts.ts';
import { type Members, textAt } from './documents.ts';

/** Returns whether a text may have a request in a form that the engine does not take. */
export const mayRequest = (text: string): boolean => /"method"\s*:\s*"(?:delete|put)"|"status"\s*:\s*"410/i.test(text);

/** The URL of a record, optionally with a base and a version. */
const ADDRESS = /(?:^|\/)([A-Z][A-Za-z]+\/[A-Za-z0-9._-]+)(?:\/_history\/[^/]*)?\/?$/;

/** The URL at which a record is stored. */
const STORED = /(?:^|\/)([A-Z][A-Za-z]+)\/([^/?#]+)(?:\/_history\/[^/]*)?\/?$/;

/** Returns the entry as a deletion, or `undefined` if it is no deletion or needs no change. */
function deletion(entry: Members, timestamp: string): Members | undefined {
  const method = textAt(entry.request, 'method');
  const isGone = entry.resource === undefined && method === '' && /^410\b/.test(textAt(entry.response, 'status'));
  if (!/^delete$/i.test(method) && !isGone) return undefined;
  const given = textAt(entry.request, 'url') || textAt(entry, 'fullUrl');
  const [, url] = ADDRESS.exec(given) ?? [];
  if (url === undefined || (url === given && method === 'DELETE' && entry.resource === undefined)) return undefined;
  const lastModified = textAt(entry.response, 'lastModified') || (isGone ? timestamp : '');
  return { request: { method: 'DELETE', url }, ...(lastModified ? { response: { lastModified } } : {}) };
}

/** Returns the id in the request URL of an entry whose resource has no id, if the URL names the same type. */
function requestedId({ request, resource }: Members): string | undefined {
  if (!/^put$/i.test(textAt(request, 'method')) || !isObject(resource) || resource.id !== undefined) return undefined;
  const [, type, id] = STORED.exec(textAt(request, 'url')) ?? [];
  return type === resource.resourceType ? decoded(id ?? '') : undefined;
}

/** Returns a document with its deletions as requests for `Type/id`, and with ids copied from URLs into resources. */
export function withPlainRequests(text: string): string {
  if (!mayRequest(text)) return text;
  const document = parsedDocument(text);
  const timestamp = textAt(document, 'timestamp');
  const spans = [...entrySpans(text).values()].sort(([a], [b]) => a - b);
  const entries = spans.map(([start, end]) => ({ start, end }));
  return withParts(text, entries, ({ start, end }) => {
    const written = text.slice(start, end);
    const entry = parsedDocument(written);
    if (!isObject(entry)) return undefined;
    const id = requestedId(entry);
    if (id !== undefined)
      return written.replace(/"resource"\s*:\s*\{/, (begun) => `${begun}"id":${JSON.stringify(id)},`);
    const made = deletion(entry, timestamp);
    return made && JSON.stringify(made);
  });
}
