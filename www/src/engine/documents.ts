//! The resources in the text of a file, with the places where they stand.

import { own } from '#reading/own.ts';
import { isObject } from '#reading/shape.ts';
import type { Piece } from './pieces.ts';
import { mayBeWrapped, unwrapped } from './wrapped.ts';

export type Members = Record<string, unknown>;

export const textAt = (members: unknown, name: string): string => {
  const value = isObject(members) ? own(members, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** The objects of a list; none of what is no list. */
export const objectsIn = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A resource, or the request that deletes one. */
export interface PlacedResource {
  resource: Members;
  /** The type and the id; the empty text where there is none. */
  type: string;
  id: string;
  /** The place in its document, such as `Bundle.entry[3]`; the empty text for the document itself. */
  place: string;
  /** `Bundle.entry.fullUrl`. */
  fullUrl: string;
  /** True in the history of a server, of which each entry is a version. */
  isHistory: boolean;
}

/** A document of a text: the whole of it, or one of its lines. */
export interface TextDocument {
  text: string;
  /** The number of lines of the file before it. */
  before: number;
}

/** The documents of a piece of a file. One that is a list or an object of resources is a Bundle of them. */
export function documentsOf({ text, before, byLine }: Piece): TextDocument[] {
  const all = byLine ? text.split('\n').map((line, i) => ({ text: line, before: before + i })) : [{ text, before }];
  if (!mayBeWrapped(text)) return all;
  return all.map((one) => ({ ...one, text: unwrapped(one.text) ?? one.text }));
}

/** The deepest Bundle in Bundles that is looked into. */
const MAX_DEPTH = 20;

/** The resources of a parsed document, also of Bundles in Bundles. */
export function* resourcesIn(
  document: unknown,
  { place = '', fullUrl = '', isHistory = false } = {},
  depth = 0,
): Generator<PlacedResource, void> {
  if (!isObject(document) || depth > MAX_DEPTH) return;
  if (document.resourceType !== 'Bundle') {
    const [type, id] = [textAt(document, 'resourceType'), textAt(document, 'id')];
    yield { resource: document, type, id, place, fullUrl, isHistory };
    return;
  }
  const { entry } = document;
  const of = { isHistory: textAt(document, 'type') === 'history' };
  for (const [i, one] of (Array.isArray(entry) ? entry : []).entries()) {
    if (!isObject(one)) continue;
    const inside = `${place ? `${place}.resource` : 'Bundle'}.entry[${i}]`;
    const request = own(one, 'request');
    if (one.resource !== undefined) {
      yield* resourcesIn(one.resource, { ...of, place: inside, fullUrl: textAt(one, 'fullUrl') }, depth + 1);
    } else if (isObject(request) && request.method === 'DELETE') {
      const [, type = '', id = ''] = /^([A-Z][A-Za-z]+)\/([^/?]+)$/.exec(textAt(request, 'url')) ?? [];
      yield { ...of, resource: request, type, id, place: inside, fullUrl: '' };
    }
  }
}

export const isBundleWithoutResources = (document: unknown): boolean =>
  isObject(document) && document.resourceType === 'Bundle' && resourcesIn(document).next().done === true;

/** The line of a resource in its file, counted from 1. In a document of several lines it is looked for by its id. */
export function lineOf({ text, before }: TextDocument, { id, place }: Pick<PlacedResource, 'id' | 'place'>): number {
  const at = place && id ? text.indexOf(`"${id}"`) : 0;
  let line = before + 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
