//! Reads a CDA document by its narrative, which is what its author has attested
//! (<https://hl7.org/cda/stds/core/2.0.0-sd/overview.html#narrative-block>). Text, lists and tables are built from new
//! elements. The document's own markup, stylesheet and pictures never enter the page.

import { base64Of } from '#reading/documents/document-text.ts';
import { t } from '../language/message.ts';
import { parsedXml } from '../trusted-types.ts';
import type { NamedPerson } from './named-person.ts';

export interface NarrativeSection {
  title: string;
  /** The nesting depth: 1 for a section of the body. */
  depth: number;
  narrative: DocumentFragment;
}

export interface ClinicalDocument {
  title: string;
  /** The name of the patient. */
  patient: string;
  /** The birth date of that patient, in the FHIR format. */
  birthDate: string;
  /** All patients of the document, each with all names. */
  people: NamedPerson[];
  sections: NarrativeSection[];
  /** A body of another kind, such as a PDF, as an attachment. */
  other?: { contentType: string; data: string };
  /** The address of a body in a separate file. */
  elsewhere?: string;
  /** The date on which it was written, in the FHIR format. */
  date: string;
}

/** The maximum nesting depth of elements; deeper ones are shown as text. */
const MAX_DEPTH = 60;
/** The maximum number of elements, so that the page stays usable whatever a document holds. */
const MAX = 20_000;

const childrenOf = (element: Element | undefined, name: string): Element[] =>
  [...(element?.children ?? [])].filter(({ localName }) => localName === name);

/** Returns the first element on a path of names. */
const at = (element: Element | undefined, ...path: string[]): Element | undefined =>
  path.reduce<Element | undefined>((found, name) => childrenOf(found, name)[0], element);

const wordsOf = (element: Element | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** Joins the parts of a name in their order. */
function nameText(name: Element): string {
  const parts = [...name.children].map(wordsOf).filter(Boolean);
  return parts.join(' ') || wordsOf(name);
}

const birthOf = (patient: Element | undefined): string => dateOf(at(patient, 'birthTime')?.getAttribute('value'));

const personOf = (patient: Element): NamedPerson => ({
  names: childrenOf(patient, 'name').map(nameText).filter(Boolean),
  birthDates: [birthOf(patient)].filter(Boolean),
});

/** Converts a CDA date such as `19800401` to the FHIR format. */
const dateOf = (value: string | null | undefined): string =>
  /^(\d{4})(\d{2})?(\d{2})?/
    .exec(value ?? '')
    ?.slice(1)
    .filter(Boolean)
    .join('-') ?? '';

/** Reads a document. Returns `undefined` if the text is not a ClinicalDocument. */
export function clinicalDocument(text: string): ClinicalDocument | undefined {
  const root = parsedXml(text)?.documentElement;
  if (root?.localName !== 'ClinicalDocument') return undefined;
  const patients = childrenOf(root, 'recordTarget').flatMap((target) => at(target, 'patientRole', 'patient') ?? []);
  const people = patients.map(personOf);
  const component = at(root, 'component');
  const sections: NarrativeSection[] = [];
  const maker = new Maker();
  collect(at(component, 'structuredBody'), 1, sections, maker);
  const body = at(component, 'nonXMLBody', 'text');
  return {
    title: wordsOf(at(root, 'title')),
    patient: people[0]?.names[0] ?? '',
    birthDate: people[0]?.birthDates[0] ?? '',
    people,
    sections,
    ...(body ? bodyOf(body) : {}),
    date: dateOf(at(root, 'effectiveTime')?.getAttribute('value')),
  };
}

/** Reads a body without sections: in base64, as text, or in a separate file. */
function bodyOf(body: Element): Pick<ClinicalDocument, 'other' | 'elsewhere'> {
  const address = at(body, 'reference')?.getAttribute('value');
  const text = body.textContent ?? '';
  const contentType = body.getAttribute('mediaType') ?? '';
  if (address && text.trim() === '') return { elsewhere: address };
  return body.getAttribute('representation')?.toUpperCase() === 'B64'
    ? { other: { contentType, data: text } }
    : { other: { contentType: contentType || 'text/plain', data: base64Of(new TextEncoder().encode(text)) } };
}

const titleOf = (section: Element): string =>
  wordsOf(at(section, 'title')) || (at(section, 'code')?.getAttribute('displayName') ?? '').trim();

/** Adds the sections of a body or a section, each followed by its subsections. */
function collect(of: Element | undefined, depth: number, into: NarrativeSection[], maker: Maker): void {
  if (depth > MAX_DEPTH) return;
  for (const section of childrenOf(of, 'component').flatMap((component) => childrenOf(component, 'section'))) {
    const narrative = document.createDocumentFragment();
    for (const text of childrenOf(section, 'text')) maker.fill(narrative, text, 0);
    into.push({ title: titleOf(section), depth, narrative });
    collect(section, depth + 1, into, maker);
  }
}

/** The HTML elements for elements of a narrative. Other elements are left out, but their text stays. */
const ELEMENTS = {
  paragraph: 'p',
  item: 'li',
  table: 'table',
  caption: 'caption',
  thead: 'thead',
  tbody: 'tbody',
  tfoot: 'tfoot',
  tr: 'tr',
  th: 'th',
  td: 'td',
  br: 'br',
  sub: 'sub',
  sup: 'sup',
} as const satisfies Record<string, string>;

const isElement = (name: string): name is keyof typeof ELEMENTS => Object.hasOwn(ELEMENTS, name);

/** Makes elements for a narrative, and counts them. */
class Maker {
  #made = 0;

  fill(into: Node, from: Element, depth: number): void {
    if (depth > MAX_DEPTH || this.#made > MAX) {
      into.appendChild(document.createTextNode(wordsOf(from)));
      return;
    }
    for (const child of from.childNodes) {
      if (child instanceof Element) this.#add(into, child, depth);
      else if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE)
        into.appendChild(document.createTextNode(child.nodeValue ?? ''));
    }
  }

  #add(into: Node, child: Element, depth: number): void {
    this.#made += 1;
    if (child.localName === 'renderMultiMedia') {
      into.appendChild(document.createTextNode(t('[A picture of the document, not shown here]')));
      return;
    }
    const made = elementFor(child, into);
    if (made) into.appendChild(made);
    this.fill(made ?? into, child, depth + 1);
    if (child.localName === 'footnote') into.appendChild(document.createElement('br'));
  }
}

/** Returns the HTML element for an element of a narrative, or `undefined` if only its text is used. */
function elementFor(from: Element, into: Node): HTMLElement | undefined {
  const name = from.localName;
  if (name === 'list') return document.createElement(from.getAttribute('listType') === 'ordered' ? 'ol' : 'ul');
  if (name === 'content')
    // Text that a revision deleted is struck out, so that it is not mistaken for current text.
    return from.getAttribute('revised') === 'delete'
      ? document.createElement('del')
      : contentFor(from.getAttribute('styleCode') ?? '');
  // In HTML only a table has a caption. The caption of a list becomes its first item, any other bold text.
  if (name === 'caption' && /^[OU]L$/.test(into.nodeName)) return document.createElement('li');
  if (name === 'caption' && into.nodeName !== 'TABLE') return contentFor('Bold');
  if (!isElement(name)) return undefined;
  const made = document.createElement(ELEMENTS[name]);
  if (made instanceof HTMLTableCellElement) {
    made.colSpan = span(from.getAttribute('colspan'));
    made.rowSpan = span(from.getAttribute('rowspan'));
  }
  return made;
}

const span = (text: string | null): number => Math.min(Math.max(Number.parseInt(text ?? '1', 10) || 1, 1), 100);

function contentFor(styles: string): HTMLElement | undefined {
  if (/\bbold\b/i.test(styles)) return document.createElement('strong');
  if (/\bitalics\b/i.test(styles)) return document.createElement('em');
  if (/\bunderline\b/i.test(styles)) return document.createElement('u');
  if (/strike|line-?through/i.test(styles)) return document.createElement('del');
  return undefined;
}
