//! The date of a report, and the status of a result in words that do not read as the result itself.

import { periodDate } from '../fhir/date.ts';
import { capital, plain } from '../fhir/text.ts';
import type { DiagnosticReport, Observation } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** The date of a report, as it is written. */
export const reportDate = (r: DiagnosticReport): string | undefined =>
  r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued;

/** The statuses of which nothing is said: the result stands. */
const STANDING = ['final', 'amended', 'corrected'];

/** The status of a result that is not final. Nothing for one that is, and where there is none. */
export function reportStatus(words: Words, { status }: Observation): string | undefined {
  if (!status || STANDING.includes(status)) return undefined;
  return status === 'unknown' ? words.t('report status: unknown') : capital(plain(words, status));
}
