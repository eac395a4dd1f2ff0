//! Narrative from a record, and documents of HTML, made safe to show (<https://hl7.org/fhir/R4/narrative.html>): text
//! and structure only. No script, style, link or form passes, and no picture that would have to be fetched. DOMPurify
//! decides, and no pattern of ours.

import DOMPurify from 'dompurify';
import { t } from '../language/message.ts';
import { own } from '../own.ts';

const TAGS = [
  'div',
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
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
];
/** Longer narratives are cut: a page must stay usable, whatever a record holds. */
const LONGEST = 200_000;

export const narrative = (div: string): DocumentFragment => sanitized(div.slice(0, LONGEST), TAGS, []);

/** The most letters of a document of HTML that are shown, with those of the pictures in it. */
export const LONGEST_PAGE = 4_000_000;

/** A document of HTML. Pictures that stand in it are shown, and others are named and not fetched. */
export function htmlPage(html: string): DocumentFragment {
  const fragment = sanitized(html.slice(0, LONGEST_PAGE), [...TAGS, 'img'], ['src', 'alt']);
  for (const picture of fragment.querySelectorAll('img')) {
    if (/^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(picture.getAttribute('src') ?? '')) continue;
    const { alt } = picture;
    picture.replaceWith(alt ? t('[Picture that is not loaded: {alt}]', { alt }) : t('[Picture that is not loaded]'));
  }
  return fragment;
}

function sanitized(html: string, tags: readonly string[], attributes: readonly string[]): DocumentFragment {
  const fragment = DOMPurify.sanitize(quieted(html), {
    ALLOWED_TAGS: [...tags],
    ALLOWED_ATTR: ['colspan', 'rowspan', ...attributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  // Headings of a narrative are no headings of the page.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const strong = document.createElement('p');
    strong.append(Object.assign(document.createElement('strong'), { textContent: heading.textContent }));
    heading.replaceWith(strong);
  }
  return fragment;
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
