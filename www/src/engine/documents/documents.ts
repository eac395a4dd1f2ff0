//! The resources in the text of a file, with their places.

import { own } from '#reading/own.ts';
import { isObject } from '#reading/shape.ts';
import { countLines, type Piece } from '../text/pieces.ts';
import { mayBeWrapped, unwrapped } from '../text/wrapped.ts';

export type Members = Record<string, unknown>;

export const textAt = (members: unknown, name: string): string => {
  const value = isObject(members) ? own(members, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** Returns the objects in a list, or an empty list if the value is not a list. */
export const objectsIn = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A resource, or the request that deletes one. */
export interface PlacedResource {
  resource: Members;
  /** The type and the id; the empty string if missing. */
  type: string;
  id: string;
  /** The place in its document, such as `Bundle.entry[3]`; the empty string for the document itself. */
  place: string;
  /** `Bundle.entry.fullUrl`. */
  fullUrl: string;
  /** True in a history Bundle, where each entry is a version. */
  isHistory: boolean;
}

/** A document in a text: the whole text or one of its lines. */
export interface TextDocument {
  text: string;
  /** The number of lines of the file before it. */
  before: number;
}

/** Returns the documents of a piece of a file. A list or an object that wraps resources becomes a Bundle of them. */
export function documentsOf({ text, before, byLine }: Piece): TextDocument[] {
  const all = byLine ? text.split('\n').map((line, i) => ({ text: line, before: before + i })) : [{ text, before }];
  if (!mayBeWrapped(text)) return all;
  return all.map((one) => ({ ...one, text: unwrapped(one.text) ?? one.text }));
}

/** The maximum nesting depth of Bundles that are read. */
const MAX_DEPTH = 20;

/** Yields the resources of a parsed document, including those of nested Bundles. */
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

/** Returns the line of a resource in its file, counted from 1. In a document of several lines the id is searched. */
export function lineOf({ text, before }: TextDocument, { id, place }: Pick<PlacedResource, 'id' | 'place'>): number {
  const at = place && id ? text.indexOf(`"${id}"`) : 0;
  return before + 1 + countLines(text.slice(0, Math.max(0, at)));
}
