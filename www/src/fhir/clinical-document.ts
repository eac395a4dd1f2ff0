//! A clinical document of CDA by its own narrative, which is what its author has attested
//! (<https://hl7.org/cda/stds/core/2.0.0-sd/overview.html#narrative-block>): text, lists and tables, made anew of
//! elements of ours. Nothing of its markup, its stylesheet or its pictures comes into the page.

import { base64Of } from '#reading/documents/document-text.ts';
import { t } from '../language/message.ts';
import { parsedXml } from '../trusted-types.ts';
import type { NamedPerson } from './named-person.ts';

export interface NarrativeSection {
  title: string;
  /** How many sections it is in. */
  depth: number;
  narrative: DocumentFragment;
}

export interface ClinicalDocument {
  title: string;
  /** The patient whom it names. */
  patient: string;
  /** The birth date of that patient, as FHIR writes dates. */
  birthDate: string;
  /** All patients whom it names, each by all names. */
  people: NamedPerson[];
  sections: NarrativeSection[];
  /** A body of another kind, such as a PDF, as an attachment. */
  other?: { contentType: string; data: string };
  /** The address of a body that is in a file of its own. */
  elsewhere?: string;
  /** The time at which it was written, as FHIR writes dates. */
  date: string;
}

/** The deepest elements that are followed; those below them are shown as text. */
const MAX_DEPTH = 60;
/** The most elements that are made: a page must stay usable, whatever a document holds. */
const MAX = 20_000;

const childrenOf = (element: Element | undefined, name: string): Element[] =>
  [...(element?.children ?? [])].filter(({ localName }) => localName === name);

/** The first element on a path of names. */
const at = (element: Element | undefined, ...path: string[]): Element | undefined =>
  path.reduce<Element | undefined>((found, name) => childrenOf(found, name)[0], element);

const wordsOf = (element: Element | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** The parts of a name in their order. */
function nameText(name: Element): string {
  const parts = [...name.children].map(wordsOf).filter(Boolean);
  return parts.join(' ') || wordsOf(name);
}

const birthOf = (patient: Element | undefined): string => dateOf(at(patient, 'birthTime')?.getAttribute('value'));

const personOf = (patient: Element): NamedPerson => ({
  names: childrenOf(patient, 'name').map(nameText).filter(Boolean),
  birthDates: [birthOf(patient)].filter(Boolean),
});

/** A date of CDA, `19800401`, as FHIR writes it. */
const dateOf = (value: string | null | undefined): string =>
  /^(\d{4})(\d{2})?(\d{2})?/
    .exec(value ?? '')
    ?.slice(1)
    .filter(Boolean)
    .join('-') ?? '';

/** Reads a document; nothing where the text is no ClinicalDocument. */
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

/** A body that is no list of sections: in base64, as text, or in a file of its own. */
function bodyOf(body: Element): Pick<ClinicalDocument, 'other' | 'elsewhere'> {
  const address = at(body, 'reference')?.getAttribute('value');
  const text = body.textContent ?? '';
  const contentType = body.getAttribute('mediaType') ?? '';
  if (address && text.trim() === '') return { elsewhere: address };
  return body.getAttribute('representation')?.toUpperCase() === 'B64'
    ? { other: { contentType, data: text } }
    : { other: { contentType: contentType || 'text/plain', data: base64Of(new TextEncoder().encode(text)) } };
}

/** The title of a section, or the words of its code. */
const titleOf = (section: Element): string =>
  wordsOf(at(section, 'title')) || (at(section, 'code')?.getAttribute('displayName') ?? '').trim();

/** Adds the sections of a body or a section, each with those in it after it. */
function collect(of: Element | undefined, depth: number, into: NarrativeSection[], maker: Maker): void {
  if (depth > MAX_DEPTH) return;
  for (const section of childrenOf(of, 'component').flatMap((component) => childrenOf(component, 'section'))) {
    const narrative = document.createDocumentFragment();
    for (const text of childrenOf(section, 'text')) maker.fill(narrative, text, 0);
    into.push({ title: titleOf(section), depth, narrative });
    collect(section, depth + 1, into, maker);
  }
}

/** The elements of a narrative as those of a page. Others are left out, and their text stays. */
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

/** The element of a page for one of a narrative; nothing where only its text is taken. */
function elementFor(from: Element, into: Node): HTMLElement | undefined {
  const name = from.localName;
  if (name === 'list') return document.createElement(from.getAttribute('listType') === 'ordered' ? 'ol' : 'ul');
  if (name === 'content')
    // What was taken out by a revision is struck out, and never reads like what stands.
    return from.getAttribute('revised') === 'delete'
      ? document.createElement('del')
      : contentFor(from.getAttribute('styleCode') ?? '');
  // A caption is one of a table alone; that of a list is its first entry, and elsewhere it is a line in bold.
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
