//! The latest results that are outside their range.

import { instant } from '../../fhir/date.ts';
import { type Flag, flag } from '../../fhir/flag.ts';
import { when } from '../../fhir/reading.ts';
import { isEnteredInError } from '../../fhir/text.ts';
import type { Observation } from '../../fhir/types.ts';
import { groupsOf, type TestGroup } from '../test-groups.ts';

export interface AbnormalResult {
  group: TestGroup;
  flag: Flag;
}

const SEVERITY: Record<Flag, number> = {
  'critical-high': 0,
  'critical-low': 0,
  'far-high': 1,
  'far-low': 1,
  high: 2,
  low: 2,
  abnormal: 2,
};

/**
 * The tests whose latest result has a flag. Critical ones come first, then those far outside the range, then by date,
 * newest first.
 */
export function abnormalResults(observations: readonly Observation[]): AbnormalResult[] {
  const found = groupsOf(observations).flatMap((group): AbnormalResult[] => {
    const flagged = isEnteredInError(group.latest) ? undefined : flag(group.latest);
    return flagged ? [{ group, flag: flagged }] : [];
  });
  const at = ({ group }: AbnormalResult): number => instant(when(group.latest)) ?? 0;
  return found.sort((a, b) => SEVERITY[a.flag] - SEVERITY[b.flag] || at(b) - at(a));
}
