//! Problems, health concerns, and the diagnoses of visits. What is in remission, unconfirmed, or of a status that is
//! not known stands among the current problems, with the word. A diagnosis of a visit that is active, and that no entry
//! of the list says too, is shown beside them.

import { html, nothing } from 'lit-html';
import { conditionStatus, standingOf } from '../fhir/certainty.ts';
import { newest, periodDate, shortDate } from '../fhir/date.ts';
import { concept, concepts, hasCode, plain, quantity, reference } from '../fhir/text.ts';
import type { Condition, Quantity } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { errorsFolded, folded, foldedMany, labelled, type Row, rows } from './row.ts';
import type { Section } from './section.ts';
import { absenceViews, withoutAbsences } from './statement.ts';

export const onset = (c: Condition): string | undefined =>
  c.onsetDateTime ?? periodDate(c.onsetPeriod) ?? c.recordedDate;
const inCategory = (c: Condition, code: string): boolean =>
  (c.category ?? []).some((category) => hasCode(category, code));

export const PROBLEMS = 'Condition?patient={patient}&_count=200';

/** The most diagnoses of visits that are shown at once. */
const MOST_OF_VISITS = 12;

/** Returns whether a problem stands: it is not over, not refuted, and not entered in error. */
export const isCurrent = (c: Condition): boolean => standingOf(c) === 'standing';

/** Returns whether a condition is on a list of its own, and not the diagnosis of one visit alone. */
export const isListed = (c: Condition): boolean =>
  !inCategory(c, 'encounter-diagnosis') || inCategory(c, 'problem-list-item') || isConcern(c);

/** Returns whether a condition is a health concern, and not a problem (US Core). */
export const isConcern = (c: Condition): boolean => inCategory(c, 'health-concern');

export const problemName = (c: Condition): string => concept(c.code) ?? t('Condition not named');

/** The words that a condition needs beside its name. */
export const problemCaution = (c: Condition): string => conditionStatus(c).map(plain).join(', ');

/** The keys by which two conditions are the same: their codes, or their names where they have none. */
function keysOf(c: Condition): string[] {
  const codes = (c.code?.coding ?? []).flatMap(({ system, code }) => (code ? `${system ?? ''}|${code}` : []));
  return codes.length > 0 ? codes : [`text|${problemName(c).toLowerCase()}`];
}

/** The conditions of a chart by where they are shown. */
export interface ProblemLists {
  listed: Condition[];
  concerns: Condition[];
  /** Active diagnoses of visits that no current entry of the list says too, each once, the newest first. */
  ofVisits: Condition[];
  past: Condition[];
  refuted: Condition[];
  /** The other diagnoses of visits. */
  otherVisits: Condition[];
  errors: Condition[];
}

export function problemLists(conditions: readonly Condition[]): ProblemLists {
  const all = newest(conditions, onset);
  const errors = all.filter((c) => standingOf(c) === 'error');
  const refuted = all.filter((c) => standingOf(c) === 'refuted');
  const [current, over] = [all.filter(isCurrent), all.filter((c) => standingOf(c) === 'over')];
  const listed = current.filter(isListed);
  const known = new Set(listed.flatMap(keysOf));
  const ofVisits = current.filter((c) => {
    const keys = keysOf(c);
    if (isListed(c) || keys.some((key) => known.has(key))) return false;
    for (const key of keys) known.add(key);
    return true;
  });
  const shown = new Set([...listed, ...ofVisits]);
  return {
    listed: listed.filter((c) => !isConcern(c)),
    concerns: listed.filter(isConcern),
    ofVisits,
    past: over.filter(isListed),
    refuted,
    otherVisits: [...current.filter((c) => !shown.has(c)), ...over.filter((c) => !isListed(c))],
    errors,
  };
}

const atAge = (age: Quantity): string => t('at age {age}', { age: quantity(age) ?? '' });

function item(c: Condition): Row {
  const standing = standingOf(c);
  const over = c.abatementDateTime
    ? shortDate(c.abatementDateTime)
    : (c.abatementString ?? (c.abatementAge ? atAge(c.abatementAge) : undefined));
  const began =
    c.onsetString ??
    (c.onsetAge
      ? atAge(c.onsetAge)
      : c.onsetDateTime
        ? undefined
        : c.recordedDate
          ? t('unknown; recorded {date}', { date: shortDate(c.recordedDate) })
          : undefined);
  return {
    resource: c,
    when: onset(c),
    title: problemName(c),
    status: standing === 'error' ? 'entered-in-error' : conditionStatus(c).join(', ') || undefined,
    tone: standing === 'error' ? 'error' : standing === 'standing' ? 'plain' : 'quiet',
    details: [
      labelled(t('Began'), began),
      labelled(t('Ended'), over),
      labelled(t('Severity'), concept(c.severity)),
      labelled(t('Stage'), (c.stage ?? []).flatMap(({ summary }) => concept(summary) ?? []).join(', ')),
      labelled(t('Site'), concepts(c.bodySite)),
      labelled(t('Said by'), reference(c.asserter)),
      labelled(t('Recorded by'), reference(c.recorder)),
      ...(c.note ?? []).map(({ text }) => text),
    ],
  };
}

/** The words of the heading: what is counted, and what stands beside it. */
function countWords(current: number, ofVisits: number): string {
  const words = current === 1 ? t('current#one problem') : t('current#problems');
  return ofVisits === 0
    ? words
    : t('{words}, {n} active diagnosis of a visit|{words}, {n} active diagnoses of visits', { words, n: ofVisits });
}

export const problems: Section = {
  id: 'problems',
  title: 'Problems and health concerns',
  queries: [PROBLEMS],
  nothing: 'No data: no condition is recorded in this chart.',
  show([found], context) {
    const { records, absences } = withoutAbsences(ofType('Condition', found?.matches), ({ code }) => code);
    const { listed, concerns, ofVisits, past, refuted, otherVisits, errors } = problemLists(records);
    const current = listed.length + concerns.length;
    const group = (title: string, list: Condition[]): unknown =>
      list.length ? html`<h3>${title}</h3>${rows(list.map(item), context)}` : nothing;
    const [recent, further] = [ofVisits.slice(0, MOST_OF_VISITS), ofVisits.slice(MOST_OF_VISITS)];
    const many = (title: string, list: Condition[]): unknown =>
      list.length ? foldedMany(title, () => rows(list.map(item), context)) : nothing;
    return {
      count: current,
      of: countWords(current, ofVisits.length),
      ...(current === 0 && ofVisits.length > 0
        ? { brief: t('{n} of a visit|{n} of visits', { n: ofVisits.length }) }
        : {}),
      none: current === 0 && absences.length === 0 ? 'No current problem is on the list.' : undefined,
      body: html`
        ${absenceViews(absences, current + ofVisits.length > 0, context)}
        ${concerns.length ? group(t('Problems'), listed) : rows(listed.map(item), context)}
        ${group(t('Health concerns'), concerns)}
        ${group(
          t('{n} active diagnosis of a visit, not on the list|{n} active diagnoses of visits, not on the list', {
            n: ofVisits.length,
          }),
          recent,
        )}
        ${many(t('{n} further active diagnosis|{n} further active diagnoses', { n: further.length }), further)}
        ${many(t('{n} past problem|{n} past problems', { n: past.length }), past)}
        ${
          refuted.length
            ? folded(
                t('{n} refuted condition|{n} refuted conditions', { n: refuted.length }),
                rows(refuted.map(item), context),
              )
            : nothing
        }
        ${many(
          t('{n} other diagnosis of a visit|{n} other diagnoses of visits', { n: otherVisits.length }),
          otherVisits,
        )}
        ${errorsFolded(errors.map(item), context)}`,
    };
  },
};
