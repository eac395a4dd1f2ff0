//! The request that starts an export (<https://hl7.org/fhir/uv/bulkdata/STU2/export.html#bulk-data-kick-off-request>).

/** The level of an export. */
export type Level = 'patient' | 'group' | 'system';

export interface ExportChoice {
  level: Level;
  /** The id of the group, if the level is `group`. */
  group: string;
}

const isId = (text: string): boolean => /^[A-Za-z0-9.-]{1,64}$/.test(text);

/** Returns whether the choice can be requested: a group needs a valid id. */
export const isAskable = ({ level, group }: ExportChoice): boolean => level !== 'group' || isId(group);

/** Returns the address that starts an export, below the base of a server. */
export const kickOffUrl = (base: string, { level, group }: ExportChoice): string =>
  `${base}/${{ system: '$export', patient: 'Patient/$export', group: `Group/${group}/$export` }[level]}`;
