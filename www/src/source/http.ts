//! One HTTP exchange, timed and noted.

import { parsed } from '../fhir/json.ts';
import { noted } from './log.ts';
import type { Exchange } from './source.ts';

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const SECRET = /^(authorization)$/i;
/** What of a body is not for the log. */
const SECRET_FIELDS = /\b(code|code_verifier|refresh_token|token|client_secret|client_assertion)=([^&]{0,6})[^&]*/g;

export async function exchange(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Exchange> {
  const at = new Date();
  const began = performance.now();
  const shown: Exchange = {
    where: 'edge',
    method,
    url,
    at,
    headers: hidden(headers),
    status: 0,
    answerHeaders: {},
    text: '',
    body: undefined,
    ms: 0,
    bytes: 0,
    ...(body === undefined ? {} : { sent: body.replace(SECRET_FIELDS, '$1=$2…') }),
  };
  try {
    const answer = await fetch(url, {
      method,
      headers,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    const timing = /rows_read=(\d+)(?:, trips=(\d+))?/.exec(answer.headers.get('server-timing') ?? '');
    Object.assign(shown, {
      status: answer.status,
      statusText: answer.statusText,
      text,
      body: parsed(text),
      bytes: new TextEncoder().encode(text).length,
      answerHeaders: Object.fromEntries(answer.headers),
      ms: performance.now() - began,
      ...(timing ? { rowsRead: Number(timing[1]), trips: Number(timing[2] ?? 1) } : {}),
    });
  } catch (error) {
    Object.assign(shown, {
      text: error instanceof Error ? error.message : String(error),
      ms: performance.now() - began,
    });
  }
  return noted(shown);
}

function hidden(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? `${value.slice(0, 14)}…` : value]),
  );
}
