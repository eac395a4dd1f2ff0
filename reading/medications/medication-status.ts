//! The status of a record of a medication in words, where it is not the usual one.

import { modifierText } from '../fhir/certainty.ts';
import { shortDate } from '../fhir/date.ts';
import {
  administrationStatus,
  endedText,
  isHearsay,
  isPlan,
  isReported,
  type MedicationRecord,
  overdueText,
  requestState,
  requestStatus,
  statementStatus,
} from '../fhir/request-state.ts';
import { isEnteredInError, plain } from '../fhir/text.ts';
import { t } from '../language/message.ts';
import { courseEndText } from './course-end.ts';
import { type MedicationEntry, medicationDate } from './medication-list.ts';

/** The usual statuses, which go without saying. */
const USUAL: Readonly<Record<MedicationRecord['resourceType'], string>> = {
  MedicationRequest: 'active',
  MedicationStatement: 'active',
  MedicationAdministration: 'completed',
};

const codesOf = (record: MedicationRecord): string | undefined => {
  if (record.resourceType === 'MedicationRequest') return requestStatus(record);
  return record.resourceType === 'MedicationStatement' ? statementStatus(record) : administrationStatus(record);
};

/** The status in words, where it is not the usual one, and what changes the meaning of the record. */
export function statusOf(record: MedicationRecord): string | undefined {
  if (isEnteredInError(record)) return 'entered-in-error';
  const codes = (codesOf(record) ?? '')
    .split(', ')
    .filter((code) => code !== '' && code !== USUAL[record.resourceType]);
  const words = [
    ...(record.status === undefined ? [t('status unknown')] : []),
    ...codes.map((code) => (code === 'unknown' ? t('status unknown') : plain(code))),
    record.resourceType === 'MedicationAdministration' ? overdueText(record) : undefined,
    modifierText(record),
  ];
  return words.filter(Boolean).join(', ') || undefined;
}

/** Returns whether a planned medication is ordered or reported, and its time is still to come. */
export const isToBegin = (record: MedicationRecord): boolean => requestState(record) === 'planned' && !isPlan(record);

/** The words of the records on a medication of which it is not clear whether it is taken. */
export function unclearWords({ resource, reports }: MedicationEntry): string {
  const words = [resource, ...reports].map((one) => {
    if (one.resourceType === 'MedicationRequest') return t('planned in the record');
    return (one.resourceType === 'MedicationStatement' && endedText(one)) || '';
  });
  return [...new Set(words.filter(Boolean))].join('; ');
}

/** The words of an order or a report on the end of its course, where that is over. */
export function overWords({ over }: MedicationEntry): string | undefined {
  return over && courseEndText(over);
}

/** The date on which a medication was last known: when it was ordered, reported or given. */
function knownOn(record: MedicationRecord): string {
  const date = shortDate(medicationDate(record));
  if (record.resourceType === 'MedicationStatement') {
    if (record.dateAsserted) return t('reported {date}', { date: shortDate(record.dateAsserted) });
    // An end alone is no time at which it was reported.
    if (!date || !(record.effectiveDateTime || record.effectivePeriod?.start))
      return `${t('reported#medication')}, ${t('no date')}`;
    return record.effectivePeriod?.start ? t('reported: since {date}', { date }) : t('reported {date}', { date });
  }
  if (!date) return t('no date');
  if (record.resourceType === 'MedicationAdministration') return t('given {date}', { date });
  if (requestState(record) === 'planned') return t('recorded {date}', { date });
  return isReported(record) ? t('reported {date}', { date }) : t('ordered {date}', { date });
}

/** The dates on which a medication was last known, by its record and by the latest report of it. */
export function knownWords({ resource, reports }: MedicationEntry): string {
  const [latest] = reports
    .filter(({ dateAsserted }) => dateAsserted)
    .toSorted((a, b) => ((a.dateAsserted ?? '') < (b.dateAsserted ?? '') ? 1 : -1));
  return [...new Set([knownOn(resource), ...(latest ? [knownOn(latest)] : [])])].join(', ');
}

/** The status of an entry: what is not clear, or is over by its own words, is told whole; a report is called so. */
export function entryStatus(entry: MedicationEntry): string | undefined {
  const { resource, state } = entry;
  const status = state === 'unclear' ? unclearWords(entry) : (overWords(entry) ?? statusOf(resource));
  if (isEnteredInError(resource) || !isHearsay(resource)) return status;
  return [status, t('reported#medication')].filter(Boolean).join(', ');
}
