//! Visits, latest first.

import { html } from 'lit-html';
import { dischargeText } from '#reading/care/discharge.ts';
import { periodDate } from '#reading/fhir/date.ts';
import { references, statusText } from '#reading/fhir/text.ts';
import { type Encounter, ofType, type Reference } from '#reading/fhir/types.ts';
import { reasons } from '#reading/records/reasons.ts';
import { diagnosesOf, isUnderWay, placeAndPeople, visitName, visitsByTime } from '#reading/timeline/visits.ts';
import { t, words } from '../../language/message.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, labelled, newestRows, type Row } from '../section/row.ts';
import type { Section } from '../section/section.ts';

export const VISITS = 'Encounter?patient={patient}&_count=200';

const placesOf = ({ location = [] }: Encounter): Reference[] => location.flatMap(({ location: at }) => at ?? []);

export const visits: Section = {
  id: 'visits',
  title: 'Visits',
  queries: [VISITS],
  nothing: 'No data: no visit is recorded in this chart.',
  show([found], store) {
    const all = visitsByTime(ofType('Encounter', found?.matches));
    const item = (e: Encounter): Row => ({
      resource: e,
      when: periodDate(e.period),
      title: visitName(words(), e),
      status: e.status === 'finished' ? undefined : statusText(words(), e.status),
      details: [
        labelled('For', reasons(words(), e, store)),
        labelled('Diagnoses', diagnosesOf(words(), e, store)),
        placeAndPeople(words(), e),
        references(words(), placesOf(e)),
        labelled('Discharge', dischargeText(words(), e)),
      ],
    });
    const folding = { name: t('Visits'), stays: isUnderWay };
    const { valid, errors } = byValidity(all);
    return {
      ...counted(valid),
      body: html`${newestRows(valid, item, folding, store)}${errorsFolded(errors, item, store)}`,
    };
  },
};
