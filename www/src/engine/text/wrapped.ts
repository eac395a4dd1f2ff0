//! Documents that contain resources but are not resources: a list, the Parameters of an operation, an object with a
//! resource in each member. Their resources become the entries of a Bundle. The text of each resource is unchanged.

import { endOfString } from './entry-spans.ts';

/** Matches a document that does not begin as a resource, or is a Parameters resource, which is not a record. */
const WRAPPED = /^\s*(?:\[|\{(?!\s*"resourceType"\s*:\s*"(?!Parameters")))/m;

/** Returns whether a text may have such a document. */
export const mayBeWrapped = (text: string): boolean => WRAPPED.test(text);

interface Frame {
  start: number;
  isList: boolean;
  /** True within `contained`, whose resources are parts of the enclosing resource. */
  isContained: boolean;
  isBeforeKey: boolean;
  key: string;
  /** The value of its member `resourceType`. */
  type: string | undefined;
  /** The number of resources that were found before it. */
  before: number;
}

/**
 * Returns the document as a Bundle of its resources, or `undefined` if it is a resource itself, has no resources, or is
 * incomplete. A resource within another resource is part of that resource.
 */
export function unwrapped(text: string): string | undefined {
  const open: Frame[] = [];
  const found: string[] = [];
  let isWhole = false;
  const structure = /["{}[\],]/g;
  for (let mark = structure.exec(text); mark; mark = structure.exec(text)) {
    const { index: at } = mark;
    const top = open.at(-1);
    if (mark[0] === '"') {
      const end = endOfString(text, at);
      if (top && !top.isList) {
        const value = text.slice(at + 1, end - 1);
        if (top.isBeforeKey) top.key = value;
        else if (top.key === 'resourceType') {
          // The root is a resource itself.
          if (open.length === 1 && value !== 'Parameters') return undefined;
          top.type = value;
        }
        top.isBeforeKey = false;
      }
      structure.lastIndex = end;
    } else if (mark[0] === ',') {
      if (top) top.isBeforeKey = !top.isList;
    } else if (mark[0] === '{' || mark[0] === '[') {
      if (isWhole) return undefined;
      const isList = mark[0] === '[';
      const isContained = top !== undefined && (top.isContained || top.key === 'contained');
      const { length: before } = found;
      open.push({ start: at, isList, isContained, isBeforeKey: !isList, key: '', type: undefined, before });
    } else {
      const closed = open.pop();
      if (!closed) return undefined;
      if (closed.type !== undefined && closed.type !== 'Parameters') {
        found.length = closed.before;
        if (!closed.isContained) found.push(text.slice(closed.start, at + 1));
      }
      isWhole = open.length === 0;
    }
  }
  if (!isWhole || found.length === 0) return undefined;
  const entries = found.map((resource) => `{"resource":${resource}}`);
  return `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`;
}
