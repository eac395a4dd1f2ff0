//! Attachments and the places of their content. Content that the source of the records holds is read on request. For a
//! document at another address, only the address is shown: it is never fetched, and no token is sent to it.

import { type Signal, signal } from '@preact/signals-core';
import { html, type TemplateResult } from 'lit-html';
import { dataIn } from '#reading/documents/document-text.ts';
import { containedIn, isInside } from '#reading/fhir/contained.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { type Attachment, attachmentShape, type Resource } from '#reading/fhir/types.ts';
import { isShaped, partial, type ShapeValue, string } from '#reading/shape.ts';
import type { Exchange } from '../../http/exchange.ts';
import { rich, t } from '../../language/message.ts';
import { empty, failed, notGranted } from '../../parts/notice.ts';
import { isBelow } from '../../smart/address.ts';
import { BASE } from '../../smart/server.ts';
import type { ChartStore } from '../loading/store.ts';
import { inline, kindName, pictureOf, type ShownAttachment } from './attachment-content.ts';

/** The state of a document that was requested. */
type BinaryState =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  | { is: 'answered'; exchange: Exchange; binary: ShapeValue<typeof binary> | undefined };
const states = new WeakMap<Attachment, Signal<BinaryState | undefined>>();
function stateOf(attachment: Attachment): Signal<BinaryState | undefined> {
  const known = states.get(attachment) ?? signal(undefined);
  states.set(attachment, known);
  return known;
}

const binary = partial({ contentType: string, data: string });

async function openBinary(attachment: Attachment, address: string, store: ChartStore): Promise<void> {
  const state = stateOf(attachment);
  state.value = { is: 'waiting' };
  const why = await store.whyWithheld('Binary', 'read');
  if (why) state.value = { is: 'withheld', why };
  else {
    const exchange = await store.source.read(address);
    const { body } = exchange;
    state.value = { is: 'answered', exchange, binary: isShaped(binary, body) ? body : undefined };
  }
}

/** An attachment in its record. */
interface Place {
  attachment: Attachment;
  /** The record with the attachment. It may contain the content. */
  record: Resource;
  /** The title above the content, if it has one. */
  title: string | undefined;
}

const shownOf = (
  { attachment, record, title }: Place,
  data: string,
  contentType: string | undefined,
  store: ChartStore,
): ShownAttachment => ({ attachment, data, contentType, title, name: record.id, store });

function binaryView(place: Place, address: string, store: ChartStore): TemplateResult {
  const { attachment } = place;
  const { value: state } = stateOf(attachment);
  if (state?.is === 'withheld') return notGranted(state.why);
  if (state?.is === 'answered') {
    const { data, contentType = attachment.contentType } = state.binary ?? {};
    return data ? inline(shownOf(place, data, contentType, store)) : failed(state.exchange);
  }
  const open = (): Promise<void> => openBinary(attachment, address, store);
  return html`<p class="actions"><button type="button" ?disabled=${state?.is === 'waiting'} @click=${open}>${t(
    'Open {address}',
    { address },
  )}</button></p>`;
}

/** Draws an attachment of a record under its own title, or under the given title. */
export function attachmentView(
  attachment: Attachment,
  record: Resource,
  store: ChartStore,
  title = attachment.title,
): TemplateResult {
  return html`<section class="attachment"><h3>${title || t('Document')}</h3>
    ${contentView({ attachment, record, title }, store)}</section>`;
}

/** Draws an attachment that is a picture within its record. Returns nothing for other content. */
export function pictureIn(
  attachment: Attachment,
  record: Resource,
  title: string,
  store: ChartStore,
): TemplateResult | undefined {
  const { data = '', contentType } = heldIn(attachment, record) ?? {};
  return data ? pictureOf(shownOf({ attachment, record, title }, data, contentType, store)) : undefined;
}

/**
 * Returns the address of a Binary that the source of the records may hold: a relative address, or one below the base of
 * the server. The user's own files may come from any server, so any base is allowed for them.
 */
function addressOf(url: string, store: ChartStore): string | undefined {
  const address = /(?:^|\/)(Binary\/[A-Za-z0-9.-]{1,64})(?:\/_history\/[^/?#]*)?(?:[?#].*)?$/.exec(url)?.[1];
  const isRelative = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return isRelative || isBelow(BASE, url) || store.source.name === 'files' ? address : undefined;
}

/** Returns the content that a record holds: in the attachment, or in a contained resource, such as a Binary. */
function heldIn(attachment: Attachment, record: Resource): Attachment | undefined {
  const { data, url } = attachment;
  if (data) return attachment;
  const within = dataIn(url);
  if (within) return { ...within, contentType: attachment.contentType || within.contentType };
  const inside = containedIn(record, url);
  if (!inside) return undefined;
  // A contained DocumentReference or Media has its content in another attachment.
  const held = [inside, ...valuesAt(inside, 'content.attachment'), ...valuesAt(inside, 'content')];
  const found = held.find((one): one is Attachment => isShaped(attachmentShape, one) && one.data !== undefined);
  return found && { ...found, contentType: found.contentType || attachment.contentType || '' };
}

function contentView(place: Place, store: ChartStore): TemplateResult {
  const { attachment, record } = place;
  const { url } = attachment;
  const held = heldIn(attachment, record);
  if (held?.data) return inline(shownOf(place, held.data, held.contentType, store));
  if (isInside(url))
    return empty(t('The record names content within it, {address}, which it does not hold.', { address: url ?? '' }));
  const address = addressOf(url ?? '', store);
  if (address) return binaryView(place, address, store);
  if (!url) return empty(t('The record names no content.'));
  const isHttps = URL.canParse(url) && /^https:\/\//.test(url);
  const kind = kindName(attachment) || t('A document');
  const where = isHttps
    ? rich('{kind} at another address, {host}.', { kind, host: html`<strong>${new URL(url).host}</strong>` })
    : t('{kind} at another address.', { kind });
  return html`<p>${where} ${t('It is not fetched from here, and no token goes there.')}</p>
    <p class="breakable">${
      isHttps
        ? html`<a href=${url} target="_blank" rel="noopener noreferrer external">${url}</a>`
        : html`<code>${url}</code>`
    }</p>`;
}
