//! The requests behind the page: question, authority, answer, and the same request for other tools.

import { html, nothing, type TemplateResult } from 'lit-html';
import { printed } from '../fhir/json.ts';
import { decoded } from '../routes.ts';
import { BASE } from '../smart/server.ts';
import { exchanges } from '../source/log.ts';
import { curl, fhirclient, http } from '../source/snippets.ts';
import type { Exchange } from '../source/source.ts';
import { block, copyButton } from './copy.ts';
import { openDrawer } from './drawer.ts';

export const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms`;
export const size = (bytes: number): string =>
  bytes < 1024 ? `${bytes}\u00a0B` : `${(bytes / 1024).toFixed(1)}\u00a0KiB`;
/** The path and query of an address, without percent-encoding. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return decoded(pathname + search);
}

/** The characters of an answer that are shown: the drawer is for reading. */
const SHOWN = 20_000;

export function pretty({ body, text }: { body: unknown; text: string }): string {
  const all = body === undefined ? text : printed(body);
  return all.length > SHOWN
    ? `${all.slice(0, SHOWN)}\n… ${(all.length - SHOWN).toLocaleString('en')} more characters`
    : all;
}

export function exchangeView(one: Exchange, open = false): TemplateResult {
  return html`<details class="exchange" ?open=${open}>
    <summary><span class="status" data-ok=${one.status > 0 && one.status < 400}>${one.status || 'failed'}</span>
      <code>${one.method} ${pathOf(one.url).replace('/fhir/r4/', '')}</code>
      <small>${
        one.where === 'edge' ? 'edge' : 'this browser'
      } · ${milliseconds(one.ms)}${one.bytes ? ` · ${size(one.bytes)}` : ''}${
        one.rowsRead === undefined ? '' : ` · ${one.rowsRead} rows read`
      }</small>
    </summary>
    <div class="exchange-body">
      <p class="actions">${copyButton(
        () => curl(one.url, one.where === 'local' || 'Authorization' in one.headers),
        'curl',
      )}
        ${copyButton(() => http(one.url), '.http')} ${copyButton(() => fhirclient(one.url, BASE), 'fhirclient')}</p>
      ${block(
        [
          `${one.method} ${one.url}`,
          ...Object.entries(one.headers).map(([name, value]) => `${name}: ${value}`),
          ...(one.sent ? ['', one.sent] : []),
        ].join('\n'),
        'The request',
      )}
      ${
        Object.keys(one.answerHeaders).length > 0
          ? block(
              [
                `HTTP ${one.status}`,
                ...Object.entries(one.answerHeaders).map(([name, value]) => `${name}: ${value}`),
              ].join('\n'),
              'The headers of the answer',
            )
          : nothing
      }
      ${open || one.text ? block(pretty(one), 'The answer') : nothing}
    </div>
  </details>`;
}

export function openRequests(of?: readonly Exchange[], title = 'Requests'): void {
  openDrawer(() => {
    const list = of ?? exchanges.value;
    return {
      title,
      body: html`<p class="lead">${
        of ? 'What this part of the page asked.' : 'Everything that this page asked, newest first.'
      } Tokens are cut off; set <code>TOKEN</code> to your own.</p>
        ${list.length === 0 ? html`<p>Nothing yet.</p>` : list.map((one) => exchangeView(one, list.length === 1))}`,
    };
  });
}
