//! The searchable types, from the CapabilityStatement of the server, or of the engine if there is no server.

import { parsed } from '#reading/fhir/json.ts';
import { checked, list, object, partial, type ShapeValue, string } from '#reading/shape.ts';
import { askedOnce } from '../asked-once.ts';
import { engine } from '../engine/client.ts';
import { BASE } from '../smart/server.ts';

const searchParameter = object({ name: string, type: string }, { documentation: string });
const searchedType = object(
  { type: string },
  {
    documentation: string,
    searchParam: list(searchParameter),
    searchInclude: list(string),
    searchRevInclude: list(string),
  },
);
/** A type with its search parameters (<https://hl7.org/fhir/R4/capabilitystatement.html>). */
export type SearchedType = ShapeValue<typeof searchedType>;
const statement = object({}, { rest: list(partial({ resource: list(searchedType) })) });

/** Returns the searchable types. They are requested once, and again after a failure. */
export const searchedTypes = askedOnce(async () => {
  const answer = await fetch(`${BASE}/metadata`).catch(() => undefined);
  return typesOf(answer?.ok ? await answer.text() : (await engine('capabilities', BASE, '')).value);
});

function typesOf(text: string): SearchedType[] {
  const { rest } = checked(statement, parsed(text), 'the CapabilityStatement');
  return rest?.[0]?.resource ?? [];
}

/** The default set of parameters of servers. */
const US_CORE = 'us-core';
const namesOf = (types: SearchedType[]): string =>
  JSON.stringify(types.map(({ type, searchParam = [] }) => [type, ...searchParam.map(({ name }) => name)]));

/**
 * Returns the set of parameters that the server indexes, if it is that of US Core; `undefined` for others. With this
 * set, the engine refuses the same searches as the server.
 */
export const serverIndex = askedOnce(async () => {
  const types = await searchedTypes();
  const ofUsCore = typesOf((await engine('capabilities', BASE, US_CORE)).value);
  return namesOf(types) === namesOf(ofUsCore) ? US_CORE : undefined;
});
