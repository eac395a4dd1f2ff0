//! Attachments, shown safely: text as text, pictures as pictures, everything else only as a file to keep. A document at
//! another address is shown as that address: it is never fetched, and no token is sent to it.

import { type Signal, signal } from '@preact/signals-core';
import { html, type TemplateResult } from 'lit-html';
import type { Attachment } from '../fhir/types.ts';
import type { Exchange } from '../http/exchange.ts';
import { rich, t } from '../language/message.ts';
import { block, download } from '../parts/copy.ts';
import { failed, notGranted } from '../parts/notice.ts';
import { size } from '../parts/requests.ts';
import { isShaped, partial, type Shaped, string } from '../shape.ts';
import type { SectionContext } from './section.ts';

/** Media types that are shown as text. */
const TEXT = /^(text\/(plain|xml|csv|markdown|rtf)|application\/(xml|json|fhir\+json|hl7-sda\+xml|cda\+xml))/;
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
const LONGEST = 200_000;

/** The media type, without parameters. */
export const kindOf = ({ contentType = '' }: Attachment): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
}

function inline(attachment: Attachment, data: string, name: string): TemplateResult {
  const kind = kindOf(attachment);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = bytesOf(data);
  } catch {
    return html`<p class="state failed">${t("The document's data is damaged: it is no base64.")}</p>`;
  }
  const extension =
    {
      'application/pdf': 'pdf',
      'application/xml': 'xml',
      'text/xml': 'xml',
      'text/html': 'html',
      'application/xhtml+xml': 'html',
    }[kind] ?? 'bin';
  const keep = html`<button type="button" @click=${() =>
    download(`${name}.${TEXT.test(kind) && extension === 'bin' ? 'txt' : extension}`, 'application/octet-stream', [
      bytes,
    ])}>${t('Keep a copy')}</button>`;
  const about = html`<p class="actions"><span class="aside">${kind || t('no type given')}, ${size(bytes.length)}</span>
    ${keep}</p>`;
  if (TEXT.test(kind)) {
    const text = new TextDecoder().decode(bytes);
    return html`${about}<div class="document-text" tabindex="0" role="region" aria-label=${t("The document's text")}>${
      kind === 'text/plain' ? text.slice(0, LONGEST) : block(text.slice(0, LONGEST), t('The document as it is written'))
    }</div>`;
  }
  if (PICTURE.test(kind))
    return html`${about}<img class="document-picture" alt=${
      attachment.title ?? t('Picture from the record; it has no description')
    } src=${`data:${kind};base64,${data.replace(/\s/g, '')}`}>`;
  if (kind === 'text/html' || kind === 'application/xhtml+xml') {
    // Without permissions a frame runs nothing; this page's policy forbids scripts in it once more.
    return html`${about}<p class="aside">${t('A web page: shown as its source, nothing in it runs.')}</p>${block(
      new TextDecoder().decode(bytes).slice(0, LONGEST),
      t('The source of the document'),
    )}`;
  }
  return html`${about}<p class="aside">${t('This kind of document is not opened inside the chart.')}
    ${t('Keep a copy, and open it with a program that you trust.')}</p>`;
}

/** A document that was asked for. */
type BinaryState =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  | { is: 'answered'; exchange: Exchange; binary: Shaped<typeof binary> | undefined };
const states = new WeakMap<Attachment, Signal<BinaryState | undefined>>();
function stateOf(attachment: Attachment): Signal<BinaryState | undefined> {
  const known = states.get(attachment) ?? signal(undefined);
  states.set(attachment, known);
  return known;
}

const binary = partial({ contentType: string, data: string });

async function openBinary(attachment: Attachment, address: string, { store }: SectionContext): Promise<void> {
  const state = stateOf(attachment);
  state.value = { is: 'waiting' };
  const permission = await store.permission('Binary', 'read');
  if (permission && !permission.open) {
    state.value = { is: 'withheld', why: permission.why ?? t('No scope opens {type}.', { type: 'Binary' }) };
  } else {
    const exchange = await store.source.read(address);
    const { body } = exchange;
    state.value = { is: 'answered', exchange, binary: isShaped(binary, body) ? body : undefined };
  }
}

function binaryView(attachment: Attachment, address: string, name: string, context: SectionContext): TemplateResult {
  const { value: state } = stateOf(attachment);
  if (state?.is === 'withheld') return notGranted(state.why);
  if (state?.is === 'answered') {
    const { data, contentType = attachment.contentType ?? '' } = state.binary ?? {};
    return data ? inline({ ...attachment, contentType }, data, name) : failed(state.exchange);
  }
  const open = (): Promise<void> => openBinary(attachment, address, context);
  return html`<p class="actions"><button type="button" ?disabled=${state?.is === 'waiting'} @click=${open}>${t(
    'Open {address}',
    { address },
  )}</button></p>`;
}

export function attachmentView(attachment: Attachment, name: string, context: SectionContext): TemplateResult {
  return html`<section class="attachment"><h3>${attachment.title ?? t('Document')}</h3>
    ${contentView(attachment, name, context)}</section>`;
}

function contentView(attachment: Attachment, name: string, context: SectionContext): TemplateResult {
  const { data, url } = attachment;
  if (data) return inline(attachment, data, name);
  const address = /(?:^|\/)(Binary\/[A-Za-z0-9.-]{1,64})$/.exec(url ?? '')?.[1];
  if (address) return binaryView(attachment, address, name, context);
  if (!url) return html`<p class="state empty">${t('The record names no content.')}</p>`;
  const isHttps = URL.canParse(url) && /^https:\/\//.test(url);
  const kind = kindOf(attachment) || t('A document');
  const place = isHttps
    ? rich('{kind} at another address, {host}.', { kind, host: html`<strong>${new URL(url).host}</strong>` })
    : t('{kind} at another address.', { kind });
  return html`<p>${place} ${t('It is not fetched from here, and no token goes there.')}</p>
    <p class="breakable">${
      isHttps
        ? html`<a href=${url} target="_blank" rel="noopener noreferrer external">${url}</a>`
        : html`<code>${url}</code>`
    }</p>`;
}
