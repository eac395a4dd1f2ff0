//! Flags of measured values: high, low, and how far.

import type { PlainMessage } from '../language/message.ts';
import type { Measured } from './types.ts';

export type Flag = 'high' | 'low' | 'far-high' | 'far-low' | 'critical-high' | 'critical-low' | 'abnormal';

/**
 * The flag of a value: the laboratory's interpretation (v3-ObservationInterpretation), or, without one, that of its own
 * range. The range also tells how far outside a value is. Without either there is no flag.
 */
export function flag(of: Measured): Flag | undefined {
  const said = (of.interpretation ?? []).flatMap(({ coding }) => coding ?? []).map(({ code }) => code);
  if (said.includes('HH')) return 'critical-high';
  if (said.includes('LL')) return 'critical-low';
  if (said.includes('HU')) return 'far-high';
  if (said.includes('LU')) return 'far-low';
  const out = beyond(of);
  if (said.includes('H')) return out === 'far-high' ? out : 'high';
  if (said.includes('L')) return out === 'far-low' ? out : 'low';
  if (said.some((code) => ['A', 'AA', 'POS', 'R'].includes(code ?? ''))) return 'abnormal';
  return said.length > 0 ? undefined : out;
}

/**
 * Compares a value with the range of its own unit. Far means by more than twice the width of the range, or by more than
 * a factor of 1.5, whichever comes first: a distance, and no judgement of what it means for the patient.
 */
function beyond(of: Measured): Flag | undefined {
  const limits = of.referenceRange?.[0];
  const measured = of.valueQuantity;
  if (measured?.value === undefined || !limits) return undefined;
  const comparable = (other: { unit?: string; code?: string } | undefined): boolean =>
    !other?.code || !measured.code || other.code === measured.code;
  const edge = (other: { value?: number; code?: string } | undefined): number | undefined =>
    comparable(other) ? other?.value : undefined;
  const [low, high] = [edge(limits.low), edge(limits.high)];
  const width = low === undefined || high === undefined ? Infinity : high - low;
  // Binary fractions are rounded: 8.4 is 1.5 times 5.6, and not more.
  const least = (by: number): number => Math.min(2 * width, by > 0 ? by : Infinity) * (1 + 1e-9);
  if (high !== undefined && measured.value > high) return measured.value - high > least(high / 2) ? 'far-high' : 'high';
  if (low !== undefined && measured.value < low) return low - measured.value > least(low / 3) ? 'far-low' : 'low';
  return undefined;
}

/** The sign and the word of each flag: a flag is never told by colour alone. */
export const FLAGS: Record<Flag, { sign: string; says: PlainMessage }> = {
  high: { sign: '▲', says: 'High' },
  low: { sign: '▼', says: 'Low' },
  'far-high': { sign: '▲▲', says: 'Far above' },
  'far-low': { sign: '▼▼', says: 'Far below' },
  'critical-high': { sign: '▲▲', says: 'Critically high' },
  'critical-low': { sign: '▼▼', says: 'Critically low' },
  abnormal: { sign: '◆', says: 'Abnormal' },
};
