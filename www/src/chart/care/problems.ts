//! Problems, health concerns, and the diagnoses of visits. Problems that are in remission, unconfirmed or of an unknown
//! status are among the current problems, with their status. An active diagnosis of a visit is shown beside them
//! unless the problem list has it too.

import { html, nothing, type TemplateResult } from 'lit-html';
import { withoutAbsences } from '#reading/fhir/absence.ts';
import { conditionStatus, standingOf } from '#reading/fhir/certainty.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { siteText } from '#reading/fhir/site.ts';
import { concept, reference } from '#reading/fhir/text.ts';
import type { Condition } from '#reading/fhir/types.ts';
import { ofType } from '#reading/fhir/types.ts';
import { onset, problemLists, problemName } from '#reading/problems/problem.ts';
import { began, ended, problemCount } from '#reading/problems/problem-words.ts';
import { t, words } from '../../language/message.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, folded, foldedMany, labelled, type Row, rowsOf } from '../section/row.ts';
import type { Section, SectionContext } from '../section/section.ts';
import { absenceViews } from '../section/statement.ts';

export const PROBLEMS = 'Condition?patient={patient}&_count=200';

/** The most diagnoses of visits that are shown at once. */
const MAX_OF_VISITS = 12;

function item(c: Condition, { store }: SectionContext): Row {
  const standing = standingOf(c);
  const date = shortDate(words(), c.recordedDate);
  const isUnknown = began(words(), c) === undefined && onset(c) === c.recordedDate && date !== '';
  return {
    resource: c,
    when: onset(c),
    title: problemName(words(), c),
    status: standing === 'error' ? 'entered-in-error' : conditionStatus(c).join(', ') || undefined,
    tone: standing === 'error' ? 'error' : standing === 'standing' ? 'plain' : 'quiet',
    details: [
      labelled(
        t('Onset'),
        isUnknown ? t('unknown; recorded {date}', { date }) : c.onsetDateTime ? undefined : began(words(), c),
      ),
      labelled(t('Ended'), ended(words(), c)),
      labelled(t('Severity'), concept(words(), c.severity)),
      labelled(t('Stage'), (c.stage ?? []).flatMap(({ summary }) => concept(words(), summary) ?? []).join(', ')),
      labelled(
        t('Site'),
        siteText(words(), c, (address) => store.find(address)),
      ),
      labelled(t('Said by'), reference(words(), c.asserter)),
      labelled(t('Recorded by'), reference(words(), c.recorder)),
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
    const { records, absences } = withoutAbsences(words(), ofType('Condition', found?.matches), ({ code }) => code);
    const { listed, concerns, ofVisits, past, refuted, otherVisits, errors } = problemLists(records);
    const current = listed.length + concerns.length;
    const listOf = (list: Condition[]): TemplateResult => rowsOf(list, (c) => item(c, context), context);
    const group = (title: string, list: Condition[]): unknown =>
      list.length ? html`<h3>${title}</h3>${listOf(list)}` : nothing;
    const [recent, further] = [ofVisits.slice(0, MAX_OF_VISITS), ofVisits.slice(MAX_OF_VISITS)];
    const many = (title: string, list: Condition[]): unknown =>
      list.length ? foldedMany(title, () => listOf(list)) : nothing;
    return {
      ...counted(
        [...listed, ...concerns, ...ofVisits],
        [
          {
            n: past.length + otherVisits.length,
            says: t('{n} past|{n} past', { n: past.length + otherVisits.length }),
          },
        ],
      ),
      of: problemCount(words(), current + ofVisits.length, ofVisits.length),
      none: current === 0 && absences.length === 0 ? 'No current problem is on the list.' : undefined,
      body: html`
        ${absenceViews(absences, current + ofVisits.length > 0, context)}
        ${concerns.length ? group(t('Problems'), listed) : listOf(listed)}
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
            ? folded(t('{n} refuted condition|{n} refuted conditions', { n: refuted.length }), listOf(refuted))
            : nothing
        }
        ${many(
          t('{n} other diagnosis of a visit|{n} other diagnoses of visits', { n: otherVisits.length }),
          otherVisits,
        )}
        ${errorsFolded(
          errors.map((c) => item(c, context)),
          context,
        )}`,
    };
  },
};
