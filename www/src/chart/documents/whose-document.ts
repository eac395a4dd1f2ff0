//! Warnings above documents that name another person than the chart's patient, in their text or in their record.

import { html, nothing, type TemplateResult } from 'lit-html';
import { containedIn } from '#reading/fhir/contained.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { referredAddress } from '#reading/fhir/record-address.ts';
import { nameOf } from '#reading/fhir/text.ts';
import { humanNameShape, type Patient, type Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { isShaped } from '#reading/shape.ts';
import { type Difference, differenceOf, type NamedPerson, writtenNames } from '../../fhir/named-person.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { patientOf } from '../patient.ts';

export const inWords = (name: string | undefined, born: string | undefined): string =>
  joined(name || t('a patient without a name'), born ? t('born {date}', { date: shortDate(words(), born) }) : '');

/** A person other than the patient of the chart, and how the two differ. */
interface Other {
  person: NamedPerson;
  difference: Difference;
}

/** Returns the patient of the chart with all names, or nothing if the chart has no Patient. */
function ofChart(store: ChartStore): NamedPerson | undefined {
  const patient = patientOf(store);
  return patient && { names: writtenNames(patient.name), birthDates: patient.birthDate ? [patient.birthDate] : [] };
}

/** Returns the first of some people if none of them may be the patient of the chart. */
function otherAmong(people: readonly NamedPerson[], store: ChartStore): Other | undefined {
  const chart = ofChart(store);
  const all = chart ? people.map((person) => ({ person, difference: differenceOf(chart, person) })) : [];
  const [first] = all;
  if (!first?.difference || all.some(({ difference }) => difference === undefined)) return undefined;
  return { person: first.person, difference: first.difference };
}

const OTHER_PERSON: PlainMessage = 'This document names another person than this chart.';

function warning(title: PlainMessage, named: string, patient: Patient | undefined): TemplateResult {
  const says = t('It names {named}; this chart is that of {patient}.', {
    named,
    patient: inWords(nameOf(patient?.name), patient?.birthDate),
  });
  return html`<div class="statement" data-tone="alert" role="note"><span class="mark" aria-hidden="true">▲</span><span>
    <strong>${t(title)}</strong> ${says} ${t('Find out whose it is before you use it.')}</span></div>`;
}

/** Draws the warning above a document that names only other people. Draws nothing if the patient may be among them. */
export function otherPersonNote(people: readonly NamedPerson[], store: ChartStore): TemplateResult | typeof nothing {
  const other = otherAmong(people, store);
  if (!other) return nothing;
  const { person, difference } = other;
  return warning(
    difference.name ? OTHER_PERSON : 'This document gives another birth date than this chart.',
    inWords(person.names[0], person.birthDates[0]),
    patientOf(store),
  );
}

/** Returns whether the display of a reference is a name: two or more capitalized words, such as `Ada Lovelace`. */
const isName = (words: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]*(?:[ ,]+\p{Lu}[\p{L}'’.-]*)+$/u.test(words) &&
  !/patient|pacient|unknown|anonym|self|test/i.test(words);

/** Returns the person whom a reference of a record names, or nothing if it only has an id. */
function personBehind(record: Resource, to: unknown): NamedPerson | undefined {
  const [address, display] = ['reference', 'display'].map((name) =>
    valuesAt(to, name).find((one) => typeof one === 'string'),
  );
  const inside = containedIn(record, typeof address === 'string' ? address : undefined);
  const names = writtenNames(valuesAt(inside, 'name').filter((name) => isShaped(humanNameShape, name)));
  const birthDates = valuesAt(inside, 'birthDate').filter((date) => typeof date === 'string');
  const all = [...names, ...(typeof display === 'string' && isName(display) ? [display] : [])];
  return all.length > 0 || birthDates.length > 0 ? { names: all, birthDates } : undefined;
}

/** Returns the people whom the record of a document names as its subject or source patient. */
const subjectsOf = (record: Resource): NamedPerson[] =>
  [...valuesAt(record, 'subject'), ...valuesAt(record, 'context.sourcePatientInfo')].flatMap(
    (to) => personBehind(record, to) ?? [],
  );

/** Returns the subject's `Patient/id` if a server has sent the record of another patient. */
function otherAddress(record: Resource, { source, patient }: ChartStore): string | undefined {
  if (source.name !== 'session') return undefined;
  return valuesAt(record, 'subject.reference')
    .map((one) => (typeof one === 'string' ? referredAddress(one) : ''))
    .find((address) => /^Patient\/./.test(address) && address !== `Patient/${patient}`);
}

/** Returns a person other than the patient whom the record of a document names. */
const otherSubject = (record: Resource, store: ChartStore): NamedPerson | undefined =>
  subjectsOf(record).find((person) => otherAmong([person], store) !== undefined);

/** Returns whether the record of a document names another person than the patient of the chart. */
export const isOfOther = (record: Resource, store: ChartStore): boolean =>
  otherAddress(record, store) !== undefined || otherSubject(record, store) !== undefined;

/** Draws the warning above a document whose record names another person than the patient of the chart. */
export function otherSubjectNote(record: Resource, store: ChartStore): TemplateResult | typeof nothing {
  const address = otherAddress(record, store);
  if (address !== undefined) return warning(OTHER_PERSON, address, patientOf(store));
  const other = otherSubject(record, store);
  return other ? otherPersonNote([other], store) : nothing;
}
