//! The content of an attachment, by its kind: text as text, HTML and clinical documents by their words, pictures as
//! pictures, a PDF in a tab of its own, and everything else as a named file to keep. Nothing of it is fetched, and
//! nothing in it runs.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type ClinicalDocument, clinicalDocument, type NarrativeSection } from '../fhir/clinical-document.ts';
import { shortDate } from '../fhir/date.ts';
import { bytesOf, type DocumentText, kindByBytes, kindOf, standardBase64, textOf } from '../fhir/document-text.ts';
import { htmlPage, LONGEST_PAGE } from '../fhir/narrative.ts';
import type { Attachment } from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { number } from '../language/number.ts';
import { own } from '../own.ts';
import { block, download } from '../parts/copy.ts';
import { size } from '../parts/requests.ts';
import { folded } from './row.ts';

interface Kind {
  /** What a reader calls it. */
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
  'application/rtf': { name: 'Formatted text (RTF)', extension: 'rtf' },
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
  'image/dicom': { name: 'Picture (DICOM)', extension: 'dcm' },
  'application/dicom': { name: 'Picture (DICOM)', extension: 'dcm' },
  'application/zip': { name: 'Archive (ZIP)', extension: 'zip' },
};

const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
const MARKUP = /^(text\/xml|application\/(xml|cda\+xml|hl7-sda\+xml))$/;
const PAGE = /^(text\/html|application\/xhtml\+xml)$/;
const TEXT = /^(text\/(plain|csv|markdown)|application\/(json|fhir\+json))$/;

/** The most letters of a text, and bytes of other kinds, that are shown. */
const LONGEST_TEXT = 200_000;
const LARGEST_PICTURE = 20 * 1024 ** 2;
const LARGEST_DOCUMENT = 8 * 1024 ** 2;

/** The name of a media type for a reader; the type itself where it has none, and nothing where there is none. */
export function kindName(attachment: Attachment): string {
  const kind = kindOf(attachment);
  const known = own(KINDS, kind);
  return known ? t(known.name) : kind;
}

/** An attachment with its bytes, read once. */
interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  /** The media type by which it is shown. */
  kind: string;
  /** The media type that the record gives, where the bytes are of another. */
  saidKind?: string;
  read?: DocumentText;
}

const contents = new WeakMap<Attachment, { data: string; content: Content | undefined }>();

/** The content of base64; nothing where it is none. */
function contentOf(attachment: Attachment, data: string): Content | undefined {
  const known = contents.get(attachment);
  if (known?.data === data) return known.content;
  let content: Content | undefined;
  try {
    content = judged(bytesOf(data), kindOf(attachment));
  } catch {
    content = undefined;
  }
  contents.set(attachment, { data, content });
  return content;
}

/** The kind of a document: the one that its record gives, unless there is none or the bytes are of another. */
function judged(bytes: Uint8Array<ArrayBuffer>, said: string): Content {
  const found = kindByBytes(bytes);
  const isUnsaid = said === '' || said === 'application/octet-stream' || said === 'binary/octet-stream';
  if (isUnsaid) return { bytes, kind: found ?? said };
  const isChecked = PICTURE.test(said) || said === 'application/pdf' || said === 'image/tiff';
  const isOther = isChecked ? found !== said : TEXT.test(said) && found !== undefined && !isText(found);
  return isOther ? { bytes, kind: found ?? '', saidKind: said } : { bytes, kind: said };
}

const isText = (kind: string): boolean => MARKUP.test(kind) || PAGE.test(kind);

/** The content of an attachment whose base64 is at hand. `name` is that of the file to keep. */
export function inline(attachment: Attachment, data: string, name: string): TemplateResult {
  const content = contentOf(attachment, data);
  if (!content) return html`<p class="state failed">${t("The document's data is damaged: it is no base64.")}</p>`;
  const { bytes, kind, saidKind } = content;
  const known = own(KINDS, kind);
  const keep = (): void => download(`${name}.${known?.extension ?? 'bin'}`, 'application/octet-stream', [bytes]);
  return html`<p class="actions"><span class="aside">${known ? t(known.name) : kind || t('no type given')}, ${size(
    bytes.length,
  )}</span>
    <button type="button" @click=${keep}>${t('Keep a copy')}</button></p>
    ${
      saidKind
        ? html`<p class="aside">${t('The record calls it {type}, which it is not.', { type: saidKind })}</p>`
        : nothing
    }
    ${
      bytes.length === 0
        ? html`<p class="state empty">${t('The document is empty.')}</p>`
        : bodyOf(content, attachment, data, name)
    }`;
}

function bodyOf(content: Content, attachment: Attachment, data: string, name: string): TemplateResult {
  const { bytes, kind } = content;
  if (PICTURE.test(kind))
    return bytes.length > LARGEST_PICTURE ? tooLarge(LARGEST_PICTURE) : pictureView(data, kind, attachment);
  if (kind === 'application/pdf') return pdfView(bytes);
  const isShown = PAGE.test(kind) || MARKUP.test(kind) || TEXT.test(kind);
  if (!isShown)
    return html`<p class="aside">${t('This kind of document is not opened inside the chart.')}
      ${t('Keep a copy, and open it with a program that you trust.')}</p>`;
  if (bytes.length > LARGEST_DOCUMENT) return tooLarge(LARGEST_DOCUMENT);
  content.read ??= textOf(bytes, attachment.contentType);
  const { read } = content;
  return html`${
    read.isGuessed
      ? html`<p class="aside">${t('Its charset is not said: it was read as {charset}.', { charset: read.charset })}</p>`
      : nothing
  }${
    PAGE.test(kind)
      ? pageView(content, read)
      : MARKUP.test(kind)
        ? markupView(content, read, name)
        : textView(read.text, kind)
  }`;
}

const tooLarge = (most: number): TemplateResult =>
  html`<p class="aside">${t('Too large to be shown here, where the most is {size}.', { size: size(most) })}
    ${t('Keep a copy, and open it with a program that you trust.')}</p>`;

const cutNote = (length: number, most: number): TemplateResult | typeof nothing =>
  length > most
    ? html`<p class="aside">${t('The first {shown} of {all} letters are shown. A copy has all.', {
        shown: number(most),
        all: number(length),
      })}</p>`
    : nothing;

function textView(text: string, kind: string): TemplateResult {
  const shown = text.slice(0, LONGEST_TEXT);
  return html`${cutNote(text.length, LONGEST_TEXT)}<div class="document-text" tabindex="0" role="region"
    aria-label=${t("The document's text")}>${
      kind === 'text/plain' || kind === 'text/markdown' ? shown : block(shown, t('The document as it is written'))
    }</div>`;
}

/** The markup itself, for those who want it. */
const source = (text: string): TemplateResult =>
  folded(t('The source of the document'), block(text, t('The source of the document')));

const frames = new WeakMap<Content, HTMLElement>();

/** The nodes of a document, made once: a drawer that is drawn again shows the same ones. */
function framed(content: Content, make: () => Node): HTMLElement {
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

const pageView = (content: Content, { text }: DocumentText): TemplateResult =>
  html`${cutNote(text.length, LONGEST_PAGE)}${framed(content, () => htmlPage(text))}
    <p class="aside">${t('A web page: its words are shown; nothing in it runs, and nothing is fetched.')}</p>
    ${source(text)}`;

const clinical = new WeakMap<Content, ClinicalDocument | 'other'>();

/** A clinical document by its narrative, and other XML as it is written. */
function markupView(content: Content, { text }: DocumentText, name: string): TemplateResult {
  const found = clinical.get(content) ?? clinicalDocument(text) ?? 'other';
  clinical.set(content, found);
  if (found === 'other') return textView(text, content.kind);
  const { title, patient, birthDate, sections, other } = found;
  const born = birthDate ? t('born {date}', { date: shortDate(birthDate) }) : '';
  const whose = [patient || t('a patient without a name'), born].filter(Boolean).join(', ');
  return html`<p><strong>${title || t('Clinical document')}</strong></p>
    <p class="aside">${t('The document names as its patient: {name}.', { name: whose })}</p>
    ${other ? inline(other, other.data, name) : nothing}
    ${sections.length > 0 ? framed(content, () => sectionsOf(sections)) : nothing}
    ${sections.length === 0 && !other ? html`<p class="state empty">${t('The document has no text.')}</p>` : nothing}
    ${source(text)}`;
}

/** The sections of a clinical document under their titles, which are below those of the drawer. */
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

const pictureView = (data: string, kind: string, { title }: Attachment): TemplateResult =>
  html`<img class="document-picture" alt=${title ?? t('Picture from the record; it has no description')}
    src=${`data:${kind};base64,${standardBase64(data)}`}>`;

/** The page's policy lets no frame in, so that a PDF has a tab of its own, of the browser's viewer. */
function pdfView(bytes: Uint8Array<ArrayBuffer>): TemplateResult {
  const open = (): void => {
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
    Object.assign(document.createElement('a'), { href: url, target: '_blank', rel: 'noopener' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return html`<p class="actions"><button type="button" @click=${open}>${t('Open the PDF in a new tab')}</button>
    <span class="aside">${t('It is opened from this page, and nothing is sent.')}</span></p>`;
}
