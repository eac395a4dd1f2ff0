//! A record as a fact for an assistant: what, how much, when, and in which state. A text of the record that does not
//! read like a plain name is only under `quoted`, with its author.

import { instant } from '../fhir/date.ts';
import { recordAddress } from '../fhir/record-address.ts';
import { clipped, digits } from '../fhir/text.ts';
import { isOfType, type MeasuredValue, type Resource } from '../fhir/types.ts';
import { printedUnitOf } from '../fhir/units.ts';
import { kept } from '../kept.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { recordedDose } from '../medications/medication-dose.ts';
import { meaningOf } from '../records/meaning.ts';
import { markText, notesOf } from '../results/flags/observation-text.ts';
import { isOfOther, tellingTexts } from '../results/names/told-apart.ts';
import { quantityOf } from '../results/values/measured-number.ts';
import { partsWithOxygen } from '../results/values/oxygen.ts';
import { partTexts, reading } from '../results/values/reading.ts';
import { isObject, itemsOf } from '../shape.ts';
import { visible } from '../visible.ts';
import type { ToolCall } from './call.ts';
import { isPersonName, plainRule } from './plain-text.ts';

export interface Fact {
  /** The record and its version: `Observation/a@3`. */
  ref: string;
  url: string;
  /** The name, or the kind of the record if its name is only quoted. */
  what: string;
  /** A number as it was written, or the value in words. */
  value?: string | undefined;
  unit?: string | undefined;
  /** The components, such as the oxygen that was given. */
  parts?: string | undefined;
  /** What tells a result from others of its name: whom it is about, its specimen, site, method and device. */
  apart?: string | undefined;
  /** The date as it was written. */
  when?: string | undefined;
  state?: string | undefined;
  /** The gravest flag, or the mark of a usual range with its source. */
  flag?: string | undefined;
  /** The words without which the record would read like a plain fact. */
  caution?: string | undefined;
  /** That there are notes, where they are not quoted. */
  note?: string | undefined;
  /** Text of the record's authors. */
  quoted?: Readonly<Record<string, string>> | undefined;
}

/** Returns the address of a record with its version. */
export const refOf = (resource: Resource): string =>
  [recordAddress(resource), resource.meta?.versionId].filter(Boolean).join('@');

export function withoutQuoted({ quoted = {}, ...fact }: Fact, name: string): Fact {
  const { [name]: _, ...rest } = quoted;
  return Object.keys(rest).some((other) => other !== 'by') ? { ...fact, quoted: rest } : fact;
}

/** Returns the number of a value as it was written, with its comparator. */
export function numberOf(of: MeasuredValue): string | undefined {
  const quantity = quantityOf(of);
  const number = digits(quantity);
  return number === undefined ? undefined : `${quantity?.comparator ?? ''}${number}`;
}

const isDrug = (
  one: Resource,
): one is Extract<Parameters<typeof recordedDose>[1], Resource> & Record<string, unknown> =>
  isOfType('MedicationRequest', one) ||
  isOfType('MedicationStatement', one) ||
  isOfType('MedicationAdministration', one);

const dosagesOf = ({ dosageInstruction, dosage }: Record<string, unknown>): Record<string, unknown>[] =>
  [...itemsOf(dosageInstruction), ...itemsOf(dosage)].filter(isObject);

/** Returns a record with the coded doses alone, without the text of its authors. */
function withCodedDoses<T extends Resource & Record<string, unknown>>(one: T): T {
  const coded = dosagesOf(one).map((dosage) => ({ ...dosage, text: undefined, patientInstruction: undefined }));
  return { ...one, ...(one.dosage === undefined ? { dosageInstruction: coded } : { dosage: coded }) };
}

/** The states that need no mention, in English. */
const USUAL = ['active', 'active, confirmed', 'final', 'finished', 'current'];

const byAddress = kept((known: readonly Resource[]) => Map.groupBy(known, recordAddress));

/** Returns the records to which a record refers, among others. */
function namedIn(resource: Resource, known: readonly Resource[]): Resource[] {
  const addresses = new Set(JSON.stringify(resource).match(/[A-Z][A-Za-z]+\/[A-Za-z0-9.-]+/g));
  return [...addresses].flatMap((address) => byAddress(known).get(address) ?? []);
}

/** Returns the texts that a rule permits, and the others as quoted. Empty texts are left out. */
export function toldOrQuoted(
  texts: Readonly<Record<string, string | undefined>>,
  isPlain: (text: string, name: string) => boolean,
): Record<string, unknown> {
  const all = Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  const quoted = all.filter(([name, text]) => !isPlain(text, name)).map(([name, text]) => [name, quotedText(text)]);
  const told = Object.fromEntries(all.filter(([name, text]) => isPlain(text, name)));
  return quoted.length > 0 ? { ...told, quoted: Object.fromEntries(quoted) } : told;
}

/** Returns the words that a result is about somebody else, whose name is only quoted. */
export const ofOther = (words: Words): string => words.t('about: {what}', { what: words.t('Unnamed') });

/** Returns a text without the label of the app before it. */
export const withoutLabel = (text: string): string => text.replace(/^[^:]*: /, '');

const PERSONS = ['Patient', 'Practitioner', 'PractitionerRole', 'RelatedPerson'];
const LONGEST = 300;
const quotedText = (text: string): string => clipped(visible(text), LONGEST);

/** Returns the fact of a record. `known` are records to which it may refer. */
export function factOf({ words, base }: ToolCall, resource: Resource, known: Resource[] = []): Fact {
  const meaning = meaningOf(words, resource, known);
  const kind = words.translated(meaning.kind);
  const quoted: Record<string, string> = {};
  const result = isOfType('Observation', resource) ? resource : undefined;
  const apart = tellingTexts(words, resource);
  const isPlain = plainRule([resource, ...namedIn(resource, known), ...apart.map(withoutLabel)]);
  /** Returns a text that reads like a plain name; another one is quoted. */
  const plain = (name: string, text: string | undefined, rule = isPlain): string | undefined => {
    if (text === undefined || rule(text)) return text;
    quoted[name] = quotedText(text);
    return undefined;
  };
  const what = plain('what', meaning.what, PERSONS.includes(resource.resourceType) ? isPersonName : isPlain) ?? kind;
  const number = result && numberOf(result);
  let [value, rule]: [string | undefined, typeof isPlain] = [undefined, isPlain];
  if (result) value = number === undefined ? reading(words, result) : undefined;
  else if (isDrug(resource)) {
    const said = dosagesOf(resource).flatMap(({ text }) => (typeof text === 'string' ? text : []));
    if (said.length > 0) quoted.dose = quotedText(said.join('; '));
    const coded = withCodedDoses(resource);
    [value, rule] = [recordedDose(words, coded), plainRule(dosagesOf(coded))];
  } else value = meaning.value;
  if (isOfType('DiagnosticReport', resource) && value !== undefined) {
    quoted.conclusion = quotedText(value);
    value = undefined;
  }
  const said = number ?? plain('value', value, rule);
  // The words of a value have its components.
  const parts = number === undefined ? [] : partTexts(words, result && partsWithOxygen(result));
  /** Returns labelled texts, if each label and each text reads like a plain name. */
  const labelled = (name: string, texts: readonly string[]): string | undefined =>
    plain(name, texts.join('; ') || undefined, () => texts.every((text) => text.split(': ').every(isPlain)));
  const notes = result ? notesOf(result).join('; ') : '';
  if (notes) quoted.note = quotedText(notes);
  // A date in another form cannot be compared with others.
  if (meaning.when !== undefined && instant(meaning.when) === undefined) quoted.when = quotedText(meaning.when);
  const unit = number === undefined ? '' : printedUnitOf(words, result && quantityOf(result));
  const caution = plain('caution', meaning.caution);
  const english = words === ENGLISH ? meaning : meaningOf(ENGLISH, resource, known);
  const isUsual = USUAL.includes(english.status?.toLowerCase() ?? '') || meaning.status?.toLowerCase() === caution;
  // Members without a value are not in the JSON. The texts come before the name of their author.
  const fact = {
    ref: refOf(resource),
    url: `${base}/${recordAddress(resource)}`,
    what,
    value: said,
    unit: plain('unit', unit || undefined),
    parts: labelled('parts', parts),
    apart: labelled('apart', apart) ?? (result && isOfOther(result) ? ofOther(words) : undefined),
    when: instant(meaning.when) === undefined ? undefined : meaning.when,
    state: isUsual ? undefined : plain('state', meaning.status),
    flag: plain('flag', (result && markText(words, result)) || undefined),
    caution,
  };
  if (Object.keys(quoted).length === 0) return fact;
  return { ...fact, quoted: meaning.who === undefined ? quoted : { ...quoted, by: quotedText(meaning.who) } };
}
