//! The current pregnancy of a patient, with its due date. Only codes state it: in an answer, or in a condition. A
//! denial contradicts statements that were recorded before it. A birth or a loss ends pregnancies that began before it.

import { cautionOf, isModified, standingOf } from '../fhir/certainty.ts';
import { DAY, day, endOf, instant, periodDate, procedureDate, shortDate, today } from '../fhir/date.ts';
import { normalCode, statusesIn } from '../fhir/status-code.ts';
import { concept, isEnteredInError } from '../fhir/text.ts';
import {
  type Condition,
  isOfType,
  type MeasuredValue,
  type Observation,
  type Procedure,
  type Resource,
} from '../fhir/types.ts';
import { joined } from '../joined.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { problemName } from '../problems/problem.ts';
import { nameOfValue } from '../results/names/names.ts';
import { isOfOther } from '../results/names/told-apart.ts';
import { value, when } from '../results/values/reading.ts';
import { pregnancyAnswer, pregnancyAnswerText, pregnancyCoded, pregnancyQuestion } from './pregnancy-codes.ts';

const WEEK = 7 * DAY;
/** The time from the last menstrual period to the due date. */
const TERM = 40 * WEEK;
/** The longest time that a pregnancy lasts after its onset. */
const LONGEST = 44 * WEEK;
/** The longest time that a pregnancy lasts after an answer, which is given after conception. */
const LONGEST_AFTER_ANSWER = 42 * WEEK;
/** The time after the due date at which a pregnancy is over. */
const OVERDUE = 3 * WEEK;

type Kind = 'yes' | 'denial' | 'end' | 'due';

/** A fact that a record states about a pregnancy. */
interface Statement {
  kind: Kind;
  record: Resource;
  /** The value or component that states it. */
  part: MeasuredValue;
  /** The time of the statement, or of the end; `undefined` if the record has none. */
  at: number | undefined;
  /** The onset of the pregnancy, if it is recorded. */
  began?: number | undefined;
}

/** Returns the answer of a value to whether the patient is pregnant; `undefined` if it leaves that open. */
function answerOf({
  valueBoolean: is,
  valueString,
  valueCodeableConcept: coded,
}: MeasuredValue): 'yes' | 'no' | undefined {
  if (is !== undefined) return is ? 'yes' : 'no';
  return coded ? pregnancyAnswer(coded) : pregnancyAnswerText(valueString ?? '');
}

/** Returns the day, the month or the year of the due date in a value, as written. */
const dueIn = ({ valueDateTime, valueString }: MeasuredValue): string | undefined =>
  [valueDateTime, valueString?.trim()].filter((text) => instant(text) !== undefined).map(day)[0];

/** Returns whether an observation states a finding by its code alone: it has no value, and heads no panel. */
const isFinding = (part: MeasuredValue): boolean =>
  !Object.keys(part).some((name) => /^(?:value|dataAbsentReason$|component$|hasMember$)/.test(name));

function kindOf(part: MeasuredValue): Kind | undefined {
  const question = pregnancyQuestion(part.code);
  if (question === undefined || question === 'age') return undefined;
  if (question === 'due') return dueIn(part) ? 'due' : undefined;
  const answer = isFinding(part) ? pregnancyAnswer(part.code) : answerOf(part);
  if (question === 'status') return answer === 'no' ? 'denial' : answer;
  // "Not pregnant: no" states nothing that is certain.
  return isFinding(part) || answer === 'yes' ? 'denial' : undefined;
}

const NOTHING: Statement[] = [];

/** The statuses of an observation that states something. */
const STATED = ['final', 'amended', 'corrected', 'preliminary', ''];

/** Returns what the value of an observation, or one of its components, states. Most of thousands state nothing. */
function inObservation(record: Observation): Statement[] {
  if (!kindOf(record) && !record.component?.some(kindOf)) return NOTHING;
  if (!STATED.includes(normalCode(record.status)) || isOfOther(record)) return NOTHING;
  const at = instant(when(record));
  return [record, ...(record.component ?? [])].flatMap((part: MeasuredValue): Statement[] => {
    const kind = kindOf(part);
    return kind ? [{ kind, record, part, at }] : [];
  });
}

/** Returns the onset of a condition as written. The date of its recording is none. */
const onsetOf = (c: Condition): string | undefined => c.onsetDateTime ?? periodDate(c.onsetPeriod);

/** Returns whether the verification status of a condition, if it has one, is `confirmed`. */
const isSure = ({ verificationStatus: of }: Condition): boolean =>
  concept(ENGLISH, of) === undefined || statusesIn(of, ['confirmed']).length > 0;

function inCondition(record: Condition): Statement[] {
  const coded = pregnancyCoded(record.code);
  if (!coded) return NOTHING;
  const standing = standingOf(record);
  const began = instant(onsetOf(record));
  const ended = instant(record.abatementDateTime ?? periodDate(record.abatementPeriod));
  const recorded = instant(record.recordedDate) ?? began;
  const state = (kind: Kind, at: number | undefined): Statement[] => [{ kind, record, part: {}, at, began }];
  if (standing === 'refuted') return coded === 'pregnancy' ? state('denial', recorded) : NOTHING;
  if (!isSure(record)) return NOTHING;
  if (coded === 'end') return state('end', began ?? ended);
  if (coded === 'pregnancy' && standing === 'over') return state('end', ended);
  // One without a date must be called active. A statement of another doubt does not count.
  const isPlain = cautionOf(ENGLISH, record) === undefined && (recorded !== undefined || record.clinicalStatus);
  return isPlain ? state(coded === 'denial' ? 'denial' : 'yes', recorded) : NOTHING;
}

const inProcedure = (record: Procedure): Statement[] =>
  ['completed', ''].includes(normalCode(record.status)) && pregnancyCoded(record.code) === 'end'
    ? [{ kind: 'end', record, part: {}, at: instant(procedureDate(record)) }]
    : NOTHING;

/** Returns what a record states about a pregnancy. */
function statementsIn(record: Resource): Statement[] {
  const found = isOfType('Observation', record)
    ? inObservation(record)
    : isOfType('Condition', record)
      ? inCondition(record)
      : isOfType('Procedure', record)
        ? inProcedure(record)
        : NOTHING;
  return found.length === 0 || isEnteredInError(record) || isModified(record) ? NOTHING : found;
}

/** The statements of a current pregnancy. */
interface Pregnancy {
  state: Statement;
  due: Statement | undefined;
}

const newestOf = (all: readonly Statement[]): Statement | undefined =>
  all.toSorted((a, b) => (b.at ?? Number.NEGATIVE_INFINITY) - (a.at ?? Number.NEGATIVE_INFINITY))[0];

/** Returns the current pregnancy that observations, conditions and procedures state. */
function currentPregnancy(records: readonly Resource[], now: number): Pregnancy | undefined {
  const stated: Statement[] = [];
  for (const record of records)
    for (const one of statementsIn(record))
      if (one.at === undefined ? one.kind !== 'end' : one.at <= now) stated.push(one);
  const of = (kind: Kind): Statement[] => stated.filter((one) => one.kind === kind);
  /** Returns whether a time is later than all statements of a kind. One without a date may be of any time. */
  const isAfter = (at: number | undefined, kind: 'denial' | 'end'): boolean =>
    of(kind).every((one) => at !== undefined && (one.at === undefined || at > one.at));
  const due = newestOf(of('due').filter(({ at }) => isAfter(at, 'denial') && isAfter(at, 'end')));
  const dueAt = due && endOf(dueIn(due.part));
  const longest = ({ began }: Statement): number => (began === undefined ? LONGEST_AFTER_ANSWER : LONGEST);
  /** Returns whether the due date may be that of a pregnancy. One of another pregnancy says nothing about it. */
  const isDueOf = (one: Statement): boolean => {
    const since = one.began ?? one.at ?? now;
    return dueAt !== undefined && dueAt >= since - OVERDUE && dueAt <= since + longest(one);
  };
  const isLasting = (one: Statement): boolean => {
    const since = one.began ?? one.at;
    if (since === undefined) return isOfType('Condition', one.record);
    return (dueAt !== undefined && isDueOf(one) ? dueAt + OVERDUE : since + longest(one)) >= now;
  };
  const state = newestOf(
    of('yes').filter((one) => isAfter(one.at, 'denial') && isAfter(one.began ?? one.at, 'end') && isLasting(one)),
  );
  if (!state) return undefined;
  return { state, due: isDueOf(state) ? due : undefined };
}

interface PregnancyLine {
  record: Resource;
  name: string;
  value: string;
  words: string;
  /** The words for what is uncertain about the record. */
  caution: string | undefined;
}

/** Returns the gestational age on a day by a due date, as obstetrics writes it: `24+3`, weeks and days. */
function ageBy(due: string, now: number): string | undefined {
  const at = instant(due);
  if (at === undefined || due.length < 10) return undefined;
  const days = (today(now) + TERM - at) / DAY;
  return days >= 0 ? `${Math.floor(days / 7)}+${days % 7}` : undefined;
}

const dateOf = (words: Words, record: Resource): string =>
  isOfType('Observation', record) ? shortDate(words, when(record)) : '';

/** Returns the statement of a pregnancy in the words of its record, and its date. */
function stateWords(words: Words, { record, part }: Statement): Omit<PregnancyLine, 'record' | 'caution'> {
  if (isOfType('Condition', record)) {
    const began = shortDate(words, onsetOf(record));
    const date = began ? words.t('since {date}', { date: began }) : shortDate(words, record.recordedDate);
    return { name: problemName(words, record), value: '', words: date || words.t('no date') };
  }
  const said = value(words, part) ?? '';
  // "Yes" needs its question.
  return pregnancyCoded(part.valueCodeableConcept) === 'pregnancy'
    ? { name: said, value: '', words: dateOf(words, record) }
    : { name: nameOfValue(words, part), value: said, words: dateOf(words, record) };
}

/** Returns the due date, and the gestational age by it. */
function dueWords(words: Words, { part }: Statement, now: number): { value: string; words: string } {
  const due = dueIn(part) ?? '';
  const age = ageBy(due, now);
  const isPast = (endOf(due) ?? now) <= today(now);
  return {
    value: shortDate(words, due),
    words: joined(isPast ? words.t('passed#due date') : '', age ? words.t('{age} weeks today', { age }) : ''),
  };
}

/** Returns the current pregnancy in lines: its statement, and the due date. */
export function pregnancyLines(words: Words, records: readonly Resource[], now: number): PregnancyLine[] {
  const found = currentPregnancy(records, now);
  if (!found) return [];
  const { state, due } = found;
  const line = ({ record }: Statement, says: Omit<PregnancyLine, 'record' | 'caution'>): PregnancyLine => ({
    ...says,
    record,
    caution: cautionOf(words, record),
  });
  const lines = [line(state, stateWords(words, state))];
  if (due) lines.push(line(due, { name: words.t('Due date'), ...dueWords(words, due, now) }));
  return lines;
}
