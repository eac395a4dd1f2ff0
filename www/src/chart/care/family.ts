//! Family history: relatives with their conditions.

import { html } from 'lit-html';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { newest, period, shortDate } from '#reading/fhir/date.ts';
import { valueText } from '#reading/fhir/element-text.ts';
import { capital, concept, quantity } from '#reading/fhir/text.ts';
import { type FamilyMemberHistory, ofType } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { deceasedText, familyEvents } from '#reading/people/family.ts';
import { reasons } from '#reading/records/reasons.ts';
import { t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, labelled, type Row, rowsOf } from '../section/row.ts';
import type { Section } from '../section/section.ts';

const relativeOf = ({ relationship, name, sex }: FamilyMemberHistory): string =>
  joined(capital(concept(words(), relationship) ?? concept(words(), sex) ?? t('Relative not named')), name);

/** Returns what the status says about the history, if it is of note: the health is unknown, or the history partial. */
const statusOf = (of: FamilyMemberHistory): string | undefined =>
  of.status === 'health-unknown' ? t('health not known') : statusCaution(words(), of);

function item(of: FamilyMemberHistory, store: ChartStore): Row {
  const events = familyEvents(words(), of);
  return {
    resource: of,
    when: of.date,
    title: relativeOf(of),
    status: statusOf(of),
    details: [
      ...events,
      events.length === 0 ? t('No condition is recorded of this relative.') : undefined,
      labelled(
        'Born',
        of.bornDate ? shortDate(words(), of.bornDate) : (of.bornString ?? period(words(), of.bornPeriod)),
      ),
      labelled('Age', quantity(words(), of.ageAge) ?? valueText(words(), of.ageRange) ?? of.ageString),
      deceasedText(words(), of),
      labelled('Why not', concept(words(), of.dataAbsentReason)),
      labelled('Why it was asked', reasons(words(), of, store)),
      ...(of.note ?? []).map(({ text }) => text),
    ],
  };
}

export const family: Section = {
  id: 'family',
  title: 'Family history',
  queries: ['FamilyMemberHistory?patient={patient}&_count=200'],
  nothing: 'No data: no history of the family is recorded in this chart.',
  show([found], store) {
    const all = newest(ofType('FamilyMemberHistory', found?.matches), ({ date }) => date);
    const { valid, errors } = byValidity(all);
    return {
      ...counted(valid),
      body: html`${rowsOf(valid, item, store)}${errorsFolded(errors, item, store)}`,
    };
  },
};
