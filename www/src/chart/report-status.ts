//! The status of the report of a result, in words that do not read as the result itself.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital, plain } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { t } from '../language/message.ts';

/** The statuses of which nothing is said: the result stands. */
const STANDING = ['final', 'amended', 'corrected'];

/** The status of a result that is not final. Nothing for one that is, and where there is none. */
export function reportStatus({ status }: Observation): string | undefined {
  if (!status || STANDING.includes(status)) return undefined;
  return status === 'unknown' ? t('report status: unknown') : capital(plain(status));
}

/** The status of a result as a mark behind its value. */
export function statusMark(o: Observation): TemplateResult | typeof nothing {
  const words = reportStatus(o);
  return words ? html` <span class="tag">${words}</span>` : nothing;
}
