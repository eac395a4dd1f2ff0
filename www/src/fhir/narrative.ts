//! Narrative from a record, and documents of HTML, made safe to show (<https://hl7.org/fhir/R4/narrative.html>): text
//! and structure only. No script, style, link or form passes, and no picture that would have to be fetched. DOMPurify
//! decides, and no pattern of ours. Words that are struck out stay so, and fields and boxes of forms are words.

import DOMPurify from 'dompurify';
import { own } from '#reading/own.ts';
import { t } from '../language/message.ts';

const TAGS = [
  'div',
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'strike',
  'del',
  'ins',
  'small',
  'sub',
  'sup',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'pre',
  'code',
  'blockquote',
  'span',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'img',
  'input',
  'option',
  'select',
];
/** Attributes that pass. The style of an element is under another name, and leaves it again. */
const ATTRIBUTES = [
  'alt',
  'checked',
  'colspan',
  'data-style',
  'dir',
  'rowspan',
  'selected',
  'src',
  'start',
  'type',
  'value',
];
/** Longer narratives are cut, and say so: a page must stay usable, whatever a record holds. */
const MAX_LENGTH = 200_000;

/** The narrative of a record, with a note in the place of what is cut. */
export function narrative(div: string): DocumentFragment {
  const fragment = htmlPage(div.slice(0, MAX_LENGTH));
  if (div.length > MAX_LENGTH)
    fragment.append(
      Object.assign(document.createElement('p'), {
        textContent: t('The text is cut here: it is too long to be shown. The JSON has all of it.'),
      }),
    );
  return fragment;
}

/** The most letters of a document of HTML that are shown, with those of the pictures in it. */
export const MAX_PAGE_LENGTH = 4_000_000;

/** A document of HTML. Pictures that stand in it are shown, and others are named and not fetched. */
export function htmlPage(html: string): DocumentFragment {
  const fragment: DocumentFragment = DOMPurify.sanitize(quieted(html.slice(0, MAX_PAGE_LENGTH)), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    // The value of the style is read, and removed from the page again.
    ADD_URI_SAFE_ATTR: ['data-style'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const picture of fragment.querySelectorAll('img')) {
    if (/^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(picture.getAttribute('src') ?? '')) continue;
    const { alt } = picture;
    picture.replaceWith(alt ? t('[Picture that is not loaded: {alt}]', { alt }) : t('[Picture that is not loaded]'));
  }
  for (const field of fragment.querySelectorAll('input')) field.replaceWith(fieldText(field));
  for (const choice of fragment.querySelectorAll('select')) choice.replaceWith(chosenText(choice));
  for (const styled of fragment.querySelectorAll('[data-style]')) {
    if (/line-through/i.test(styled.getAttribute('data-style') ?? '')) strikeOut(styled);
    styled.removeAttribute('data-style');
  }
  // Headings of a narrative are no headings of the page.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const line = document.createElement('p');
    line.append(wrapped('strong', heading));
    heading.replaceWith(line);
  }
  return fragment;
}

/** The content of an element, in one of its own. */
function wrapped(name: string, of: Element): HTMLElement {
  const made = document.createElement(name);
  made.append(...of.childNodes);
  return made;
}

/** Strikes out what a style strikes out, since styles are left out. */
const strikeOut = (styled: Element): void => void styled.append(wrapped('del', styled));

/** A field of a form in words: a box as it was left, and the text of others. */
function fieldText(field: HTMLInputElement): string {
  const type = (field.getAttribute('type') ?? 'text').toLowerCase();
  if (type === 'checkbox' || type === 'radio') return field.hasAttribute('checked') ? '☑ ' : '☐ ';
  return ['hidden', 'password', 'image'].includes(type) ? '' : (field.getAttribute('value') ?? '');
}

/** The choice in a list of a form; the first where there is none, as browsers show it. */
function chosenText(choice: HTMLSelectElement): string {
  const options = [...choice.querySelectorAll('option')];
  const chosen = options.filter((option) => option.hasAttribute('selected'));
  return (chosen.length > 0 ? chosen : options.slice(0, 1)).map((option) => option.textContent).join(', ');
}

/** Elements that the page's policy reports while they are parsed, and others of the same syntax, left out too. */
const REPORTED: Record<string, string> = { style: 'noembed', base: 'wbr' };

/**
 * The markup with other names for what the page's policy reports while it is parsed: handlers and styles. This keeps
 * reports of harmless documents out of the console; what passes is still decided by DOMPurify.
 */
function quieted(html: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = html.indexOf('<', at);
    const end = start < 0 ? -1 : html.indexOf('>', start);
    if (end < 0) return [...parts, html.slice(at)].join('');
    parts.push(html.slice(at, start), quietedTag(html.slice(start, end + 1)));
    at = end + 1;
  }
}

const quietedTag = (tag: string): string =>
  /^<\/?[a-z]/i.test(tag)
    ? tag
        .replace(/^(<\/?)(style|base)(?=[\s/>])/i, (_, before, name) => before + own(REPORTED, name.toLowerCase()))
        .replace(/([\s"'/])(on[a-z]+|style)(?=\s*=)/gi, '$1data-$2')
    : tag;
