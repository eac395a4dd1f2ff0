//! Immunizations: what was given, and what was not, with the reason.

import { html, nothing } from 'lit-html';
import { newest } from '../fhir/date.ts';
import { concept, isEnteredInError, plural, references } from '../fhir/text.ts';
import type { Immunization } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { folded, labelled, type Row, rows } from './row.ts';
import type { Section } from './section.ts';

const when = (i: Immunization): string | undefined => i.occurrenceDateTime;

const item = (i: Immunization): Row => ({
  resource: i,
  when: when(i),
  title: concept(i.vaccineCode) ?? 'Vaccine not named',
  status: i.status === 'not-done' ? 'not given' : i.status === 'completed' ? undefined : i.status,
  tone: isEnteredInError(i) ? 'error' : i.status === 'not-done' ? 'alert' : 'plain',
  details: [
    i.occurrenceString,
    i.status === 'not-done' ? labelled('Why', concept(i.statusReason) ?? 'no reason is recorded') : undefined,
    labelled('Dose', i.protocolApplied?.map((p) => p.doseNumberPositiveInt ?? p.doseNumberString).join(', ')),
    labelled('Site', concept(i.site)),
    labelled('Lot', i.lotNumber),
    labelled('Given by', references((i.performer ?? []).flatMap(({ actor }) => actor ?? []))),
    i.primarySource === false
      ? `Reported${concept(i.reportOrigin) ? `: ${concept(i.reportOrigin)}` : ', not seen'}`
      : undefined,
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
    return {
      count: given.length,
      of: not.length ? `given, ${not.length} not given` : 'given',
      body: html`${rows([...not, ...given].map(item), context)}
        ${
          errors.length
            ? folded(
                plural(errors.length, 'entry made in error', 'entries made in error'),
                rows(errors.map(item), context),
              )
            : nothing
        }`,
    };
  },
};
