//! Problems, health concerns, and the diagnoses of visits.

import { html, nothing } from 'lit-html';
import { newest, periodDate, shortDate } from '../fhir/date.ts';
import { codeOf, concept, concepts, hasCode, isEnteredInError, plain, quantity, reference } from '../fhir/text.ts';
import type { Condition, Quantity } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { folded, foldedMany, labelled, type Row, rows } from './row.ts';
import type { Section } from './section.ts';

export const onset = (c: Condition): string | undefined =>
  c.onsetDateTime ?? periodDate(c.onsetPeriod) ?? c.recordedDate;
const ACTIVE = ['active', 'recurrence', 'relapse'];
const inCategory = (c: Condition, code: string): boolean =>
  (c.category ?? []).some((category) => hasCode(category, code));

export const PROBLEMS = 'Condition?patient={patient}&_count=200';

/** Returns whether a problem stands: it is not over, not refuted, and not entered in error. */
export const isCurrent = (c: Condition): boolean => {
  const status = codeOf(c.clinicalStatus);
  return (
    !isEnteredInError(c) &&
    (status === undefined || ACTIVE.includes(status)) &&
    !hasCode(c.verificationStatus, 'refuted')
  );
};

/** Returns whether a condition is on a list of its own, and not the diagnosis of one visit. */
export const isListed = (c: Condition): boolean => !inCategory(c, 'encounter-diagnosis');

/** Returns whether a condition is a health concern, and not a problem (US Core). */
export const isConcern = (c: Condition): boolean => inCategory(c, 'health-concern');

export const problemName = (c: Condition): string => concept(c.code) ?? t('Condition not named');

const atAge = (age: Quantity): string => t('at age {age}', { age: quantity(age) ?? '' });

function item(c: Condition): Row {
  const clinical = codeOf(c.clinicalStatus);
  const verification = codeOf(c.verificationStatus);
  const status = [
    clinical === 'active' ? '' : clinical,
    verification && verification !== 'confirmed' ? verification : '',
  ]
    .filter(Boolean)
    .join(', ');
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
    status: isEnteredInError(c) ? 'entered in error' : status || undefined,
    tone: isEnteredInError(c) ? 'error' : clinical && ACTIVE.includes(clinical) ? 'plain' : 'quiet',
    details: [
      labelled(t('Began'), began),
      labelled(t('Ended'), over),
      labelled(t('Severity'), concept(c.severity)),
      labelled(t('Site'), concepts(c.bodySite)),
      labelled(t('Recorded by'), reference(c.recorder)),
      ...(c.note ?? []).map(({ text }) => text),
    ],
  };
}

export const problems: Section = {
  id: 'problems',
  title: 'Problems and health concerns',
  queries: [PROBLEMS],
  nothing: 'No data: no condition is recorded in this chart.',
  show([found], context) {
    const all = newest(ofType('Condition', found?.matches), onset);
    const errors = all.filter(isEnteredInError);
    const valid = all.filter((c) => !errors.includes(c));
    const listed = valid.filter(isListed);
    const [active, past] = [listed.filter(isCurrent), listed.filter((c) => !isCurrent(c))];
    const problemList = active.filter((c) => !isConcern(c));
    const concerns = active.filter(isConcern);
    const visits = valid.filter((c) => !isListed(c));
    const group = (title: string, list: Condition[]): unknown =>
      list.length ? html`<h3>${title}</h3>${rows(list.map(item), context)}` : nothing;
    return {
      count: active.length,
      of: active.length === 1 ? t('current#one problem') : t('current#problems'),
      none: active.length === 0 ? 'No current problem is on the list.' : undefined,
      body: html`
        ${concerns.length ? group(t('Problems'), problemList) : rows(problemList.map(item), context)}
        ${group(t('Health concerns'), concerns)}
        ${
          past.length
            ? foldedMany(t('{n} past problem|{n} past problems', { n: past.length }), () =>
                rows(past.map(item), context),
              )
            : nothing
        }
        ${
          visits.length
            ? foldedMany(t('{n} diagnosis of a visit|{n} diagnoses of visits', { n: visits.length }), () =>
                rows(visits.map(item), context),
              )
            : nothing
        }
        ${
          errors.length
            ? folded(
                t('{n} entry made in error|{n} entries made in error', { n: errors.length }),
                rows(
                  errors.map((c) => ({ ...item(c), status: plain('entered-in-error') })),
                  context,
                ),
              )
            : nothing
        }`,
    };
  },
};
