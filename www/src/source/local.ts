//! Records in this browser, from the sample or from opened files, searched by the compiled engine: the same code as at
//! the edge, without a network.

import { parsed } from '#reading/fhir/json.ts';
import { issuesOf } from '#reading/fhir/text.ts';
import { own } from '#reading/own.ts';
import { EngineRefusal, engine, type TimedAnswer } from '../engine/client.ts';
import type { Grant, RecordsName } from '../engine/types.ts';
import type { Exchange } from '../http/exchange.ts';
import { logExchange } from '../http/log.ts';
import { unanswered } from '../http/send.ts';
import { OWN_BASE as BASE } from '../smart/server.ts';
import type { Source } from './source.ts';

/** The HTTP status of a refusal by the server, by the code of its issue; 400 for others. */
const STATUS: Record<string, number> = {
  forbidden: 401,
  login: 401,
  expired: 401,
  'not-found': 404,
  exception: 500,
  transient: 500,
};

async function askEngine(url: string, grant: Grant | undefined, call: Promise<TimedAnswer<string>>): Promise<Exchange> {
  const headers: Record<string, string> = grant ? { 'as if': grant.scopes } : {};
  const request: Exchange = { ...unanswered('GET', url, headers), where: 'local', status: 200 };
  try {
    const { value: text, ms } = await call;
    return logExchange({ ...request, text, body: parsed(text), ms, bytes: new TextEncoder().encode(text).length });
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error;
    const { outcome, ms } = error;
    const text = JSON.stringify(outcome, null, 2);
    return logExchange({ ...request, status: statusOf(outcome), text, body: outcome, ms, bytes: text.length });
  }
}

/** Returns the status of a refusal. An address that the server does not have is unsupported, without an expression. */
export function statusOf(outcome: unknown): number {
  const [issue] = issuesOf(outcome);
  const { code = '', expression = [] } = issue ?? {};
  if (code === 'not-supported' && expression.length === 0) return 404;
  if (code === 'not-supported' && expression.includes(FORMAT)) return 406;
  return own(STATUS, code) ?? 400;
}

/** The expression of the refusal of a format other than JSON. */
const FORMAT = 'http._format';

function sourceIn(records: RecordsName, key: string, grant: Grant | undefined, index?: string): Source {
  return {
    name: records === 'files' ? records : 'sample',
    grant,
    key,
    search: (query) =>
      askEngine(
        query.startsWith(BASE) ? query : `${BASE}/${query}`,
        grant,
        engine('search', records, query, grant, index),
      ),
    read: (address) => {
      const [type = '', id = ''] = address.split('/').slice(-2);
      return askEngine(`${BASE}/${type}/${id}`, grant, engine('read', records, type, id, grant));
    },
  };
}

/**
 * Returns the sample as a grant shows it, or all of it without a grant. `index` names the set of permitted search
 * parameters, unless all are permitted.
 */
export const local = (grant?: Grant, index?: string): Source =>
  sourceIn('sample', `local ${grant ? JSON.stringify(grant) : ''} ${index ?? ''}`, grant, index);

/** Returns the examples of types that the sample lacks. They are no records of the server. */
export const exampleRecords = (index?: string): Source => sourceIn('examples', 'examples', undefined, index);

/** Returns the opened files as a source. `load` is the number of the load: other files are another source. */
export const filesSource = (load: number): Source => sourceIn('files', `files ${load}`, undefined);
