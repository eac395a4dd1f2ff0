//! Requests in Bundles as the engine takes them. Servers write the addresses of deletions in several forms, keep the
//! record that they deleted, or tell a deletion by the status of the answer alone. A record that is stored under an
//! address (PUT) may have its id there alone.

import { decoded } from '#reading/decoded.ts';
import { isObject } from '#reading/shape.ts';
import { type Members, textAt } from './documents.ts';
import { entrySpans } from './entry-spans.ts';
import { parsedDocument } from './parsed-document.ts';
import { withParts } from './text-parts.ts';

/** Returns whether a text may have a request of another form than the engine takes. */
export const mayRequest = (text: string): boolean => /"method"\s*:\s*"(?:delete|put)"|"status"\s*:\s*"410/i.test(text);

/** An address of a record, below a base or with a version. */
const ADDRESS = /(?:^|\/)([A-Z][A-Za-z]+\/[A-Za-z0-9._-]+)(?:\/_history\/[^/]*)?\/?$/;

/** An address under which a record is stored. */
const STORED = /(?:^|\/)([A-Z][A-Za-z]+)\/([^/?#]+)(?:\/_history\/[^/]*)?\/?$/;

/** The entry as a deletion; nothing where it is none, or is one already. */
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

/** The id in the address of an entry whose resource has none; nothing where there is none, or another type. */
function requestedId({ request, resource }: Members): string | undefined {
  if (!/^put$/i.test(textAt(request, 'method')) || !isObject(resource) || resource.id !== undefined) return undefined;
  const [, type, id] = STORED.exec(textAt(request, 'url')) ?? [];
  return type === resource.resourceType ? decoded(id ?? '') : undefined;
}

/** A document with its deletions as requests for `Type/id`, and with the ids in the addresses of its records. */
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
