//! Problems, health concerns, and the diagnoses of visits. Problems that are in remission, unconfirmed or of an unknown
//! status are among the current problems, with their status. An active diagnosis of a visit is shown beside them
//! unless the problem list has it too.

import { html, nothing } from 'lit-html';
import { withoutAbsences } from '#reading/fhir/absence.ts';
import { conditionStatus, standingOf } from '#reading/fhir/certainty.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { siteText } from '#reading/fhir/site.ts';
import { concept, reference } from '#reading/fhir/text.ts';
import { type Condition, ofType } from '#reading/fhir/types.ts';
import { onset, problemLists, problemName } from '#reading/problems/problem.ts';
import { began, ended, endLabel, problemCount } from '#reading/problems/problem-words.ts';
import { t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, foldedMany, foldedRows, labelled, type Row, rowsOf, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { absenceViews } from '../section/statement.ts';

export const PROBLEMS = 'Condition?patient={patient}&_count=200';

/** The most diagnoses of visits that are shown at once. */
const MAX_OF_VISITS = 12;

function item(c: Condition, store: ChartStore): Row {
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
        'Onset',
        isUnknown ? t('unknown; recorded {date}', { date }) : c.onsetDateTime ? undefined : began(words(), c),
      ),
      labelled(endLabel(c, Date.now()), ended(words(), c)),
      labelled('Severity', concept(words(), c.severity)),
      labelled('Stage', (c.stage ?? []).flatMap(({ summary }) => concept(words(), summary) ?? []).join(', ')),
      labelled('Site', siteText(words(), c, store.find)),
      labelled('Said by', reference(words(), c.asserter)),
      labelled('Recorded by', reference(words(), c.recorder)),
      ...(c.note ?? []).map(({ text }) => text),
    ],
  };
}

export const problems: Section = {
  id: 'problems',
  title: 'Problems and health concerns',
  queries: [PROBLEMS],
  nothing: 'No data: no condition is recorded in this chart.',
  show([found], store) {
    const { records, absences } = withoutAbsences(words(), ofType('Condition', found?.matches), ({ code }) => code);
    const { listed, concerns, ofVisits, past, refuted, otherVisits, errors } = problemLists(records);
    const current = listed.length + concerns.length;
    const [recent, further] = [ofVisits.slice(0, MAX_OF_VISITS), ofVisits.slice(MAX_OF_VISITS)];
    const over = { n: past.length + otherVisits.length, says: '{n} past|{n} past' } as const;
    return {
      ...counted([...listed, ...concerns, ...ofVisits], [over]),
      of: problemCount(words(), current + ofVisits.length, ofVisits.length),
      none: current === 0 && absences.length === 0 ? 'No current problem is on the list.' : undefined,
      body: html`
        ${absenceViews(absences, current + ofVisits.length > 0, store)}
        ${concerns.length ? titledRows('Problems', listed, item, store) : rowsOf(listed, item, store)}
        ${titledRows('Health concerns', concerns, item, store)}
        ${
          recent.length > 0
            ? html`<h3>${t(
                '{n} active diagnosis of a visit, not on the list|{n} active diagnoses of visits, not on the list',
                { n: ofVisits.length },
              )}</h3>${rowsOf(recent, item, store)}`
            : nothing
        }
        ${foldedMany('{n} further active diagnosis|{n} further active diagnoses', further, item, store)}
        ${foldedMany('{n} past problem|{n} past problems', past, item, store)}
        ${foldedRows('{n} refuted condition|{n} refuted conditions', refuted, item, store)}
        ${foldedMany('{n} other diagnosis of a visit|{n} other diagnoses of visits', otherVisits, item, store)}
        ${errorsFolded(errors, item, store)}`,
    };
  },
};
