//! The date of a report, and the status of a result in words that do not read like the result itself.

import { periodDate } from '../../fhir/date.ts';
import { capital, plain } from '../../fhir/text.ts';
import type { DiagnosticReport, Observation } from '../../fhir/types.ts';
import type { Words } from '../../language/words.ts';

export const reportDate = (r: DiagnosticReport): string | undefined =>
  r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued;

/** Returns the status of a result that is not final; `undefined` for a final one, or without a status. */
export function reportStatus(words: Words, { status }: Observation): string | undefined {
  if (!status || status === 'final') return undefined;
  return status === 'unknown' ? words.t('report status: unknown') : capital(plain(words, status));
}
