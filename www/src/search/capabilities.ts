//! What can be searched, from the CapabilityStatement: the server's own, or the engine's where there is no server.

import { engine } from '../engine/client.ts';
import { parsed } from '../fhir/json.ts';
import { BASE } from '../smart/server.ts';

export interface SearchType {
  type: string;
  parameters: { name: string; type: string; documentation?: string }[];
  includes: string[];
  reverse: string[];
  documentation?: string;
}
export interface Capabilities {
  types: SearchType[];
  from: 'server' | 'engine';
}

interface Statement {
  rest?: {
    resource?: {
      type: string;
      documentation?: string;
      searchParam?: { name: string; type: string; documentation?: string }[];
      searchInclude?: string[];
      searchRevInclude?: string[];
    }[];
  }[];
}

let known: Promise<Capabilities> | undefined;

export const capabilities = (): Promise<Capabilities> => (known ??= ask());

async function ask(): Promise<Capabilities> {
  const answer = await fetch(`${BASE}/metadata`).catch(() => undefined);
  const served = answer?.ok ? (parsed(await answer.text()) as Statement | undefined) : undefined;
  const statement = served ?? (parsed((await engine('capabilities', BASE)).value) as Statement);
  const types = (statement.rest?.[0]?.resource ?? []).map(
    ({ type, documentation, searchParam = [], searchInclude = [], searchRevInclude = [] }) => ({
      type,
      parameters: searchParam,
      includes: searchInclude,
      reverse: searchRevInclude,
      ...(documentation ? { documentation } : {}),
    }),
  );
  return { types, from: served ? 'server' : 'engine' };
}
