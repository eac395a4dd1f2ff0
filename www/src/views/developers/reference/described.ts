//! Descriptions of the interface as they are shown: in the language of the page, with code and addresses marked. They
//! are written with two marks of Markdown alone: `code` and <https://…>.

import { html } from 'lit-html';
import { own } from '../../../own.ts';
import { openApiWords } from './words.ts';

const MARKS = /`([^`]+)`|<(https?:\/\/[^>\s]+)>|(https?:\/\/[^\s,)]*[^\s,).])/g;

/** The content of a template for a description. */
export function described(text: string): unknown[] {
  const parts: unknown[] = [];
  let end = 0;
  const said = inPageLanguage(text);
  for (const found of said.matchAll(MARKS)) {
    const [whole, code, address, bare] = found;
    parts.push(said.slice(end, found.index));
    const url = address ?? bare;
    parts.push(code ? html`<code>${code}</code>` : html`<a href=${url} rel="noreferrer">${url}</a>`);
    end = found.index + whole.length;
  }
  parts.push(said.slice(end));
  return parts;
}

/** A description without its marks. */
export const plainText = (text: string): string => inPageLanguage(text).replace(MARKS, '$1$2$3');

/** A description in the language of the page, sentence by sentence; as it is where there are no words for it. */
export function inPageLanguage(text: string): string {
  const words = openApiWords();
  if (!words) return text;
  return own(words.texts, text) ?? sentencesOf(text).map((one) => sentence(one, words)).join(' ');
}

type Words = NonNullable<ReturnType<typeof openApiWords>>;

/** The sentences of a text. A point between other characters ends none. */
const sentencesOf = (text: string): string[] => text.split(/(?<=\.) (?=[A-Z`])/);

function sentence(text: string, { texts, patterns }: Words): string {
  const known = own(texts, text);
  if (known !== undefined) return known;
  for (const [pattern, translation] of patterns) {
    if (pattern.test(text)) return text.replace(pattern, translation);
  }
  return text;
}
