//! Procedures, implanted devices, and other devices.

import { html } from 'lit-html';
import { nameBesideAbsence, withoutAbsences } from '#reading/fhir/absence.ts';
import { unnamed } from '#reading/fhir/absent-words.ts';
import { isModified, statusCaution } from '#reading/fhir/certainty.ts';
import { newest, procedureDate, shortDate } from '#reading/fhir/date.ts';
import { ageText, textAt, valuesAt } from '#reading/fhir/element-text.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import { siteText } from '#reading/fhir/site.ts';
import { concept, concepts, reference, references } from '#reading/fhir/text.ts';
import { ofType, type Procedure } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import { type DeviceEntry, devicesOf } from '#reading/records/devices.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { reasons } from '#reading/records/reasons.ts';
import { t, words } from '../../language/message.ts';
import { recordButton } from '../record/record-link.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, foldedRows, labelled, newestRows, type Row, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { absenceViews } from '../section/statement.ts';

const performersOf = ({ performer }: Procedure): string =>
  (performer ?? [])
    .map((one) => joined(reference(words(), one.actor), textAt(words(), one, 'function')))
    .filter(Boolean)
    .join('; ');

/** Returns the devices of a procedure, each with what was done to it. */
const devicesIn = (p: Procedure): string =>
  valuesAt(p, 'focalDevice')
    .flatMap((one) => joinedBy(': ', textAt(words(), one, 'manipulated'), textAt(words(), one, 'action')))
    .join('; ');

/** Returns the time of a procedure, if it is an age or words instead of a date. */
const performedText = (p: Procedure): string | undefined =>
  p.performedString ?? ageText(words(), p.performedAge, p.performedRange);

/** Returns whether a procedure goes on, was stopped, or had a complication. */
const isNotable = ({ status = '', complication, complicationDetail }: Procedure): boolean =>
  ['in-progress', 'on-hold', 'stopped'].includes(status) || Boolean(complication?.length || complicationDetail?.length);

/** Returns the words of the heading: what is counted, and how many procedures are planned or not done. */
function countWords(notDone: number, planned: number): string {
  const all = planned > 0 ? t('done, {n} planned', { n: planned }) : '';
  if (notDone === 0) return all;
  return all ? t('{words}, {n} not done', { words: all, n: notDone }) : t('done, {n} not done', { n: notDone });
}

/** The search for the uses of devices, which stand at the devices. */
const USES = searchOf('DeviceUseStatement');
export const PROCEDURES = 'Procedure?patient={patient}&_count=200';

export const procedures: Section = {
  id: 'procedures',
  title: 'Procedures and devices',
  queries: [PROCEDURES, 'Device?patient={patient}&_count=200'],
  sharedRecords: { queries: [USES], wanted: (records) => [...records] },
  nothing: 'No data: no procedure is recorded in this chart.',
  show([found, devices, uses], store) {
    const said = withoutAbsences(words(), ofType('Procedure', found?.matches), ({ code }) => code);
    const all = newest(said.records, procedureDate);
    const { valid, errors } = byValidity(all);
    const notDone = valid.filter(({ status }) => status === 'not-done');
    const planned = valid.filter(({ status }) => status === 'preparation');
    const done = valid.filter((p) => !notDone.includes(p) && !planned.includes(p));
    const item = (p: Procedure): Row => {
      const isNotDone = p.status === 'not-done';
      return {
        resource: p,
        when: procedureDate(p),
        title: nameBesideAbsence(words(), p.code) ?? unnamed(words(), t('Procedure not named'), p.code),
        status: statusCaution(words(), p),
        tone: isNotDone ? 'alert' : 'plain',
        details: [
          labelled('Done', performedText(p)),
          labelled('Site', siteText(words(), p, store.find)),
          labelled('For', reasons(words(), p, store)),
          labelled('By', performersOf(p)),
          labelled('At', reference(words(), p.location)),
          labelled('Outcome', concept(words(), p.outcome)),
          labelled('Device', devicesIn(p)),
          labelled(
            'Complication',
            joined(concepts(words(), p.complication), references(words(), p.complicationDetail)),
          ),
          labelled('Report', references(words(), p.report)),
          labelled('Follow-up', concepts(words(), p.followUp)),
          labelled('Why not', concept(words(), p.statusReason) ?? (isNotDone ? t('no reason is recorded') : undefined)),
          ...(p.note ?? []).map(({ text }) => text),
        ],
      };
    };
    const folding = { name: t('Procedures'), stays: (p: Procedure) => !done.includes(p) || isNotable(p) };
    const own = withoutAbsences(words(), ofType('Device', devices?.matches), ({ type }) => type);
    const held = devicesOf(words(), own.records, uses?.matches ?? [], all, store);
    const device = ({ record, device: d, title, when, state, facts }: DeviceEntry): Row => ({
      resource: record,
      when,
      title,
      status: d?.status === 'active' ? undefined : d?.status,
      tone: state === 'error' ? 'error' : state === 'past' ? 'quiet' : 'plain',
      details: [
        ...facts.map(({ of, says }) => recordButton(store, of, says)),
        d && meaningOf(words(), d).value,
        joined(d?.manufacturer, d?.serialNumber ? t('serial {number}', { number: d.serialNumber }) : ''),
        when === d?.manufactureDate ? undefined : labelled('Made', d && shortDate(words(), d.manufactureDate)),
        concepts(words(), d?.safety),
      ],
    });
    const of = (state: DeviceEntry['state']): DeviceEntry[] => held.filter((one) => one.state === state);
    const current = of('current');
    const [implants, others] = [current.filter((one) => one.isImplant), current.filter((one) => !one.isImplant)];
    const devicesHeld = current.filter(({ record }) => !isModified(record)).length;
    return {
      ...counted(done, [
        { n: devicesHeld, says: '{n} device|{n} devices' },
        { n: planned.length, says: '{n} planned|{n} planned' },
        { n: notDone.length, says: '{n} not done|{n} not done' },
      ]),
      ...(valid.length > done.length ? { of: countWords(notDone.length, planned.length) } : {}),
      none: all.length === 0 && said.absences.length === 0 ? 'No procedure is recorded in this chart.' : undefined,
      body: html`${absenceViews(said.absences, done.length > 0, store)}${absenceViews(
        own.absences,
        own.records.length > 0,
        store,
      )}${newestRows(valid, item, folding, store)}
        ${titledRows('Implanted devices', implants, device, store)}
        ${titledRows('Devices', others, device, store)}
        ${titledRows('Devices that are to be used', of('planned'), device, store)}
        ${foldedRows('{n} past device|{n} past devices', of('past'), device, store)}
        ${errorsFolded([...errors.map(item), ...of('error').map(device)], (row) => row, store)}`,
    };
  },
};
