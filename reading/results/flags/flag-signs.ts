//! The flags of measured values, with their signs and words.

import type { PlainMessage } from '../../language/words.ts';

export type Flag = 'high' | 'low' | 'far-high' | 'far-low' | 'critical-high' | 'critical-low' | 'critical' | 'abnormal';

/** The sign and the word of each flag, so that a flag never depends on colour alone. */
export const FLAGS: Record<Flag, { sign: string; says: PlainMessage }> = {
  high: { sign: '▲', says: 'High' },
  low: { sign: '▼', says: 'Low' },
  'far-high': { sign: '▲▲', says: 'Far above' },
  'far-low': { sign: '▼▼', says: 'Far below' },
  'critical-high': { sign: '▲▲', says: 'Critically high' },
  'critical-low': { sign: '▼▼', says: 'Critically low' },
  critical: { sign: '◆◆', says: 'Critically abnormal' },
  abnormal: { sign: '◆', says: 'Abnormal' },
};

/** Returns the side of the range on which a flagged value is; `undefined` if the flag does not determine it. */
export const sideOf = (flag: Flag | undefined): 'high' | 'low' | undefined =>
  flag?.endsWith('high') ? 'high' : flag?.endsWith('low') ? 'low' : undefined;

export const isFlag = (sense: string | undefined): sense is Flag => sense !== undefined && Object.hasOwn(FLAGS, sense);

/** The gravity of a flag: 0 is critical, 1 is far outside, 2 is outside. */
export const GRAVITY: Readonly<Record<Flag, number>> = {
  'critical-high': 0,
  'critical-low': 0,
  critical: 0,
  'far-high': 1,
  'far-low': 1,
  high: 2,
  low: 2,
  abnormal: 2,
};

export const gravest = (flags: readonly (Flag | undefined)[]): Flag | undefined =>
  flags.reduce((a, b) => (b && (!a || GRAVITY[b] < GRAVITY[a]) ? b : a), undefined);
