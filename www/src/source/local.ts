//! The sample in this browser, searched by the compiled engine: the same code as at the edge, without a network.

import { engine, Refused } from '../engine/client.ts';
import type { Grant } from '../engine/types.ts';
import { parsed } from '../fhir/json.ts';
import { issuesOf } from '../fhir/text.ts';
import { BASE } from '../smart/server.ts';
import { noted } from './log.ts';
import type { Exchange, Source } from './source.ts';

const STATUS: Record<string, number> = {
  forbidden: 401,
  login: 401,
  expired: 401,
  'not-found': 404,
  exception: 500,
  transient: 500,
};

export async function askLocal(
  url: string,
  grant: Grant | undefined,
  run: () => Promise<{ value: string; ms: number }>,
): Promise<Exchange> {
  const base: Exchange = {
    where: 'local',
    method: 'GET',
    url,
    headers: grant ? { 'as if': grant.scopes } : {},
    at: new Date(),
    status: 200,
    answerHeaders: {},
    text: '',
    body: undefined,
    ms: 0,
    bytes: 0,
  };
  try {
    const { value, ms } = await run();
    return noted({ ...base, text: value, body: parsed(value), ms, bytes: new TextEncoder().encode(value).length });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const text = JSON.stringify(error.outcome, null, 2);
    const code = issuesOf(error.outcome)[0]?.code ?? '';
    return noted({ ...base, status: STATUS[code] ?? 400, text, body: error.outcome, ms: error.ms, bytes: text.length });
  }
}

export function local(grant?: Grant): Source {
  return {
    name: 'sample',
    grant,
    key: `local ${grant ? JSON.stringify(grant) : ''}`,
    search: (query) =>
      askLocal(query.startsWith(BASE) ? query : `${BASE}/${query}`, grant, () => engine('search', query, grant)),
    read: (address) => {
      const [type = '', id = ''] = address.split('/').slice(-2);
      return askLocal(`${BASE}/${type}/${id}`, grant, () => engine('read', type, id, grant));
    },
  };
}
