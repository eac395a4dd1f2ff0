//! Warnings above documents that name another person than the patient of the chart: in themselves, or in their record.

import { html, nothing, type TemplateResult } from 'lit-html';
import { containedIn } from '#reading/fhir/contained.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { referredAddress } from '#reading/fhir/record-address.ts';
import { nameOf } from '#reading/fhir/text.ts';
import { humanNameShape, type Resource } from '#reading/fhir/types.ts';
import { isShaped } from '#reading/shape.ts';
import { type Difference, differenceOf, type NamedPerson, writtenNames } from '../fhir/named-person.ts';
import { t, words } from '../language/message.ts';
import { patientOf } from './patient.ts';
import type { ChartStore } from './store.ts';

/** A person in words: the name and the birth date. */
export const inWords = (name: string | undefined, born: string | undefined): string =>
  [name || t('a patient without a name'), born ? t('born {date}', { date: shortDate(words(), born) }) : '']
    .filter(Boolean)
    .join(', ');

/** Another person than that of the chart, and in what they differ. */
interface Other {
  person: NamedPerson;
  difference: Difference;
}

/** The person of the chart, by all names; nothing where the chart has no Patient. */
function ofChart(store: ChartStore): NamedPerson | undefined {
  const patient = patientOf(store);
  return patient && { names: writtenNames(patient.name), birthDates: patient.birthDate ? [patient.birthDate] : [] };
}

/** The first of some people, where none of them may be that of the chart. */
function otherAmong(people: readonly NamedPerson[], store: ChartStore): Other | undefined {
  const chart = ofChart(store);
  const all = chart ? people.map((person) => ({ person, difference: differenceOf(chart, person) })) : [];
  const [first] = all;
  if (!first?.difference || all.some(({ difference }) => difference === undefined)) return undefined;
  return { person: first.person, difference: first.difference };
}

const warning = (title: string, says: string): TemplateResult =>
  html`<div class="statement" data-tone="alert" role="note"><span class="mark" aria-hidden="true">▲</span><span>
    <strong>${title}</strong> ${says} ${t('Find out whose it is before you use it.')}</span></div>`;

/** The warning above a document that names other people than that of the chart; nothing where it may be theirs. */
export function otherPersonNote(people: readonly NamedPerson[], store: ChartStore): TemplateResult | typeof nothing {
  const other = otherAmong(people, store);
  const patient = patientOf(store);
  if (!other || !patient) return nothing;
  const { person, difference } = other;
  return warning(
    difference.name
      ? t('This document names another person than this chart.')
      : t('This document gives another birth date than this chart.'),
    t('It names {named}; this chart is that of {patient}.', {
      named: inWords(person.names[0], person.birthDates[0]),
      patient: inWords(nameOf(patient.name), patient.birthDate),
    }),
  );
}

/** Returns whether words beside a reference are a name: two or more with capital letters, such as `Ada Lovelace`. */
const isName = (words: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]*(?:[ ,]+\p{Lu}[\p{L}'’.-]*)+$/u.test(words) &&
  !/patient|pacient|unknown|anonym|self|test/i.test(words);

/** The person whom a reference of a record names, as far as it says more than an id. */
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

/** The people whom the record of a document names as those whom it is about. */
const subjectsOf = (record: Resource): NamedPerson[] =>
  [...valuesAt(record, 'subject'), ...valuesAt(record, 'context.sourcePatientInfo')].flatMap(
    (to) => personBehind(record, to) ?? [],
  );

/** Another `Patient/id` than that of the chart, which a server has sent all the same. */
function otherAddress(record: Resource, { source, patient }: ChartStore): string | undefined {
  if (source.name !== 'session') return undefined;
  return valuesAt(record, 'subject.reference')
    .map((one) => (typeof one === 'string' ? referredAddress(one) : ''))
    .find((address) => /^Patient\/./.test(address) && address !== `Patient/${patient}`);
}

/** Another person whom the record of a document names. */
const otherSubject = (record: Resource, store: ChartStore): NamedPerson | undefined =>
  subjectsOf(record).find((person) => otherAmong([person], store) !== undefined);

/** Returns whether the record of a document names another person than that of the chart. */
export const isOfOther = (record: Resource, store: ChartStore): boolean =>
  otherAddress(record, store) !== undefined || otherSubject(record, store) !== undefined;

/** The warning above a document whose record names another person; nothing where it may be that of the chart. */
export function otherSubjectNote(record: Resource, store: ChartStore): TemplateResult | typeof nothing {
  const address = otherAddress(record, store);
  if (address !== undefined)
    return warning(
      t('This document names another person than this chart.'),
      t('It names {named}; this chart is that of {patient}.', {
        named: address,
        patient: inWords(nameOf(patientOf(store)?.name), patientOf(store)?.birthDate),
      }),
    );
  const other = otherSubject(record, store);
  return other ? otherPersonNote([other], store) : nothing;
}
