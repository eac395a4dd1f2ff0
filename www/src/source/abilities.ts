//! The abilities of another server, by its CapabilityStatement
//! (<https://hl7.org/fhir/R4/capabilitystatement.html>), and the requests that the chart sends to it. The functions are
//! pure: none of them sends a request.
//!
//! A server without a statement, or whose statement lists no parameters of a type, is assumed to support all of them.
//! `_count` is always requested: it is not a search parameter with a definition, so that few statements list it, and
//! a server that ignores it still gives a correct answer.

import { typeOf } from '#reading/fhir/record-address.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { own } from '#reading/own.ts';
import { isShaped, list, object, partial, string } from '#reading/shape.ts';
import { type PlainMessage, t, words } from '../language/message.ts';

const capableType = object(
  { type: string },
  {
    interaction: list(partial({ code: string })),
    searchParam: list(partial({ name: string })),
    searchInclude: list(string),
    searchRevInclude: list(string),
  },
);
const statement = partial({
  name: string,
  title: string,
  fhirVersion: string,
  software: partial({ name: string }),
  implementation: partial({ description: string }),
  rest: list(partial({ mode: string, resource: list(capableType) })),
});

interface TypeAbilities {
  read: boolean;
  search: boolean;
  /** `undefined` if the statement does not list them. */
  parameters: Set<string> | undefined;
  includes: string[];
  revIncludes: string[];
}

export interface Abilities {
  /** The name of the server in its statement. */
  name: string | undefined;
  fhirVersion: string | undefined;
  types: Map<string, TypeAbilities>;
}

/** Returns whether a server supports R4, which the chart reads. A server that states no version is assumed to. */
export const isR4 = ({ fhirVersion = '4' }: Abilities): boolean => /^4\b/.test(fhirVersion);

/** Returns whether a server supports a version of FHIR before R4. */
export const isBeforeR4 = ({ fhirVersion = '4' }: Abilities): boolean => /^[0-3]\b|DSTU|STU3/i.test(fhirVersion);

/** Parses a CapabilityStatement, or the Conformance of DSTU2; `undefined` for others, or if it lists no types. */
export function abilitiesOf(body: unknown): Abilities | undefined {
  if (!isShaped(statement, body)) return undefined;
  const rest = body.rest?.find(({ mode }) => mode === 'server') ?? body.rest?.[0];
  if (!rest?.resource?.length) return undefined;
  return {
    name: body.implementation?.description ?? body.title ?? body.software?.name ?? body.name,
    fhirVersion: body.fhirVersion,
    types: new Map(
      rest.resource.map(({ type, interaction, searchParam, searchInclude = [], searchRevInclude = [] }) => {
        const may = (code: string): boolean => !interaction?.length || interaction.some((one) => one.code === code);
        const parameters = searchParam?.length ? new Set(searchParam.map(({ name = '' }) => name)) : undefined;
        const includes = { includes: searchInclude, revIncludes: searchRevInclude };
        return [type, { read: may('read'), search: may('search-type'), parameters, ...includes }];
      }),
    ),
  };
}

export const recordsOf = (type: string): string => typeWords(words(), type);

/** The reason why no request is sent: what the server lacks. */
export interface Obstacle {
  lacks: 'type' | 'form' | 'search' | 'read' | 'patient';
  type: string;
}

export function obstacleText({ lacks, type }: Obstacle): string {
  const named = { type: recordsOf(type) };
  return {
    type: t('This server has no records of the type {type}.', named),
    form: t('This server has no records of the type {type} in the form of FHIR R4.', named),
    search: t('This server has records of the type {type}, but they cannot be searched.', named),
    read: t('This server does not give out single records of the type {type}.', named),
    patient: t('This server cannot search records of the type {type} by patient.', named),
  }[lacks];
}

/** The request to a server for a search of the chart. */
export interface AskedPlan {
  is: 'asked';
  query: string;
  /** Filters the records, if the server does not support the filter. */
  keep?: (record: unknown) => boolean;
  /** The includes that the server does not offer. */
  without: string[];
}
export type Plan = AskedPlan | { is: 'impossible'; obstacle: Obstacle };

/** Returns the plan for a search, `Type?…`, or a read, `Type/id`. */
export function planOf(query: string, abilities: Abilities | undefined): Plan {
  const type = typeOf(query);
  if (!abilities) return { is: 'asked', query, without: [] };
  const able = abilities.types.get(type);
  const impossible = (lacks: Obstacle['lacks']): Plan => ({ is: 'impossible', obstacle: { lacks, type } });
  // An older version of FHIR has other types in place of a type of R4.
  if (!able) return impossible(isBeforeR4(abilities) ? 'form' : 'type');
  if (!query.includes('?')) return able.read ? { is: 'asked', query, without: [] } : impossible('read');
  if (!able.search) return impossible('search');
  const kept: string[] = [];
  const without: string[] = [];
  let keep: ((record: unknown) => boolean) | undefined;
  for (const pair of query.slice(query.indexOf('?') + 1).split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    const isListed = able.parameters?.has(name.split(':')[0] ?? '') ?? true;
    if (name === '_include' || name === '_revinclude') {
      const offered = name === '_include' ? able.includes : able.revIncludes;
      if (isOffered(value, offered)) kept.push(pair);
      else without.push(value);
    } else if (name === 'patient' && !isListed) {
      if (!able.parameters?.has('subject')) return impossible('patient');
      kept.push(`subject=Patient/${value}`);
    } else if (name === 'category' && !isListed) {
      keep = (record) => hasCategory(record, value.split(','));
    } else if (name === 'category:not') {
      // A statement does not list the supported modifiers: all records are requested, and filtered here.
      keep = (record) => !hasCategory(record, value.split(','));
    } else kept.push(pair);
  }
  return { is: 'asked', query: `${type}?${kept.join('&')}`, without, ...(keep ? { keep } : {}) };
}

/** Returns whether an include is among the offered ones, which have other forms too: `*`, `Type.name`, a target. */
function isOffered(include: string, offered: string[]): boolean {
  const plain = (text: string): string => text.replace('.', ':').split(':').slice(0, 2).join(':');
  const [type] = include.split(':');
  return offered.some((one) => one === '*' || one === `${type}:*` || plain(one) === plain(include));
}

const categorized = partial({ category: list(partial({ coding: list(partial({ code: string })), text: string })) });

/** Returns whether a record has one of the categories, given by code, or by system and code. */
const hasCategory = (record: unknown, wanted: string[]): boolean =>
  isShaped(categorized, record) &&
  (record.category ?? []).some(({ coding = [] }) =>
    coding.some(({ code }) => code !== undefined && wanted.some((one) => one.split('|').at(-1) === code)),
  );

const MISSING_NAMES: Record<string, PlainMessage> = {
  medication: 'Names of some medications may be missing: this server does not send them along.',
  participant: 'Names of some members may be missing: this server does not send them along.',
};

/** Returns in words what is missing without an include. */
export function withoutText(include: string): string | undefined {
  const missing = own(MISSING_NAMES, include.split(':')[1] ?? '');
  return missing && t(missing);
}

/** Returns the query for the Provenance of a record, with the record or alone; `undefined` if neither is supported. */
export function provenanceQuery(type: string, id: string, abilities: Abilities | undefined): string | undefined {
  const include = `${type}?_id=${id}&_revinclude=Provenance:target`;
  if (!abilities) return include;
  const plan = planOf(include, abilities);
  if (plan.is === 'asked' && plan.without.length === 0) return include;
  const provenance = abilities.types.get('Provenance');
  return provenance?.search && (provenance.parameters?.has('target') ?? true)
    ? `Provenance?target=${type}/${id}`
    : undefined;
}
