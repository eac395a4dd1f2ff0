//! The texts that a record contains as documents: the words of the sections of a Composition, and text attachments.
//! They are searched, and are not displayed from here.

import { valuesAt } from '../fhir/element-text.ts';
import { textIn } from '../fhir/loose.ts';
import type { Resource } from '../fhir/types.ts';
import { joinedBy } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { isObject } from '../shape.ts';
import { documentOf, linesOf } from './composition.ts';
import { bytesOf, dataIn, isTextual, kindByBytes, kindOf, textOf } from './document-text.ts';

/** The texts of a record, and its attachments that were not read. */
interface TextsInRecord {
  texts: string[];
  /** The attachments whose content is at another address, or of an unsupported kind. */
  unread: Attached[];
}

type Attached = Readonly<Record<string, unknown>>;

const ANSWER = 'answer.valueAttachment';
/** The elements with attachments, by type. */
const ATTACHED = new Map([
  ['DocumentReference', ['content.attachment']],
  ['DiagnosticReport', ['presentedForm']],
  ['Media', ['content']],
  ['Communication', ['payload.contentAttachment']],
  ['Consent', ['sourceAttachment']],
  ['Observation', ['valueAttachment']],
  ['QuestionnaireResponse', [`item.${ANSWER}`, `item.item.${ANSWER}`, `item.item.item.${ANSWER}`]],
]);

/** The most letters of base64 that are read, and the most letters of a text that are searched. */
const LARGEST = 4_000_000;
const MAX_LENGTH = 200_000;
/** The most letters of a piece, which is the limit of an index. */
const PIECE = 3_500;

/** Splits a text into pieces, none of which ends within a word. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + PIECE >= text.length ? text.length : text.lastIndexOf(' ', from + PIECE);
    const to = end > from ? end : from + PIECE;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

const sectionTexts = (words: Words, resource: Resource): string[] =>
  documentOf(words, resource).sections.flatMap(({ title, about, div }) =>
    (div === undefined ? [] : linesOf(words, div.slice(0, MAX_LENGTH))).flatMap((line) =>
      pieces(joinedBy(': ', about && words.t('about: {what}', { what: about }), title, line)),
    ),
  );

/** A document of another kind within a clinical document. */
const ENCLOSED = /<(?:\w+:)?text\s[^<>]*representation=["']B64/;

/** Returns the text of an attachment; `undefined` if it is at another address or of an unsupported kind. */
function attachedText(words: Words, attachment: Attached): string | undefined {
  const inUrl = dataIn(textIn(attachment.url));
  const data = textIn(attachment.data) ?? inUrl?.data;
  if (data === undefined || data.length > LARGEST) return undefined;
  const contentType = textIn(attachment.contentType) ?? inUrl?.contentType ?? '';
  try {
    const bytes = bytesOf(data);
    const plain = contentType === '' && isTextual(bytes) ? 'text/plain' : '';
    const kind = kindByBytes(bytes) ?? (kindOf({ contentType }) || plain);
    if (!/^text\/|xml|html|json/.test(kind) || /rtf|officedocument/.test(kind)) return undefined;
    const { text } = textOf(bytes, contentType);
    if (ENCLOSED.test(text)) return undefined;
    const cut = text.slice(0, MAX_LENGTH);
    return /html|xml/.test(kind) ? linesOf(words, cut).join(' · ') : cut;
  } catch {
    return undefined;
  }
}

const asTexts = (text: string): string[] => pieces(text.replace(/\s+/g, ' ').trim());

/** Returns the address of the Binary that has the content of an attachment, if there is one. */
export const binaryOf = ({ url }: Attached): string | undefined =>
  /(?:^|\/)(Binary\/[A-Za-z0-9.-]{1,64})$/.exec(textIn(url) ?? '')?.[1];

/** Returns the texts of a Binary that an attachment names; none if it is of an unsupported kind. */
export function textsOfBinary(words: Words, attachment: Attached, binary: unknown): string[] | undefined {
  if (!isObject(binary)) return undefined;
  const text = attachedText(words, { ...binary, contentType: binary.contentType ?? attachment.contentType });
  return text === undefined ? undefined : asTexts(text);
}

export function textsIn(words: Words, resource: Resource): TextsInRecord {
  if (resource.resourceType === 'Composition') return { texts: sectionTexts(words, resource), unread: [] };
  const paths = ATTACHED.get(resource.resourceType) ?? [];
  const attachments = paths.flatMap((path) => valuesAt(resource, path)).filter(isObject);
  const read = attachments.map((attachment) => ({ attachment, text: attachedText(words, attachment) }));
  return {
    texts: read.flatMap(({ text }) => (text === undefined ? [] : asTexts(text))),
    unread: read.flatMap(({ attachment, text }) => (text === undefined ? [attachment] : [])),
  };
}
