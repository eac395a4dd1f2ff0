//! Narrative from a record, made safe to show (<https://hl7.org/fhir/R4/narrative.html>): text and structure only. No
//! script, style, link, picture or form passes. DOMPurify decides, and no pattern of ours.

import DOMPurify from 'dompurify';

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

export function narrative(div: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(div.slice(0, LONGEST), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['colspan', 'rowspan'],
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
