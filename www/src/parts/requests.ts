//! The requests behind the page: question, authority, answer, and the same request for other tools.

import { html, nothing, type TemplateResult } from 'lit-html';
import { printed } from '../fhir/json.ts';
import { plural } from '../fhir/text.ts';
import { decoded } from '../routes.ts';
import { BASE } from '../smart/server.ts';
import { exchanges } from '../source/log.ts';
import { curl, fhirclient, http } from '../source/snippets.ts';
import type { Exchange } from '../source/source.ts';
import { announce } from './announce.ts';
import { block, copyButton, download } from './copy.ts';
import { openDrawer } from './drawer.ts';

export const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms`;
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes}\u00a0B`;
  const [unit, name] = bytes < 1024 ** 2 ? [1024, 'KiB'] : [1024 ** 2, 'MiB'];
  return `${(bytes / unit).toFixed(1)}\u00a0${name}`;
}
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
  const { href } = new URL(one.url, location.origin);
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
        () => curl(href, one.where === 'local' || 'Authorization' in one.headers),
        'curl',
      )}
        ${copyButton(() => http(href), '.http')} ${copyButton(() => fhirclient(href, BASE), 'fhirclient')}</p>
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

/** Downloads the requests to the server as a file that other tools execute. */
async function exportRequests(list: readonly Exchange[]): Promise<void> {
  const { httpFile } = await import('../source/http-file.ts');
  download('edgechart.http', 'text/plain', [httpFile(list, BASE)]);
  announce('Requests exported, without tokens');
}

function exportView(list: readonly Exchange[]): TemplateResult | typeof nothing {
  const count = list.filter(({ where }) => where === 'edge').length;
  if (count === 0) return nothing;
  const others = count < list.length ? ' Those in this browser are left out.' : '';
  return html`<p class="actions export"><button type="button" @click=${() => exportRequests(list)}>Export as
    .http</button> <span class="aside">${plural(count, 'request')} to the edge, without tokens.${others}</span></p>`;
}

export function openRequests(of?: readonly Exchange[], title = 'Requests'): void {
  openDrawer(() => {
    const list = of ?? exchanges.value;
    return {
      title,
      body: html`<p class="lead">${
        of ? 'What this part of the page asked.' : 'Everything that this page asked, newest first.'
      } Tokens are cut off; set <code>TOKEN</code> to your own.</p>
        ${exportView(list)}
        ${list.length === 0 ? html`<p>Nothing yet.</p>` : list.map((one) => exchangeView(one, list.length === 1))}`,
    };
  });
}
