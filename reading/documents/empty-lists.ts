//! Lists that say why they have no entries, such as that no allergy is known (<https://hl7.org/fhir/R4/list.html>).

import { isModified } from '../fhir/certainty.ts';
import { newest, shortDate } from '../fhir/date.ts';
import { firstWritten, textAt, valuesAt } from '../fhir/element-text.ts';
import { conceptIn } from '../fhir/loose.ts';
import { normalCode } from '../fhir/status-code.ts';
import { codeOf, isEnteredInError } from '../fhir/text.ts';
import type { Concept, Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { placeOf } from './places.ts';
import { reasonText } from './reasons.ts';

/** A list without entries, and its reason. */
export interface EmptyList {
  reason: Concept;
  /** True if the reason is that none are known. */
  isNone: boolean;
  /** The reason in words. */
  brief: string;
  /** The reason with the list that gives it, in words. */
  says: string;
}

/** Returns whether a list holds, as far as it says. */
export const isCurrentList = (list: Resource): boolean =>
  !isEnteredInError(list) && !valuesAt(list, 'status').some((status) => normalCode(status) === 'retired');

const isEmpty = (list: Resource): boolean =>
  valuesAt(list, 'entry').every((entry) => valuesAt(entry, 'deleted').includes(true));

const strings = (values: unknown[]): string[] => values.filter((one) => typeof one === 'string');

/**
 * Returns the newest list for a section of the chart, if it gives a reason; `undefined` if any current list of the
 * section has entries, or is changed in a way that is not understood.
 */
export function emptyListOf(words: Words, place: string, records: readonly Resource[]): EmptyList | undefined {
  const dateOf = (list: Resource): string | undefined => firstWritten(list, ['date']);
  const isOfPlace = (list: Resource): boolean =>
    placeOf({
      title: undefined,
      codes: strings(valuesAt(list, 'code.coding.code')),
      names: strings([...valuesAt(list, 'title'), ...valuesAt(list, 'code.text')]),
      around: [],
      div: undefined,
      entries: [],
      emptyReason: undefined,
      about: undefined,
    }) === place;
  const lists = records.filter((one) => one.resourceType === 'List' && isCurrentList(one) && isOfPlace(one));
  const [list] = newest(lists, dateOf);
  if (lists.some((one) => !isEmpty(one) || isModified(one))) return undefined;
  const reason = list ? conceptIn(valuesAt(list, 'emptyReason')[0]) : undefined;
  if (!list || !reason) return undefined;
  const isNone = codeOf(reason) === 'nilknown';
  const brief = isNone ? words.t('none known') : (reasonText(words, reason) ?? '');
  const date = shortDate(words, dateOf(list));
  const says = date
    ? words.t('{reason} (a list of {date} says so)', { reason: brief, date })
    : words.t('{reason} (a list without a date says so)', { reason: brief });
  const note = textAt(words, list, 'note');
  return { reason, isNone, brief, says: note ? `${says}: ${note}` : says };
}
