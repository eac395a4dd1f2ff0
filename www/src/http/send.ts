//! HTTP exchanges, timed and logged.

import { parsed } from '#reading/fhir/json.ts';
import { errorText } from '../error-text.ts';
import { t } from '../language/message.ts';
import type { Exchange } from './exchange.ts';
import { logExchange } from './log.ts';

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A text, or the fields of a form. */
  body?: string | URLSearchParams;
  /** Cookies are sent with `same-origin`; the default is `omit`. */
  credentials?: 'omit' | 'same-origin';
  /** An earlier answer, which the server confirms by 304 instead of sending it again. */
  known?: Exchange | undefined;
}

/** The form fields whose values are shortened in the log. */
const SECRET_FIELDS =
  /\b(code|code_verifier|refresh_token|token|client_secret|client_assertion|password)=([^&]{0,6})[^&]*/g;

/** The maximum time to wait for an answer, in seconds. Searches of large records take long. */
const MAX_WAIT = 120;

/** Sends a request and logs it. Never rejects: without an answer the status is 0 and the text says why. */
export async function exchange(
  url: string,
  { method = 'GET', headers: own = {}, body, credentials = 'omit', known }: RequestOptions = {},
): Promise<Exchange> {
  const began = performance.now();
  const headers = known?.answerHeaders.etag ? { ...own, 'If-None-Match': known.answerHeaders.etag } : own;
  const request: Exchange = {
    ...unanswered(method, url, headers),
    ...(body === undefined ? {} : { sent: `${body}`.replace(SECRET_FIELDS, '$1=$2…') }),
  };
  try {
    const answer = await fetch(url, {
      method,
      headers,
      cache: 'no-store',
      credentials,
      redirect: 'manual',
      signal: AbortSignal.timeout(MAX_WAIT * 1_000),
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return logExchange({
      ...request,
      ...headOf(answer),
      ...(known && answer.status === 304 ? { text: known.text, body: known.body } : { text, body: parsed(text) }),
      bytes: new TextEncoder().encode(text).length,
      ms: performance.now() - began,
      ...databaseWork(answer.headers.get('server-timing')),
    });
  } catch (error) {
    return logExchange({ ...request, text: failureText(error), ms: performance.now() - began });
  }
}

/** Returns the reason why there is no answer. */
const failureText = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? t('There was no answer within {n} seconds.', { n: MAX_WAIT })
    : errorText(error);

/** Returns an exchange that has no answer yet. */
export const unanswered = (method: string, url: string, headers: Record<string, string>): Exchange => ({
  where: 'edge',
  method,
  url,
  at: new Date(),
  headers: redacted(headers),
  status: 0,
  answerHeaders: {},
  text: '',
  body: undefined,
  ms: 0,
  bytes: 0,
});

/** Returns the status and the headers of an answer in the form of an exchange. */
export const headOf = (answer: Response) => ({
  status: answer.status,
  statusText: answer.statusText,
  answerHeaders: Object.fromEntries(answer.headers),
});

/** Reads the work of the database from the header Server-Timing. */
function databaseWork(header: string | null): { rowsRead?: number; trips?: number } {
  const [, rows, trips = 1] = /rows_read=(\d+)(?:, trips=(\d+))?/.exec(header ?? '') ?? [];
  return rows === undefined ? {} : { rowsRead: Number(rows), trips: Number(trips) };
}

/** Returns headers for the log, with only the beginning of a token. */
const redacted = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /^authorization$/i.test(name) ? `${value.slice(0, 14)}…` : value,
    ]),
  );
