//! Attachments: where their content is. That which the source of the records holds is read from it when it is asked
//! for. A document at another address is shown as that address: it is never fetched, and no token is sent to it.

import { type Signal, signal } from '@preact/signals-core';
import { html, type TemplateResult } from 'lit-html';
import type { Attachment } from '../fhir/types.ts';
import type { Exchange } from '../http/exchange.ts';
import { rich, t } from '../language/message.ts';
import { failed, notGranted } from '../parts/notice.ts';
import { isShaped, partial, type Shaped, string } from '../shape.ts';
import { isBelow } from '../smart/address.ts';
import { BASE } from '../smart/server.ts';
import { inline, kindName } from './attachment-content.ts';
import type { SectionContext } from './section.ts';

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

/**
 * The address of a Binary that the source of the records may hold: a relative one, one below the base of the server,
 * and, of the user's own files, one of any server, since the files may have come from there.
 */
function addressOf(url: string, { store }: SectionContext): string | undefined {
  const address = /(?:^|\/)(Binary\/[A-Za-z0-9.-]{1,64})$/.exec(url)?.[1];
  const isRelative = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return isRelative || isBelow(BASE, url) || store.source.name === 'files' ? address : undefined;
}

function contentView(attachment: Attachment, name: string, context: SectionContext): TemplateResult {
  const { data, url } = attachment;
  if (data) return inline(attachment, data, name);
  const address = addressOf(url ?? '', context);
  if (address) return binaryView(attachment, address, name, context);
  if (!url) return html`<p class="state empty">${t('The record names no content.')}</p>`;
  const isHttps = URL.canParse(url) && /^https:\/\//.test(url);
  const kind = kindName(attachment) || t('A document');
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
