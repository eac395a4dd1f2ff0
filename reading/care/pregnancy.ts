//! The current pregnancy of a patient, with its due date and the gestational age. Only a record that states the
//! pregnancy counts: an answer about it, a condition, or a due date that lies ahead. Of statements that contradict each
//! other the later one counts, and a delivery, a loss or a denial ends the pregnancy.

import { cautionOf, isModified, standingOf } from '../fhir/certainty.ts';
import { DAY, instant, periodDate, procedureDate, shortDate } from '../fhir/date.ts';
import { normalCode } from '../fhir/status-code.ts';
import { concept, isEnteredInError } from '../fhir/text.ts';
import {
  type Condition,
  isOfType,
  type MeasuredValue,
  type Observation,
  type Procedure,
  type Resource,
} from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { onset, problemName } from '../problems/problem.ts';
import { value, when } from '../results/reading.ts';
import { isOfOther } from '../results/told-apart.ts';
import { endOf } from './due.ts';
import { hasPregnancyName, pregnancyAnswer, pregnancyNamed, pregnancyQuestion } from './pregnancy-names.ts';

const WEEK = 7 * DAY;
/** The time from conception to the due date, as it is counted: from the last menstrual period. */
const TERM = 40 * WEEK;
/** The longest time that a pregnancy lasts after a statement of it. */
const LONGEST = 44 * WEEK;
/** The time after the due date at which a pregnancy is over. */
const OVERDUE = 3 * WEEK;

type Kind = 'yes' | 'no' | 'due' | 'age';

/** What a record states about a pregnancy. */
interface Statement {
  kind: Kind;
  record: Resource;
  /** The value or component that states it. */
  part: MeasuredValue;
  /** The time of the statement; `undefined` if the record has none. */
  at: number | undefined;
  /** The time since which it holds. */
  since: number | undefined;
}

/** Returns the answer of a value to whether the patient is pregnant; `undefined` if it leaves that open. */
function answerOf({
  valueBoolean: is,
  valueString,
  valueCodeableConcept: coded,
}: MeasuredValue): 'yes' | 'no' | undefined {
  if (is !== undefined) return is ? 'yes' : 'no';
  return pregnancyAnswer(coded ?? (valueString === undefined ? undefined : { text: valueString }));
}

/** Returns the due date in a value, as written. */
const dueIn = ({ valueDateTime, valueString }: MeasuredValue): string | undefined =>
  [valueDateTime, valueString?.trim()].find((text) => instant(text) !== undefined);

/** Returns whether a value is missing. The code alone then states a finding, unless a reason is given. */
const isBare = (part: MeasuredValue): boolean =>
  !Object.keys(part).some((name) => name.startsWith('value') || name === 'dataAbsentReason');

function kindOf(part: MeasuredValue): Kind | undefined {
  const question = pregnancyQuestion(part.code);
  if (question === 'due') return dueIn(part) ? 'due' : undefined;
  if (question === 'status' && isBare(part)) return pregnancyAnswer(part.code);
  if (question === 'status') return answerOf(part);
  // "Not pregnant: no" states nothing that is certain.
  if (question === 'denial') return isBare(part) || answerOf(part) === 'yes' ? 'no' : undefined;
  return question;
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
    return kind ? [{ kind, record, part, at, since: at }] : [];
  });
}

function inCondition(record: Condition): Statement[] {
  const named = pregnancyNamed(record.code);
  const standing = standingOf(record);
  const began = instant(onset(record));
  const recorded = instant(record.recordedDate) ?? began;
  const state = (kind: Kind, at: number | undefined): Statement[] => [{ kind, record, part: {}, at, since: began }];
  if (!named || standing === 'error') return [];
  if (named === 'no') return standing === 'refuted' ? [] : state('no', began);
  if (standing === 'refuted') return state('no', recorded);
  const ended = instant(record.abatementDateTime ?? periodDate(record.abatementPeriod));
  if (standing === 'over') return state('no', ended ?? recorded);
  // A pregnancy that is suspected, or of another doubt, is not stated. One without a date must be called active.
  const isPlain = cautionOf(ENGLISH, record) === undefined;
  return isPlain && (recorded !== undefined || record.clinicalStatus) ? state('yes', recorded) : [];
}

const inProcedure = (record: Procedure): Statement[] => {
  const at = instant(procedureDate(record));
  const isDone = ['completed', ''].includes(normalCode(record.status));
  return isDone && pregnancyNamed(record.code) === 'no' ? [{ kind: 'no', record, part: {}, at, since: at }] : [];
};

/** Returns what a record states about a pregnancy. */
function statementsIn(record: Resource): Statement[] {
  const found = isOfType('Observation', record)
    ? inObservation(record)
    : isOfType('Condition', record)
      ? inCondition(record)
      : isOfType('Procedure', record)
        ? inProcedure(record)
        : [];
  return found.length === 0 || isEnteredInError(record) || isModified(record) ? [] : found;
}

/** The statements of a current pregnancy. */
interface Pregnancy {
  /** That of the pregnancy itself; `undefined` if only a due date states it. */
  state: Statement | undefined;
  due: Statement | undefined;
  age: Statement | undefined;
}

/** Returns the newest of some statements. */
const newestOf = (all: readonly Statement[]): Statement | undefined =>
  all.toSorted((a, b) => (b.at ?? Number.NEGATIVE_INFINITY) - (a.at ?? Number.NEGATIVE_INFINITY))[0];

/** Returns the current pregnancy that observations, conditions and procedures state. */
export function currentPregnancy(records: readonly Resource[], now: number): Pregnancy | undefined {
  const stated: Statement[] = [];
  for (const record of records)
    for (const one of statementsIn(record)) if (one.at === undefined || one.at <= now) stated.push(one);
  const of = (kind: Kind): Statement[] => stated.filter((one) => one.kind === kind);
  const denied = of('no');
  const deniedAt = Math.max(Number.NEGATIVE_INFINITY, ...denied.flatMap(({ at }) => at ?? []));
  const isSince = ({ at }: Statement): boolean => (at === undefined ? denied.length === 0 : at > deniedAt);
  const dues = of('due').flatMap((one) => endOf(dueIn(one.part)) ?? []);
  /** Returns the time at which a pregnancy is over at the latest: after its due date, if it has one. */
  const last = (since: number): number => {
    const own = dues.filter((due) => due >= since - OVERDUE && due <= since + LONGEST);
    return own.length > 0 ? Math.max(...own) + OVERDUE : since + LONGEST;
  };
  // An answer without a date may be of any time.
  const isLasting = ({ since, record }: Statement): boolean =>
    since === undefined ? isOfType('Condition', record) : last(since) >= now;
  const isAhead = ({ part }: Statement): boolean => {
    const until = endOf(dueIn(part));
    return until !== undefined && until + OVERDUE >= now && until <= now + LONGEST;
  };
  const state = newestOf(of('yes').filter((one) => isSince(one) && isLasting(one)));
  const due = newestOf(of('due').filter((one) => isSince(one) && isAhead(one)));
  if (!state && !due) return undefined;
  const age = newestOf(of('age').filter((one) => isSince(one) && one.at !== undefined && one.at >= now - LONGEST));
  return { state, due, age };
}

/** A line about a pregnancy. */
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
  const days = Math.floor((now + TERM - at) / DAY);
  return days >= 0 ? `${Math.floor(days / 7)}+${days % 7}` : undefined;
}

/** Returns the statement of a pregnancy in its own words, and its date. */
function stateWords(words: Words, { record, part }: Statement): { name: string; words: string } {
  if (isOfType('Condition', record)) {
    const date = shortDate(words, onset(record));
    return { name: problemName(words, record), words: date ? words.t('since {date}', { date }) : words.t('no date') };
  }
  const said = hasPregnancyName(part.valueCodeableConcept) ? concept(words, part.valueCodeableConcept) : undefined;
  return {
    name: said === undefined || said === 'Pregnant' ? words.t('Pregnant') : said,
    words: isOfType('Observation', record) ? shortDate(words, when(record)) : '',
  };
}

/** Returns the due date, and the gestational age by it. */
function dueWords(words: Words, { part }: Statement, now: number): { value: string; words: string } {
  const due = dueIn(part) ?? '';
  const age = ageBy(due, now);
  const isPast = (endOf(due) ?? now) < now;
  return {
    value: shortDate(words, due),
    words: [isPast ? words.t('passed#due date') : '', age ? words.t('{age} weeks today', { age }) : '']
      .filter(Boolean)
      .join(', '),
  };
}

/** Returns the current pregnancy in lines: its statement, the due date, and the gestational age. */
export function pregnancyLines(words: Words, records: readonly Resource[], now: number): PregnancyLine[] {
  const { state, due, age } = currentPregnancy(records, now) ?? {};
  const line = (
    of: Statement | undefined,
    says: (of: Statement) => Pick<PregnancyLine, 'name'> & Partial<PregnancyLine>,
  ): PregnancyLine[] =>
    of ? [{ value: '', words: '', ...says(of), record: of.record, caution: cautionOf(words, of.record) }] : [];
  return [
    ...line(state, (of) => stateWords(words, of)),
    ...line(due, (of) => ({ name: words.t('Due date'), ...dueWords(words, of, now) })),
    ...line(age, ({ record, part }) => ({
      name: words.t('Gestational age'),
      value: value(words, part) ?? '',
      words: isOfType('Observation', record) ? shortDate(words, when(record)) : '',
    })),
  ];
}
