//! Deletions in Bundles as the engine takes them: servers write their addresses in several forms, keep the record that
//! they deleted, or tell a deletion by the status of the answer alone.

import { isObject } from '../shape.ts';
import { type Members, textAt } from './documents.ts';
import { entrySpans } from './entry-spans.ts';
import { parsedDocument } from './parsed-document.ts';
import { withParts } from './text-parts.ts';

/** Returns whether a text may have an entry that is a deletion. */
export const mayDelete = (text: string): boolean => /"method"\s*:\s*"delete"|"status"\s*:\s*"410/i.test(text);

/** An address of a record, below a base or with a version. */
const ADDRESS = /(?:^|\/)([A-Z][A-Za-z]+\/[A-Za-z0-9._-]+)(?:\/_history\/[^/]*)?\/?$/;

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

/** A document with its deletions as requests for `Type/id`. */
export function withPlainDeletions(text: string): string {
  if (!mayDelete(text)) return text;
  const document = parsedDocument(text);
  const timestamp = textAt(document, 'timestamp');
  const spans = [...entrySpans(text).values()].sort(([a], [b]) => a - b);
  const entries = spans.map(([start, end]) => ({ start, end }));
  return withParts(text, entries, ({ start, end }) => {
    const entry = parsedDocument(text.slice(start, end));
    const made = isObject(entry) ? deletion(entry, timestamp) : undefined;
    return made && JSON.stringify(made);
  });
}
