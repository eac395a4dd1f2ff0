//! Immunizations: what was given, and what was not, with the reason.

import { html, nothing } from 'lit-html';
import { newest } from '../fhir/date.ts';
import { concept, isEnteredInError, references } from '../fhir/text.ts';
import type { Immunization } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { folded, labelled, type Row, rows } from './row.ts';
import type { Section } from './section.ts';

const when = (i: Immunization): string | undefined => i.occurrenceDateTime;

const reported = (origin: string | undefined): string =>
  origin ? t('Reported: {origin}', { origin }) : t('Reported, not seen');

const item = (i: Immunization): Row => ({
  resource: i,
  when: when(i),
  title: concept(i.vaccineCode) ?? t('Vaccine not named'),
  status: i.status === 'not-done' ? t('not given') : i.status === 'completed' ? undefined : i.status,
  tone: isEnteredInError(i) ? 'error' : i.status === 'not-done' ? 'alert' : 'plain',
  details: [
    i.occurrenceString,
    i.status === 'not-done' ? labelled(t('Why'), concept(i.statusReason) ?? t('no reason is recorded')) : undefined,
    labelled(t('Dose'), i.protocolApplied?.map((p) => p.doseNumberPositiveInt ?? p.doseNumberString).join(', ')),
    labelled(t('Site'), concept(i.site)),
    labelled(t('Lot'), i.lotNumber),
    labelled(t('Given by'), references((i.performer ?? []).flatMap(({ actor }) => actor ?? []))),
    i.primarySource === false ? reported(concept(i.reportOrigin)) : undefined,
    ...(i.note ?? []).map(({ text }) => text),
  ],
});

export const immunizations: Section = {
  id: 'immunizations',
  title: 'Immunizations',
  queries: ['Immunization?patient={patient}&_count=200'],
  nothing: 'No data: no immunization is recorded in this chart.',
  show([found], context) {
    const all = newest(ofType('Immunization', found?.matches), when);
    const errors = all.filter(isEnteredInError);
    const [given, not] = [
      all.filter((i) => !errors.includes(i) && i.status !== 'not-done'),
      all.filter((i) => i.status === 'not-done'),
    ];
    const words = given.length === 1 ? t('given#one immunization') : t('given#immunizations');
    return {
      count: given.length,
      of: not.length ? t('{given}, {n} not given', { given: words, n: not.length }) : words,
      body: html`${rows([...not, ...given].map(item), context)}
        ${
          errors.length
            ? folded(
                t('{n} entry made in error|{n} entries made in error', { n: errors.length }),
                rows(errors.map(item), context),
              )
            : nothing
        }`,
    };
  },
};
