//! Documents of FHIR (<https://hl7.org/fhir/R4/composition.html>): a Composition with its sections, each with words,
//! with the addresses of its entries, and the reason if it has none. Elements that are not understood are ignored, as
//! documents come from many systems.

import { newest } from '../fhir/date.ts';
import { factsOf } from '../fhir/facts.ts';
import { conceptIn, textIn } from '../fhir/loose.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { concept, isEnteredInError, reference } from '../fhir/text.ts';
import { type Concept, type Resource, referenceShape } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, isShaped, itemsOf } from '../shape.ts';
import { documentRelations, relationText } from './related-documents.ts';

/** The subject of a section. */
export interface Heading {
  /** The codes of LOINC, and codes without a system. */
  codes: string[];
  /** The title, and the words for the codes of any system. */
  names: string[];
}

/** A section of a document, without its subsections. */
export interface DocumentSection extends Heading {
  title: string | undefined;
  /** The subjects of the enclosing sections, the nearest first. */
  around: Heading[];
  /** The narrative as markup; `undefined` if the markup has no words. */
  div: string | undefined;
  /** The `Type/id` of its entries. */
  entries: string[];
  emptyReason: Concept | undefined;
  /** The subject of the section, if it is not the patient of the document. */
  about: string | undefined;
}

/** A document, with all its sections and subsections in the order of the document. */
export interface SummaryDocument {
  resource: Resource;
  /** The time at which the document was written. */
  date: string | undefined;
  title: string | undefined;
  /** The known names of its authors. */
  authors: string[];
  /** True if the type of the document is a summary of a patient. */
  isSummary: boolean;
  sections: DocumentSection[];
  /** The words for its relations to other documents. */
  related?: string | undefined;
}

const LOINC = 'http://loinc.org';
/** LOINC codes of summaries: a patient summary, and a summary of an episode. */
const SUMMARIES = ['60591-5', '34133-9'];

const isLoinc = (system: unknown): boolean => textIn(system) === undefined || textIn(system) === LOINC;

/** Returns the codes of a concept that are of LOINC or have no system. */
const codesIn = (value: unknown): string[] =>
  itemsOf(isObject(value) ? value.coding : undefined).flatMap((coding) =>
    isObject(coding) && isLoinc(coding.system) ? (textIn(coding.code) ?? []) : [],
  );

/** Returns the title of a section, and the words for its codes. */
function namesIn({ title, code }: Readonly<Record<string, unknown>>): string[] {
  const codings = itemsOf(isObject(code) ? code.coding : undefined).filter(isObject);
  const said = isObject(code) ? [code.text, ...codings.map(({ display }) => display)] : [];
  return [title, ...said].flatMap((one) => textIn(one) ?? []);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"', nbsp: ' ' },
  ...{ deg: '°', ge: '≥', le: '≤', mdash: '—', micro: 'µ', ndash: '–', plusmn: '±', szlig: 'ß' },
};

/** The names of accents in entities such as `&eacute;`, as marks that follow a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', cedil: '\u0327', circ: '\u0302', grave: '\u0300' },
  ...{ ring: '\u030a', tilde: '\u0303', uml: '\u0308' },
};

/** Returns the letter of an entity: of its number or of its name. */
function letterOf(whole: string, name: string): string {
  const accent = own(ACCENTS, name.slice(1));
  if (accent) return `${name.charAt(0)}${accent}`.normalize();
  if (!name.startsWith('#')) return own(ENTITIES, name.toLowerCase()) ?? whole;
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
}

const unescaped = (text: string): string => text.replace(/&(#?\w{1,8});/g, letterOf);

/** Returns a line with its cells separated by commas. */
const cellsOf = (line: string): string =>
  line
    .split('\t')
    .map((cell) => unescaped(cell).replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(', ');

/** Returns whether an element strikes out its content, by its name or by a style. */
const isStruck = (name: string, attributes: string): boolean =>
  /^(?:del|s|strike)$/i.test(name) || (attributes.includes('line-through') && /\sstyle\s*=/i.test(attributes));

/** Returns markup in which struck-out text is marked in words. No part of the markup is searched for an end twice. */
function withStruck(words: Words, markup: string): string {
  let [made, at] = ['', 0];
  const unclosed = new Set<string>();
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of markup.matchAll(/<(\w+)(\s[^<>]*)?>/g)) {
    if (index < at || unclosed.has(name) || !isStruck(name, attributes)) continue;
    const end = new RegExp(`</${name}\\s*>`, 'gi');
    end.lastIndex = index + tag.length;
    const found = end.exec(markup);
    if (found) {
      const struck = markup.slice(index + tag.length, found.index);
      made += `${markup.slice(at, index)}[${words.t('struck out:')} ${struck}]`;
      at = end.lastIndex;
    } else unclosed.add(name);
  }
  return made + markup.slice(at);
}

/** Returns the words of markup, one line for each row, item or paragraph. Struck-out text is marked in words. */
export const linesOf = (words: Words, markup: string): string[] =>
  withStruck(words, markup)
    .replace(/<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g, (_, text: string) =>
      text.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
    )
    .replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/<br\b[^<>]*>|<\/(?:tr|li|p|div|dt|dd|caption|h[1-6])\s*>/gi, '\n')
    .replace(/<\/t[dh]\s*>/gi, '\t')
    .replace(/<[^<>]*>/g, ' ')
    .split('\n')
    .map(cellsOf)
    .filter((line) => line !== '');

/** Heads of tables: elements for heads, and rows that have only cells for heads of columns. */
const HEADS = new RegExp(
  String.raw`<thead\b(?:(?!<thead\b)[\s\S])*?<\/thead\s*>` +
    String.raw`|<tr\b[^<>]*>\s*(?:<th\b[^<>]*>(?:(?!<\/?t[hrd]\b)[\s\S])*<\/th\s*>\s*){2,}<\/tr\s*>`,
  'gi',
);

/** Returns the lines of markup without the heads of tables. */
const bodyLinesOf = (words: Words, markup: string): string[] => linesOf(words, markup.replace(HEADS, ' '));

/** Returns the words of markup in one line, without the heads of tables. */
export const wordsOf = (words: Words, markup: string): string => bodyLinesOf(words, markup).join(' · ');

/** The greatest length of a text that only says that there is nothing, in letters. */
const SHORT = 90;
const ALONE =
  /^(?:none|nil|nothing|unknown|n\/?a|no|ningun[oa]|nada|keine?|aucune?|neant|geen|nenhum[a]?|nessun[oa]?)[.!]?$/;
/** A negation with a word for a kind of knowledge. Other negations are advice, such as `no aspirin`. */
const DENIES = [
  /^(?:there (?:is|are) )?(?:no|none|nil|not|nothing|sin|ningun\w*|kein\w*|nicht|aucun\w*)(?![\w-])/,
  /^(?:pas d\w*|geen|niet|nenhum\w*|sem|nessun\w*|non)(?![\w-])/,
];
const KNOWN = [
  /known|record|report|informat|data|histor|availab|applicab|indicat|relevan|entered|on file|consta|dato|conoc|registr/,
  /antecedent|bekannt|angabe|dokument|vorhanden|connu|renseign|donnee|signal|bekend|gegeven|conhecid|registo|informac/,
  /noto|note|segnal/,
];
/** Words that add information after such a negation. */
const BUT = /\b(?:but|except|however|pero|salvo|aber|ausser|au\u00dfer|mais|sauf|maar|behalve|mas|exceto|ma|tranne)\b/;

/** Returns whether markup says in few words only that there is nothing, or that nothing was recorded. */
export function saysNothing(markup: string): boolean {
  return bodyLinesOf(ENGLISH, markup).every((line) => {
    const plain = unaccented(line).toLowerCase();
    if (line.length > SHORT || BUT.test(plain)) return false;
    return ALONE.test(plain) || (DENIES.some((one) => one.test(plain)) && KNOWN.some((one) => one.test(plain)));
  });
}

/** Returns the narrative of an element, if it has words. */
function divIn(words: Words, value: unknown): string | undefined {
  const div = isObject(value) ? textIn(value.div) : undefined;
  return div !== undefined && linesOf(words, div).length > 0 ? div : undefined;
}

/** The greatest depth of nested sections. */
const DEPTH = 12;

/** Returns the words of a reference to a subject other than the subject of the document. */
function aboutIn(words: Words, focus: unknown, subject: string): string | undefined {
  if (!isShaped(referenceShape, focus)) return undefined;
  const to = referredAddress(focus.reference);
  return to !== '' && to === subject ? undefined : reference(words, focus);
}

function sectionsIn(words: Words, value: unknown, around: Heading[], subject: string): DocumentSection[] {
  if (around.length > DEPTH) return [];
  return itemsOf(value)
    .filter(isObject)
    .flatMap((section) => {
      const heading = { codes: codesIn(section.code), names: namesIn(section) };
      return [
        {
          title: textIn(section.title) ?? concept(words, conceptIn(section.code)),
          ...heading,
          around,
          div: divIn(words, section.text),
          entries: itemsOf(section.entry).flatMap((entry) => {
            const to = isObject(entry) ? textIn(entry.reference) : undefined;
            return to === undefined ? [] : referredAddress(to);
          }),
          emptyReason: conceptIn(section.emptyReason),
          about: aboutIn(words, section.focus, subject),
        },
        ...sectionsIn(words, section.section, [heading, ...around], subject),
      ];
    });
}

function authorIn(words: Words, value: unknown): string[] {
  if (!isShaped(referenceShape, value)) return [];
  const name = textIn(value.display) ?? factsOf(value).name?.(words) ?? textIn(value.identifier?.value);
  return name === undefined ? [] : [name];
}

export function documentOf(words: Words, resource: Resource): SummaryDocument {
  const members: Readonly<Record<string, unknown>> = { ...resource };
  const { subject } = members;
  return {
    resource,
    date: textIn(members.date),
    title: textIn(members.title) ?? concept(words, conceptIn(members.type)),
    authors: itemsOf(members.author).flatMap((author) => authorIn(words, author)),
    isSummary: codesIn(members.type).some((code) => SUMMARIES.includes(code)),
    sections: sectionsIn(
      words,
      members.section,
      [],
      isShaped(referenceShape, subject) ? referredAddress(subject.reference) : '',
    ),
  };
}

/** Returns the documents among records, the newest first, without those that were made in error or are replaced. */
export function documentsIn(words: Words, records: readonly Resource[]): SummaryDocument[] {
  const all = records.filter((one) => one.resourceType === 'Composition' && !isEnteredInError(one));
  const relations = documentRelations(all);
  return newest(
    all
      .filter((one) => !relations.replaced.has(one))
      .map((one) => ({ ...documentOf(words, one), related: relationText(words, one, relations) })),
    ({ date }) => date,
  );
}
