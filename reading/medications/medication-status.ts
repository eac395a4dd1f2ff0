//! The status of a medication record in words, unless it is the usual one.

import { adherenceText, modifierText } from '../fhir/certainty.ts';
import { shortDate } from '../fhir/date.ts';
import * as request from '../fhir/request-state.ts';
import { isEnteredInError, statusText } from '../fhir/text.ts';
import type { MedicationRequest } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { courseEndText } from './course-end.ts';
import { type MedicationEntry, medicationDate } from './medication-list.ts';

/** The usual statuses, which are not shown. */
const USUAL: Readonly<Record<request.MedicationRecord['resourceType'], string>> = {
  MedicationRequest: 'active',
  MedicationStatement: 'active',
  MedicationAdministration: 'completed',
};

const codesOf = (record: request.MedicationRecord): string | undefined => {
  if (record.resourceType === 'MedicationRequest') return request.requestStatus(record);
  return record.resourceType === 'MedicationStatement'
    ? request.statementStatus(record)
    : request.administrationStatus(record);
};

/** Returns the status in words, unless it is the usual one, and the modifiers of the meaning of the record. */
export function medicationStatus(words: Words, record: request.MedicationRecord): string | undefined {
  if (isEnteredInError(record)) return 'entered-in-error';
  const codes = (codesOf(record) ?? '')
    .split(', ')
    .filter((code) => code !== '' && code !== USUAL[record.resourceType]);
  const texts = [
    ...(record.status === undefined ? [words.t('status unknown')] : []),
    ...codes.map((code) => statusText(words, code)),
    record.resourceType === 'MedicationAdministration' ? request.overdueText(words, record) : undefined,
    ...adherenceText(words, record),
    modifierText(words, record),
  ];
  return texts.filter(Boolean).join(', ') || undefined;
}

/** Returns whether a planned medication is ordered or reported, and its period has not begun. */
export const isToBegin = (record: request.MedicationRecord): boolean =>
  request.requestState(record) === 'planned' && !request.isPlan(record);

/** Returns the words of records that leave open whether a medication is taken. */
export function unclearWords(words: Words, { resource, reports }: MedicationEntry): string {
  const texts = [resource, ...reports].map((one) => {
    if (one.resourceType === 'MedicationRequest') return words.t('planned in the record');
    return (one.resourceType === 'MedicationStatement' && request.endedText(words, one)) || '';
  });
  return [...new Set(texts.filter(Boolean))].join('; ');
}

/** Returns the words of an order or a report for the end of its course, if the course is over. */
export function courseEndWords(words: Words, { courseEnd }: MedicationEntry): string | undefined {
  return courseEnd && courseEndText(words, courseEnd);
}

/** Returns who prescribed and who reported a medication. The requester of a reported order is who reported it. */
export function authorsOf({ reportedBoolean, reportedReference, requester }: MedicationRequest) {
  const isReporter = reportedBoolean === true && !reportedReference;
  return { prescriber: isReporter ? undefined : requester, reporter: isReporter ? requester : reportedReference };
}

/** Returns the date on which a medication was last known: when it was ordered, reported or given. */
function knownOn(words: Words, record: request.MedicationRecord): string {
  const date = shortDate(words, medicationDate(record));
  if (record.resourceType === 'MedicationStatement') {
    if (record.dateAsserted) return words.t('reported {date}', { date: shortDate(words, record.dateAsserted) });
    // An end alone is not the time of a report.
    if (!date || !(record.effectiveDateTime || record.effectivePeriod?.start))
      return `${words.t('reported#medication')}, ${words.t('no date')}`;
    return record.effectivePeriod?.start
      ? words.t('reported: since {date}', { date })
      : words.t('reported {date}', { date });
  }
  if (!date) return words.t('no date');
  if (record.resourceType === 'MedicationAdministration') return words.t('given {date}', { date });
  if (request.requestState(record) === 'planned') return words.t('recorded {date}', { date });
  return request.isReported(record) ? words.t('reported {date}', { date }) : words.t('ordered {date}', { date });
}

/** Returns the dates on which a medication was last known, by its record and by the latest report of it. */
export function knownWords(words: Words, { resource, reports }: MedicationEntry): string {
  const [latest] = reports
    .filter(({ dateAsserted }) => dateAsserted)
    .toSorted((a, b) => ((a.dateAsserted ?? '') < (b.dateAsserted ?? '') ? 1 : -1));
  return [...new Set([knownOn(words, resource), ...(latest ? [knownOn(words, latest)] : [])])].join(', ');
}

/** Returns the status of an entry, completely if it is unclear or over by its own words. A report is labelled so. */
export function entryStatus(words: Words, entry: MedicationEntry): string | undefined {
  const { resource, state } = entry;
  const status =
    state === 'unclear'
      ? unclearWords(words, entry)
      : (courseEndWords(words, entry) ?? medicationStatus(words, resource));
  if (isEnteredInError(resource) || !request.isReportedOnly(resource)) return status;
  return [status, words.t('reported#medication')].filter(Boolean).join(', ');
}
