//! Problems in words.

import { withoutAbsences } from '../fhir/absence.ts';
import { conditionStatus } from '../fhir/certainty.ts';
import { instant, period, shortDate, year } from '../fhir/date.ts';
import { ageText } from '../fhir/element-text.ts';
import { siteText } from '../fhir/site.ts';
import { plain } from '../fhir/text.ts';
import type { Condition, Period, Quantity, Range } from '../fhir/types.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { byProblem, byWeight, problemLists, problemName } from './problem.ts';

/** Returns the words that must accompany the name of a condition. */
const problemCaution = (words: Words, c: Condition): string =>
  conditionStatus(c)
    .map((code) => plain(words, code))
    .join(', ');

/** Returns the onset or the abatement of a condition, in any recorded form. */
const momentOf = (
  words: Words,
  date: string | undefined,
  age: Quantity | undefined,
  ages: Range | undefined,
  span: Period | undefined,
  text: string | undefined,
): string | undefined =>
  date ? shortDate(words, date) : (ageText(words, age, ages) ?? (text || period(words, span) || undefined));

export const began = (words: Words, c: Condition): string | undefined =>
  momentOf(words, c.onsetDateTime, c.onsetAge, c.onsetRange, c.onsetPeriod, c.onsetString);
export const ended = (words: Words, c: Condition): string | undefined =>
  momentOf(words, c.abatementDateTime, c.abatementAge, c.abatementRange, c.abatementPeriod, c.abatementString) ??
  (c.abatementBoolean ? words.t('yes') : undefined);

/** Returns the label of the abatement of a condition, which may be in the future. */
export const endLabel = ({ abatementDateTime: date, abatementPeriod: span }: Condition, now: number): PlainMessage =>
  (instant(date ?? span?.start) ?? now) > now ? 'Expected to end' : 'Ended';

/** Returns the words of the heading: the kind and the count, and how many are only encounter diagnoses. */
export function problemCount(words: Words, count: number, ofVisits: number): string {
  const text = count === 1 ? words.t('current#one problem') : words.t('current#problems');
  return ofVisits === 0
    ? text
    : words.t('{words}, {n} from a visit only|{words}, {n} from visits only', { words: text, n: ofVisits });
}

/** Returns the earliest onset of a problem, as written. A date of recording is none. */
const sinceOf = (entries: readonly Condition[]): string | undefined =>
  entries.flatMap((c) => c.onsetDateTime ?? c.onsetPeriod?.start ?? []).sort()[0];

interface ProblemLine {
  record: Condition;
  name: string;
  words: string;
  /** The words for what is uncertain about the problem. */
  caution: string;
}

/**
 * Returns the current problems in lines. `isByWeight` is true if they are not in the order of the list. `headingOf`
 * returns the other heading under which a document lists a problem.
 */
export function problemsOverview(
  words: Words,
  conditions: readonly Condition[],
  headingOf: (c: Condition) => string | undefined,
): { lines: ProblemLine[]; isByWeight: boolean } {
  const { records } = withoutAbsences(words, conditions, ({ code }) => code);
  const { listed, concerns, ofVisits } = problemLists(records);
  const line = ([c, ...more]: [Condition, ...Condition[]], kind: string): ProblemLine => {
    const since = sinceOf([c, ...more]);
    const texts = [
      kind,
      siteText(words, c),
      since ? words.t('since {date}', { date: year(since) || since }) : '',
      more.length > 0 ? words.t('{n} entry|{n} entries', { n: more.length + 1 }) : '',
      headingOf(c),
    ];
    return {
      record: c,
      name: problemName(words, c),
      words: texts.filter(Boolean).join(', '),
      caution: problemCaution(words, c),
    };
  };
  const all: { group: [Condition, ...Condition[]]; kind: string }[] = [
    ...byProblem(listed).map((group) => ({ group, kind: '' })),
    ...byProblem(concerns).map((group) => ({ group, kind: words.t('concern') })),
    ...ofVisits.map((c) => ({ group: [c] as [Condition], kind: words.t('diagnosis of a visit') })),
  ];
  const ordered = byWeight(all, ({ group: [c] }) => c);
  return {
    lines: ordered.map(({ group, kind }) => line(group, kind)),
    isByWeight: ordered.some((one, i) => one !== all[i]),
  };
}
