//! Immunizations: those that were given, and those that were not, with the reason.

import { html, nothing } from 'lit-html';
import { doseAmount, doseNumber } from '#reading/care/immunization-dose.ts';
import { nameBesideAbsence, withoutAbsences } from '#reading/fhir/absence.ts';
import { unnamed } from '#reading/fhir/absent-words.ts';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import { concept, concepts, isEnteredInError, performers, reference } from '#reading/fhir/text.ts';
import { type Immunization, ofType } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { t, words } from '../../language/message.ts';
import { otherRow } from '../other-records.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, labelled, newestRows, type Row, rowsOf, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { absenceViews } from '../section/statement.ts';

const when = (i: Immunization): string | undefined => i.occurrenceDateTime;

const reported = (origin: string | undefined): string =>
  origin ? t('Reported: {origin}', { origin }) : t('Reported, not seen');

const reactionsOf = ({ reaction }: Immunization): string =>
  (reaction ?? [])
    .map(({ date, detail }) => joined(date && shortDate(words(), date), reference(words(), detail)))
    .join('; ');

const item = (i: Immunization): Row => ({
  resource: i,
  when: when(i),
  title: nameBesideAbsence(words(), i.vaccineCode) ?? unnamed(words(), t('Vaccine not named'), i.vaccineCode),
  status: i.status === 'not-done' ? 'not given' : i.status === 'completed' ? undefined : i.status,
  tone: isEnteredInError(i) ? 'error' : i.status === 'not-done' ? 'alert' : 'plain',
  details: [
    i.occurrenceString,
    i.status === 'not-done'
      ? labelled('Reason', concept(words(), i.statusReason) ?? t('no reason is recorded'))
      : undefined,
    labelled('Dose', doseNumber(words(), i)),
    labelled('Amount', doseAmount(words(), i)),
    i.isSubpotent ? t('Subpotent: it may not protect.') : undefined,
    labelled('Why it may not protect', concepts(words(), i.subpotentReason)),
    labelled('Route', concept(words(), i.route)),
    labelled('Site', concept(words(), i.site)),
    labelled('Lot', i.lotNumber),
    labelled('Given by', performers(words(), i.performer)),
    labelled('Reaction', reactionsOf(i)),
    i.primarySource === false ? reported(concept(words(), i.reportOrigin)) : undefined,
    ...(i.note ?? []).map(({ text }) => text),
  ],
});

/** Returns whether a dose is shown however old it is: it had a reaction, or may not protect. */
const stays = ({ reaction, isSubpotent }: Immunization): boolean => Boolean(reaction?.length || isSubpotent);

const NOTHING = 'No data: no immunization is recorded in this chart.';

/** The search for what is recommended. The records are among the other records too. */
export const RECOMMENDATIONS = searchOf('ImmunizationRecommendation');

export const immunizations: Section = {
  id: 'immunizations',
  title: 'Immunizations',
  queries: ['Immunization?patient={patient}&_count=200'],
  sharedRecords: { queries: [RECOMMENDATIONS], wanted: (records) => [...records] },
  nothing: NOTHING,
  show([found, recommended], store) {
    const advice = recommended?.matches ?? [];
    const said = withoutAbsences(words(), ofType('Immunization', found?.matches), ({ vaccineCode }) => vaccineCode);
    const all = newest(said.records, when);
    const errors = all.filter(isEnteredInError);
    const [given, not] = [
      all.filter((i) => !errors.includes(i) && i.status !== 'not-done'),
      all.filter((i) => i.status === 'not-done'),
    ];
    const text = given.length === 1 ? t('given#one immunization') : t('given#immunizations');
    return {
      ...counted(given, [{ n: not.length, says: '{n} not given|{n} not given' }]),
      of: not.length ? t('{given}, {n} not given', { given: text, n: not.length }) : text,
      none: all.length === 0 && said.absences.length === 0 ? NOTHING : undefined,
      body: html`${absenceViews(said.absences, given.length > 0, store)}${
        not.length > 0 ? rowsOf(not, item, store) : nothing
      }${newestRows(given, item, { name: t('Immunizations'), stays }, store)}${titledRows(
        'Recommended immunizations',
        advice,
        (one) => otherRow(one),
        store,
      )}${errorsFolded(errors, item, store)}`,
    };
  },
};
