//! The content of an attachment by its kind: text, the words of HTML and of clinical documents, pictures, a PDF in the
//! browser's viewer, and anything else as a file to download. The content fetches nothing and runs no scripts. A
//! warning stands above a document that names another person than the chart.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type DocumentKind, documentKind, isWritten, MARKUP, PAGE, PICTURE } from '#reading/documents/document-kind.ts';
import { bytesOf, type DocumentText, kindOf, standardBase64, textOf } from '#reading/documents/document-text.ts';
import { shortDate } from '#reading/fhir/date.ts';
import type { Attachment } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import type { Words } from '#reading/language/words.ts';
import { own } from '#reading/own.ts';
import { type ClinicalDocument, clinicalDocument, type NarrativeSection } from '../../fhir/clinical-document.ts';
import { htmlPage, MAX_PAGE_LENGTH } from '../../fhir/narrative.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import { block, download } from '../../parts/copy.ts';
import { folded } from '../../parts/folded.ts';
import { aside, empty } from '../../parts/notice.ts';
import { size } from '../../parts/requests.ts';
import type { ChartStore } from '../loading/store.ts';
import { pdfView } from './pdf-frame.ts';
import { inWords, otherPersonNote } from './whose-document.ts';

interface Kind {
  /** The name for readers. */
  name: PlainMessage;
  extension: string;
}

/** Kinds of documents by media type. */
const KINDS: Record<string, Kind> = {
  'application/pdf': { name: 'PDF', extension: 'pdf' },
  'application/xml': { name: 'XML', extension: 'xml' },
  'text/xml': { name: 'XML', extension: 'xml' },
  'application/cda+xml': { name: 'XML', extension: 'xml' },
  'application/hl7-sda+xml': { name: 'XML', extension: 'xml' },
  'text/html': { name: 'Web page (HTML)', extension: 'html' },
  'application/xhtml+xml': { name: 'Web page (HTML)', extension: 'html' },
  'text/plain': { name: 'Plain text', extension: 'txt' },
  'text/markdown': { name: 'Plain text', extension: 'md' },
  'text/csv': { name: 'Table (CSV)', extension: 'csv' },
  'application/json': { name: 'JSON', extension: 'json' },
  'application/fhir+json': { name: 'JSON', extension: 'json' },
  'text/rtf': { name: 'Formatted text (RTF)', extension: 'rtf' },
  'application/msword': { name: 'Word document', extension: 'doc' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    name: 'Word document',
    extension: 'docx',
  },
  'image/tiff': { name: 'Picture (TIFF)', extension: 'tif' },
  'image/png': { name: 'Picture (PNG)', extension: 'png' },
  'image/jpeg': { name: 'Picture (JPEG)', extension: 'jpg' },
  'image/gif': { name: 'Picture (GIF)', extension: 'gif' },
  'image/webp': { name: 'Picture (WebP)', extension: 'webp' },
  'image/svg+xml': { name: 'Drawing (SVG)', extension: 'svg' },
  'application/dicom': { name: 'Picture (DICOM)', extension: 'dcm' },
  'application/zip': { name: 'Archive (ZIP)', extension: 'zip' },
  'application/gzip': { name: 'Compressed file (gzip)', extension: 'gz' },
};

/** The most characters of a text, and the most bytes of other kinds, that are shown. */
const MAX_TEXT_LENGTH = 200_000;
const LARGEST_PICTURE = 20 * 1024 ** 2;
const LARGEST_DOCUMENT = 8 * 1024 ** 2;

/** Returns the name of an attachment's media type, or the type itself if it has no name. May be empty. */
export function kindName(attachment: Attachment): string {
  const kind = kindOf(attachment);
  const known = own(KINDS, kind);
  return known ? t(known.name) : kind;
}

/** An attachment with its bytes, read once. */
interface Content extends DocumentKind {
  bytes: Uint8Array<ArrayBuffer>;
  read?: DocumentText;
}

const judged = (bytes: Uint8Array<ArrayBuffer>, contentType: string): Content => ({
  bytes,
  ...documentKind(bytes, contentType),
});

interface Kept {
  data: string;
  said: string;
  content: Content | undefined;
}
const contents = new WeakMap<Attachment, Kept>();

/** Decodes the base64 of an attachment and keeps the result. Returns nothing if the base64 is invalid. */
function contentOf({ attachment, data, contentType = '' }: ShownAttachment): Content | undefined {
  const known = contents.get(attachment);
  if (known?.data === data && known.said === contentType) return known.content;
  let content: Content | undefined;
  try {
    content = judged(bytesOf(data), contentType);
  } catch {
    content = undefined;
  }
  contents.set(attachment, { data, said: contentType, content });
  return content;
}

/** An attachment with its base64. */
export interface ShownAttachment {
  /** The attachment as it is in its record. */
  attachment: Attachment;
  data: string;
  /** The media type that the record or the Binary gives. */
  contentType: string | undefined;
  /** The title above the content, if it has one. */
  title: string | undefined;
  /** The name of the file for a download. */
  name: string;
  store: ChartStore;
}

/** Draws a picture. Returns nothing if the content is no picture, or is too large. */
export function pictureOf(shown: ShownAttachment): TemplateResult | undefined {
  // Avoids decoding recordings, and base64 that is too long. The factor 1.5 leaves room for line breaks.
  const isRecording = /^(?:audio|video)\//.test(kindOf({ contentType: shown.contentType ?? '' }));
  if (isRecording || shown.data.length > 1.5 * LARGEST_PICTURE) return undefined;
  const content = contentOf(shown);
  const isShown = content && PICTURE.test(content.kind) && content.bytes.length <= LARGEST_PICTURE;
  return isShown ? pictureView(content, shown) : undefined;
}

/** Draws the content of an attachment with its base64. */
export function inline(shown: ShownAttachment): TemplateResult {
  const { name } = shown;
  const content = contentOf(shown);
  if (!content) return html`<p class="state failed">${t("The document's data is damaged: it is not base64.")}</p>`;
  const { bytes, kind, saidKind } = content;
  const known = own(KINDS, kind);
  const keep = (): void => download(`${name}.${known?.extension ?? 'bin'}`, 'application/octet-stream', [bytes]);
  return html`<p class="actions"><span class="aside">${known ? t(known.name) : kind || t('no type given')}, ${size(
    bytes.length,
  )}</span>
    <button type="button" @click=${keep}>${t('Keep a copy')}</button></p>
    ${aside(saidKind && t('The record calls it {type}, which it is not.', { type: saidKind }))}
    ${bytes.length === 0 ? empty(t('The document is empty.')) : bodyOf(content, shown)}`;
}

function bodyOf(content: Content, shown: ShownAttachment): TemplateResult {
  const { bytes, kind } = content;
  if (PICTURE.test(kind))
    return bytes.length > LARGEST_PICTURE ? tooLarge(LARGEST_PICTURE) : pictureView(content, shown);
  if (kind === 'application/pdf') return pdfView(bytes, shown.title || t('Document'));
  if (!isWritten(kind))
    return html`<p class="aside">${t('This kind of document is not opened inside the chart.')}
      ${t('Keep a copy, and open it with a program that you trust.')}</p>`;
  if (bytes.length > LARGEST_DOCUMENT) return tooLarge(LARGEST_DOCUMENT);
  content.read ??= textOf(bytes, shown.contentType);
  const { read } = content;
  return html`${aside(
    read.isGuessed && t('It was read as {charset}, which its record does not say.', { charset: read.charset }),
  )}${
    PAGE.test(kind)
      ? pageView(content, read)
      : MARKUP.test(kind)
        ? markupView(content, read, shown)
        : textView(read.text, kind)
  }`;
}

const tooLarge = (most: number): TemplateResult =>
  html`<p class="aside">${t('Too large to be shown here, where the most is {size}.', { size: size(most) })}
    ${t('Keep a copy, and open it with a program that you trust.')}</p>`;

const cutNote = (length: number, most: number): TemplateResult | typeof nothing =>
  aside(
    length > most &&
      t('The first {shown} of {all} letters are shown. A copy has all.', {
        shown: words().number(most),
        all: words().number(length),
      }),
  );

function textView(text: string, kind: string): TemplateResult {
  const shown = text.slice(0, MAX_TEXT_LENGTH);
  return html`${cutNote(text.length, MAX_TEXT_LENGTH)}<div class="document-text" tabindex="0" role="region"
    aria-label=${t("The document's text")}>${
      kind === 'text/plain' || kind === 'text/markdown' ? shown : block(shown, t('The document as it is written'))
    }</div>`;
}

const source = (text: string): TemplateResult =>
  folded(t('The source of the document'), block(text, t('The source of the document')));

const framesIn = kept((_: Words) => new WeakMap<Content, HTMLElement>());

/** Returns the nodes of a document, made once: a drawer that is drawn again shows the same nodes. */
function framed(content: Content, make: () => Node): HTMLElement {
  const frames = framesIn(words());
  const known = frames.get(content);
  if (known) return known;
  const frame = Object.assign(document.createElement('div'), { tabIndex: 0 });
  frame.classList.add('document-page', 'narrative');
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', t("The document's text"));
  frame.append(make());
  frames.set(content, frame);
  return frame;
}

function pageView(content: Content, { text }: DocumentText): TemplateResult {
  const frame = framed(content, () => htmlPage(text));
  return html`${cutNote(text.length, MAX_PAGE_LENGTH)}${frame}
    <p class="aside">${t('A web page: its words are shown; nothing in it runs, and nothing is fetched.')}</p>
    ${source(text)}`;
}

const clinicalIn = kept((_: Words) => new WeakMap<Content, ClinicalDocument | 'other'>());

/** Draws the narrative of a clinical document, or the source of other XML. */
function markupView(content: Content, { text }: DocumentText, shown: ShownAttachment): TemplateResult {
  const clinical = clinicalIn(words());
  const found = clinical.get(content) ?? clinicalDocument(text) ?? 'other';
  clinical.set(content, found);
  if (found === 'other') return textView(text, content.kind);
  const { title, patient, birthDate, people, sections, other, elsewhere, date } = found;
  const isEmpty = sections.length === 0 && !other && !elsewhere;
  return html`${otherPersonNote(people, shown.store)}<p><strong>${title || t('Clinical document')}</strong>${
    date ? html` <span class="aside">${shortDate(words(), date)}</span>` : nothing
  }</p>
    <p class="aside">${t('The document names as its patient: {name}.', {
      name: inWords(patient, birthDate),
    })}</p>
    ${other ? inline({ ...shown, attachment: other, data: other.data, contentType: other.contentType }) : nothing}
    ${
      elsewhere
        ? empty(
            t('The document refers to a file, {address}, that is not in it.', {
              address: elsewhere,
            }),
          )
        : nothing
    }${sections.length > 0 ? framed(content, () => sectionsOf(sections)) : nothing}
    ${isEmpty ? empty(t('The document has no text.')) : nothing}
    ${source(text)}`;
}

/** Returns the sections of a clinical document. Their headings rank below that of the drawer. */
function sectionsOf(sections: readonly NarrativeSection[]): DocumentFragment {
  const all = document.createDocumentFragment();
  for (const { title, depth, narrative } of sections) {
    const heading = document.createElement(`h${Math.min(3 + depth, 6)}`);
    heading.textContent = title || t('Section without a title');
    const isEmpty = (narrative.textContent ?? '').trim() === '';
    const without = Object.assign(document.createElement('p'), { textContent: t('This section has no text.') });
    all.append(heading, isEmpty ? without : narrative);
  }
  return all;
}

const pictureView = ({ kind }: Content, { data, title }: ShownAttachment): TemplateResult =>
  html`<img class="document-picture" alt=${title || t('Picture from the record; it has no description')}
    src=${`data:${kind};base64,${standardBase64(data)}`}>`;
