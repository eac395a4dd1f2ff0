//! The requests behind the page: request, headers, answer, and the same request for other tools.

import { html, nothing, type TemplateResult } from 'lit-html';
import { decoded } from '#reading/decoded.ts';
import { printed } from '#reading/fhir/json.ts';
import { curl, fhirclient, http } from '../export/snippets.ts';
import type { Exchange } from '../http/exchange.ts';
import { exchanges } from '../http/log.ts';
import { rich, t, words } from '../language/message.ts';
import { isOtherPage } from '../routes.ts';
import { BASE } from '../smart/server.ts';
import { TOKEN_PLACE } from '../smart/token-place.ts';
import { block, copyButton } from './copy.ts';
import { openDrawer } from './drawer.ts';

export const milliseconds = (ms: number): string => `${words().decimal(ms.toFixed(ms < 10 ? 1 : 0))}\u00a0ms`;
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes}\u00a0B`;
  const [unit, name] = bytes < 1024 ** 2 ? [1024, 'KiB'] : [1024 ** 2, 'MiB'];
  return `${words().decimal((bytes / unit).toFixed(1))}\u00a0${name}`;
}
/** Returns the path and query of an address, without percent-encoding. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return decoded(pathname + search);
}

/** The number of characters of an answer that are shown: the drawer is for reading. */
const SHOWN = 20_000;

export function pretty({ body, text }: { body: unknown; text: string }): string {
  const all = body === undefined ? text : printed(body);
  return all.length > SHOWN ? `${all.slice(0, SHOWN)}\n${t('… {n} more characters', { n: all.length - SHOWN })}` : all;
}

/** Draws buttons that copy a request for other tools. */
export const toolButtons = (url: string, needsToken = true): TemplateResult =>
  html`${copyButton(() => curl(url, needsToken ? TOKEN_PLACE : undefined), 'curl')}
    ${copyButton(() => http(url, TOKEN_PLACE), '.http')}
    ${copyButton(() => fhirclient(url, BASE, TOKEN_PLACE), 'fhirclient')}`;

function withHeaders(line: string, headers: Record<string, string>, sent?: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [line, ...lines, ...(sent ? ['', sent] : [])].join('\n');
}

export function exchangeView(one: Exchange, open = false): TemplateResult {
  const { href } = new URL(one.url, location.origin);
  return html`<details class="exchange" ?open=${open}>
    <summary><span class="status" data-ok=${one.status > 0 && one.status < 400}>${one.status || t('failed')}</span>
      <code>${one.method} ${pathOf(one.url).replace('/fhir/r4/', '')}</code>
      <small>${
        one.where === 'edge' ? (isOtherPage ? new URL(href).host : t('the server')) : t('this browser')
      } · ${milliseconds(one.ms)}${one.bytes ? ` · ${size(one.bytes)}` : ''}${
        one.rowsRead === undefined ? '' : ` · ${t('{n} row read|{n} rows read', { n: one.rowsRead })}`
      }</small>
    </summary>
    <div class="exchange-body">
      <p class="actions">${toolButtons(href, one.where === 'local' || 'Authorization' in one.headers)}</p>
      ${block(withHeaders(`${one.method} ${one.url}`, one.headers, one.sent), t('The request'))}
      ${
        Object.keys(one.answerHeaders).length > 0
          ? block(withHeaders(`HTTP ${one.status}`, one.answerHeaders), t('The headers of the answer'))
          : nothing
      }
      ${open || one.text ? block(pretty(one), t('The answer')) : nothing}
    </div>
  </details>`;
}

/** Opens the drawer with a list of requests. Without a list, it shows all requests of the page so far. */
export function openRequests(of?: readonly Exchange[], title = t('Requests')): void {
  const list = of ?? exchanges.value;
  openDrawer(() => ({
    title,
    body: html`<p class="lead">${
      of ? t('What this part of the page asked.') : t('Everything that this page asked, newest first.')
    } ${rich('Tokens are cut off; set {variable} to your own.', { variable: html`<code>TOKEN</code>` })}</p>
      ${list.length === 0 ? html`<p>${t('Nothing yet.')}</p>` : nothing}
      ${list.map((one) => exchangeView(one, list.length === 1))}`,
  }));
}
