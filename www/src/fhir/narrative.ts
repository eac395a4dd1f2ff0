//! Makes narrative and HTML documents safe to show (<https://hl7.org/fhir/R4/narrative.html>): text and structure only.
//! No script, style, link or form passes, and no picture that would have to be fetched. DOMPurify decides what passes.
//! Text that is struck out stays so, and form fields are shown as text.

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
/** Attributes that pass. `data-style` holds the style of an element until it is read, and is then removed. */
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
/** The maximum length of a narrative, in characters. Longer ones are cut with a note, so that the page stays usable. */
const MAX_LENGTH = 200_000;

/** Returns the narrative of a record, with a note if it was cut. */
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

/** The maximum length of an HTML document, in characters, including embedded pictures. */
export const MAX_PAGE_LENGTH = 4_000_000;

/** Returns an HTML document. Embedded pictures are shown; others are named but not fetched. */
export function htmlPage(html: string): DocumentFragment {
  const fragment: DocumentFragment = DOMPurify.sanitize(quieted(html.slice(0, MAX_PAGE_LENGTH)), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    // The style is read and then removed.
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
  // Headings of a narrative are not headings of the page.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const line = document.createElement('p');
    line.append(wrapped('strong', heading));
    heading.replaceWith(line);
  }
  return fragment;
}

/** Moves the content of an element into a new element. */
function wrapped(name: string, of: Element): HTMLElement {
  const made = document.createElement(name);
  made.append(...of.childNodes);
  return made;
}

/** Replaces `line-through`, which is lost with the style, by a `del` element. */
const strikeOut = (styled: Element): void => void styled.append(wrapped('del', styled));

/** Returns a form field as text: the state of a checkbox or radio button, or the value of another field. */
function fieldText(field: HTMLInputElement): string {
  const type = (field.getAttribute('type') ?? 'text').toLowerCase();
  if (type === 'checkbox' || type === 'radio') return field.hasAttribute('checked') ? '☑ ' : '☐ ';
  return ['hidden', 'password', 'image'].includes(type) ? '' : (field.getAttribute('value') ?? '');
}

/** Returns the selected options of a list; if there are none, the first option, as browsers show it. */
function chosenText(choice: HTMLSelectElement): string {
  const options = [...choice.querySelectorAll('option')];
  const chosen = options.filter((option) => option.hasAttribute('selected'));
  return (chosen.length > 0 ? chosen : options.slice(0, 1)).map((option) => option.textContent).join(', ');
}

/** Elements that violate the page's policy while they are parsed, and harmless elements of the same syntax. */
const REPORTED: Record<string, string> = { style: 'noembed', base: 'wbr' };

/**
 * Renames handlers and styles in the markup, which violate the page's policy while they are parsed. This keeps reports
 * about harmless documents out of the console. DOMPurify still decides what passes.
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
