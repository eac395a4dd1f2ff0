//! HTTP exchanges, timed and logged.

import { parsed } from '#reading/fhir/json.ts';
import { errorText } from '../error-text.ts';
import { t } from '../language/message.ts';
import type { Exchange } from './exchange.ts';
import { logExchange } from './log.ts';

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Cookies go along with `same-origin`; without a word they do not. */
  credentials?: 'omit' | 'same-origin';
}

/** The fields of a form that are not for the log. */
const SECRET_FIELDS =
  /\b(code|code_verifier|refresh_token|token|client_secret|client_assertion|password)=([^&]{0,6})[^&]*/g;

/** The time after which an answer is not waited for any more, in seconds. Searches of large records take long. */
const MAX_WAIT = 120;

/** Sends a request and logs it. Never rejects: without an answer the status is 0, and the text says why. */
export async function exchange(
  url: string,
  { method = 'GET', headers = {}, body, credentials = 'omit' }: RequestOptions = {},
): Promise<Exchange> {
  const began = performance.now();
  const request: Exchange = {
    ...unanswered(method, url, headers),
    ...(body === undefined ? {} : { sent: body.replace(SECRET_FIELDS, '$1=$2…') }),
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
      text,
      body: parsed(text),
      bytes: new TextEncoder().encode(text).length,
      ms: performance.now() - began,
      ...databaseWork(answer.headers.get('server-timing')),
    });
  } catch (error) {
    return logExchange({ ...request, text: failureText(error), ms: performance.now() - began });
  }
}

/** The reason why there is no answer. */
const failureText = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? t('There was no answer within {n} seconds.', { n: MAX_WAIT })
    : errorText(error);

/** An exchange without an answer yet. */
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

/** The status and the headers of an answer, as an exchange has them. */
export const headOf = (answer: Response) => ({
  status: answer.status,
  statusText: answer.statusText,
  answerHeaders: Object.fromEntries(answer.headers),
});

/** The work of the database, as the header Server-Timing says it. */
function databaseWork(header: string | null): { rowsRead?: number; trips?: number } {
  const [, rows, trips = 1] = /rows_read=(\d+)(?:, trips=(\d+))?/.exec(header ?? '') ?? [];
  return rows === undefined ? {} : { rowsRead: Number(rows), trips: Number(trips) };
}

/** Headers as they are logged: of a token its beginning alone. */
const redacted = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /^authorization$/i.test(name) ? `${value.slice(0, 14)}…` : value,
    ]),
  );
