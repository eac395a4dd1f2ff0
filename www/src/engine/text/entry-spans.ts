//! Finds the entries of a Bundle in its text, including those of nested Bundles. An entry can then be replaced without
//! any change to the rest of the text, such as the digits of numbers.

/** The start and end offsets of an entry in the text. */
export type Span = readonly [start: number, end: number];

type Role = 'bundle' | 'entries' | 'entry' | 'other';

/** An open object or list. */
interface Frame {
  role: Role;
  /** The path of a Bundle or an entry, in the form of `PlacedResource.place`. */
  path: string;
  start: number;
  isList: boolean;
  key: string;
  isBeforeKey: boolean;
  index: number;
}

const STRUCTURE = /["{}[\],]/g;

/** Returns the end of the string that begins at an offset, after its closing quotation mark. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function roleIn(parent: Frame | undefined): Pick<Frame, 'role' | 'path'> {
  if (!parent) return { role: 'bundle', path: 'Bundle' };
  const { role, path, key, index } = parent;
  if (role === 'bundle' && key === 'entry') return { role: 'entries', path };
  if (role === 'entries') return { role: 'entry', path: `${path}.entry[${index}]` };
  if (role === 'entry' && key === 'resource') return { role: 'bundle', path: `${path}.resource` };
  return { role: 'other', path: '' };
}

/** Returns the spans of the entries in the text of a Bundle, by place. */
export function entrySpans(text: string): Map<string, Span> {
  const spans = new Map<string, Span>();
  const open: Frame[] = [];
  const structure = new RegExp(STRUCTURE);
  for (let found = structure.exec(text); found; found = structure.exec(text)) {
    const [mark] = found;
    const { index: at } = found;
    const top = open.at(-1);
    if (mark === '"') {
      const end = endOfString(text, at);
      if (top && !top.isList && top.isBeforeKey) {
        top.key = text.slice(at + 1, end - 1);
        top.isBeforeKey = false;
      }
      structure.lastIndex = end;
    } else if (mark === '{' || mark === '[') {
      const isList = mark === '[';
      open.push({ ...roleIn(top), start: at, isList, key: '', isBeforeKey: !isList, index: 0 });
    } else if (mark === ',') {
      if (top?.isList) top.index += 1;
      else if (top) top.isBeforeKey = true;
    } else {
      const closed = open.pop();
      if (closed?.role === 'entry') spans.set(closed.path, [closed.start, at + 1]);
    }
  }
  return spans;
}
