//! The request that starts an export (<https://hl7.org/fhir/uv/bulkdata/STU2/export.html#bulk-data-kick-off-request>).

import { TYPES } from '../../smart/scopes.ts';

/** The level of an export. */
export type Level = 'patient' | 'group' | 'system';

export interface ExportChoice {
  level: Level;
  /** The id of the group, where the level is that of one. */
  group: string;
  /** The types that go out. None stands for all that the server would send. */
  types: readonly string[];
  /** The instant after which a resource was changed; empty for all. */
  since: string;
}

/** The types that are offered beside those of the chart. */
const OTHERS = ['Coverage', 'Endpoint', 'Group', 'Questionnaire', 'Specimen'];
/** The types that no record of a patient leads to. An export of patients does not offer them. */
const OF_THE_SYSTEM_ALONE = new Set(['Binary', 'Endpoint', 'Group', 'Questionnaire']);

/** The types of the choice, as far as a list of scopes opens them, and an export of the level can have them. */
export function typesOf(scopes: string, level: Level): string[] {
  const named = scopes.matchAll(/(?:^|\s)system\/([A-Z]\w+)\.(?:read|r\w*)(?=\s|$)/g);
  const open = new Set([...named].map(([, type]) => type));
  return [...TYPES, ...OTHERS]
    .filter((type) => open.has(type) && (level === 'system' || !OF_THE_SYSTEM_ALONE.has(type)))
    .sort();
}

const isId = (text: string): boolean => /^[A-Za-z0-9.-]{1,64}$/.test(text);

/** Returns whether the choice can be asked for: a group needs the id of one. */
export const isAskable = ({ level, group }: ExportChoice): boolean => level !== 'group' || isId(group);

/** The address that starts an export, below the base of a server. */
export function kickOffUrl(base: string, { level, group, types, since }: ExportChoice): string {
  const operation = { system: '$export', patient: 'Patient/$export', group: `Group/${group}/$export` }[level];
  const parameters = [
    ...(types.length > 0 ? [`_type=${types.join(',')}`] : []),
    ...(since ? [`_since=${encodeURIComponent(since)}`] : []),
  ];
  return [`${base}/${operation}`, ...(parameters.length > 0 ? [parameters.join('&')] : [])].join('?');
}

/** The instant of a local time as a field has it, `2026-11-01T08:30`; nothing for another text. */
export function instantOf(local: string): string {
  const time = local === '' ? Number.NaN : Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** The local time of an instant, as a field has it. Parts of a second are cut off: the time is earlier. */
export function localTimeOf(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const clock = [two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())].join(':');
  return `${day}T${clock}`;
}
