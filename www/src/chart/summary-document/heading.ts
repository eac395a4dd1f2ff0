//! The words for a record that a document lists under a heading that contradicts the record.

import { standingOf } from '#reading/fhir/certainty.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { t } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { listingSections, otherHeading } from './documents.ts';

/** Says under which heading a document lists a record, if the heading contradicts the record. */
export function otherHeadingText(record: Resource, store: ChartStore): string | undefined {
  if (!isOfType('Condition', record)) return undefined;
  const heading = otherHeading(standingOf(record) !== 'standing', listingSections(record, store));
  return heading && t('in the summary under: {heading}', { heading });
}
