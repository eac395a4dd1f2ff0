//! The request that starts an export (<https://hl7.org/fhir/uv/bulkdata/STU2/export.html#bulk-data-kick-off-request>).

import { TYPES } from '../../smart/scopes.ts';

/** The level of an export. */
export type Level = 'patient' | 'group' | 'system';

export interface ExportChoice {
  level: Level;
  /** The id of the group, if the level is `group`. */
  group: string;
  /** The types to export. An empty list stands for all types that the server would send. */
  types: readonly string[];
  /** Only resources that changed after this instant are exported; empty for all. */
  since: string;
}

/** The types that are offered beside those of the chart. */
const OTHERS = ['Coverage', 'Endpoint', 'Group', 'Questionnaire', 'Specimen'];
/** The types that an export of patients does not contain. They are offered for the whole server only. */
const OF_THE_SYSTEM_ALONE = new Set(['Binary', 'Endpoint', 'Group', 'Questionnaire']);

/** Returns the types to choose from: those that the scopes open and that an export of the level can contain. */
export function typesOf(scopes: string, level: Level): string[] {
  const named = scopes.matchAll(/(?:^|\s)system\/([A-Z]\w+)\.(?:read|r\w*)(?=\s|$)/g);
  const open = new Set([...named].map(([, type]) => type));
  return [...TYPES, ...OTHERS]
    .filter((type) => open.has(type) && (level === 'system' || !OF_THE_SYSTEM_ALONE.has(type)))
    .sort();
}

const isId = (text: string): boolean => /^[A-Za-z0-9.-]{1,64}$/.test(text);

/** Returns whether the choice can be requested: a group needs a valid id. */
export const isAskable = ({ level, group }: ExportChoice): boolean => level !== 'group' || isId(group);

/** Returns the address that starts an export, below the base of a server. */
export function kickOffUrl(base: string, { level, group, types, since }: ExportChoice): string {
  const operation = { system: '$export', patient: 'Patient/$export', group: `Group/${group}/$export` }[level];
  const parameters = [
    ...(types.length > 0 ? [`_type=${types.join(',')}`] : []),
    ...(since ? [`_since=${encodeURIComponent(since)}`] : []),
  ];
  return [`${base}/${operation}`, ...(parameters.length > 0 ? [parameters.join('&')] : [])].join('?');
}

/** Returns the instant of a local time, which a field has as `2026-11-01T08:30`; empty for another text. */
export function instantOf(local: string): string {
  const time = local === '' ? Number.NaN : Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** Returns the local time of an instant, as a field has it. Fractions of a second are cut off: the time is earlier. */
export function localTimeOf(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const clock = [two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())].join(':');
  return `${day}T${clock}`;
}
