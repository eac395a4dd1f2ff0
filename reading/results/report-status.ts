//! The status of the report of a result, in words that do not read as the result itself.

import { capital, plain } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** The statuses of which nothing is said: the result stands. */
const STANDING = ['final', 'amended', 'corrected'];

/** The status of a result that is not final. Nothing for one that is, and where there is none. */
export function reportStatus(words: Words, { status }: Observation): string | undefined {
  if (!status || STANDING.includes(status)) return undefined;
  return status === 'unknown' ? words.t('report status: unknown') : capital(plain(words, status));
}
