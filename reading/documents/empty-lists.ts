//! Lists that say why they have no entries, such as that no allergy is known (<https://hl7.org/fhir/R4/list.html>).

import { isModified } from '../fhir/certainty.ts';
import { endOf, instant, newest, shortDate } from '../fhir/date.ts';
import { firstWritten, textAt, valuesAt } from '../fhir/element-text.ts';
import { conceptIn } from '../fhir/loose.ts';
import { normalCode } from '../fhir/status-code.ts';
import { codeOf, isEnteredInError } from '../fhir/text.ts';
import type { Concept, Resource } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import type { Words } from '../language/words.ts';
import { placeOf, REST } from './places.ts';
import { reasonText } from './reasons.ts';

/** A list without entries, and its reason. */
export interface EmptyList {
  reason: Concept;
  /** True if the reason is that none are known. */
  isNone: boolean;
  /** The date of the list as it is written. */
  date: string | undefined;
  /** The reason in words. */
  brief: string;
  /** The reason with the list that gives it, in words. */
  says: string;
}

/** Returns whether a list holds, as far as it says. One of changes may have none beside many records. */
export const isCurrentList = (list: Resource): boolean =>
  !isEnteredInError(list) &&
  !valuesAt(list, 'status').some((status) => normalCode(status) === 'retired') &&
  !valuesAt(list, 'mode').some((mode) => normalCode(mode) === 'changes');

const isEmpty = (list: Resource): boolean =>
  valuesAt(list, 'entry').every((entry) => valuesAt(entry, 'deleted').includes(true));

const strings = (values: unknown[]): string[] => values.filter((one) => typeof one === 'string');

/** The sections of the chart by words in the title of a list, which alone would not place a section of a document. */
const BY_NAME: readonly [place: string, words: RegExp][] = [
  ['medications', /medi[ck]a(?:ti|ci|me)|medicijn|medicine|arznei|farmac|pharmac/],
  ['problems', /problem|diagnos/],
  ['immunizations', /immuni|inmuni|impf|vac+in|vacuna/],
];

/** What a section of a document has and a list lacks. */
const BARE = { title: undefined, around: [], div: undefined, entries: [], emptyReason: undefined, about: undefined };

/** Returns the section of the chart to which a list belongs: by its code, or by its title. */
export function placeOfList(list: Resource): string {
  const names = strings(['title', 'code.text', 'code.coding.display'].flatMap((path) => valuesAt(list, path)));
  const codes = strings(valuesAt(list, 'code.coding.code'));
  const place = placeOf({ ...BARE, codes, names });
  const named = BY_NAME.find(([, words]) => names.some((one) => words.test(unaccented(one.toLowerCase()))));
  return place === REST ? (named?.[0] ?? place) : place;
}

/**
 * Returns the newest list for a section of the chart, if it gives a reason and has the status `current`; `undefined` if
 * any list of the section that holds has entries, or is changed in a way that is not understood.
 */
export function emptyListOf(words: Words, place: string, records: readonly Resource[]): EmptyList | undefined {
  const dateOf = (list: Resource): string | undefined => firstWritten(list, ['date']);
  const isOfPlace = (one: Resource): boolean => one.resourceType === 'List' && placeOfList(one) === place;
  const lists = records.filter((one) => isCurrentList(one) && isOfPlace(one));
  const isSaidCurrent = (one: Resource): boolean => normalCode(valuesAt(one, 'status')[0]) === 'current';
  const [list] = newest(lists.filter(isSaidCurrent), dateOf);
  if (lists.some((one) => !isEmpty(one) || isModified(one))) return undefined;
  const reason = list ? conceptIn(valuesAt(list, 'emptyReason')[0]) : undefined;
  if (!list || !reason) return undefined;
  const isNone = codeOf(reason) === 'nilknown';
  const brief = isNone ? words.t('none known') : (reasonText(words, reason) ?? '');
  const date = dateOf(list);
  const says = date
    ? words.t('{reason} (a list of {date} says so)', { reason: brief, date: shortDate(words, date) })
    : words.t('{reason} (a list without a date says so)', { reason: brief });
  const note = textAt(words, list, 'note');
  return { reason, isNone, date, brief, says: note ? `${says}: ${note}` : says };
}

/** Returns whether a list that none are known contradicts entries, by their dates: one may be as old as the list. */
export const contradicts = ({ isNone, date }: EmptyList, dates: readonly (string | undefined)[]): boolean =>
  isNone && dates.some((one) => (instant(one) ?? -Infinity) < (endOf(date) ?? Infinity));
