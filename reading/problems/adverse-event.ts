//! Adverse events (<https://hl7.org/fhir/R4/adverseevent.html>): the actual or potential event, its seriousness, and
//! its suspected causes. Elements of R5 are read too, and elements that are not understood are ignored.

import { containedIn } from '../fhir/contained.ts';
import { firstText, firstWritten, textAt, valuesAt } from '../fhir/element-text.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { isOfType, type Resource, resourceShape } from '../fhir/types.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { medication } from '../medications/medication.ts';
import { own } from '../own.ts';
import { isShaped } from '../shape.ts';

/** Returns the name of the event; `undefined` if the record does not name it. */
export const eventName = (words: Words, event: Resource): string | undefined =>
  firstText(words, event, ['event', 'code', 'category']);

/** Returns the date of the event, or else the date on which it was detected or recorded. */
export const eventDate = (event: Resource): string | undefined =>
  firstWritten(event, ['date', 'occurrenceDateTime', 'occurrencePeriod.start', 'detected', 'recordedDate']);

/** Returns all codes and words of an element. */
const saidAt = (event: Resource, ...names: string[]): string[] =>
  names
    .flatMap((name) => [name, `${name}.text`, `${name}.coding.code`, `${name}.coding.display`])
    .flatMap((path) => valuesAt(event, path))
    .flatMap((value) => (typeof value === 'string' ? value.trim().toLowerCase() : []));

/** Returns whether an event is only potential, such as a near miss. */
export const isPotential = (event: Resource): boolean => saidAt(event, 'actuality').includes('potential');

/** Returns whether an event is recorded as serious or fatal, or as severe if its seriousness is not recorded. */
function isSerious(event: Resource): boolean {
  const seriousness = saidAt(event, 'seriousness');
  if (seriousness.some((said) => /^(?:serious|life.?threatening)/.test(said))) return true;
  if (saidAt(event, 'outcome').some((said) => /^(?:fatal|death|died)/.test(said))) return true;
  return seriousness.length === 0 && saidAt(event, 'severity').some((said) => /^(?:severe|life|fatal)/.test(said));
}

/** Returns whether an event must be shown prominently: it is serious, it happened, and it was not entered in error. */
export const isGrave = (event: Resource): boolean =>
  isSerious(event) && !isPotential(event) && !isEnteredInError(event);

/** The codes of seriousness of R4, in lower case. */
const SERIOUSNESS: Readonly<Record<string, PlainMessage>> = {
  'non-serious': 'not serious#event',
  serious: 'serious#event',
  seriousresultsindeath: 'serious: it led to death',
  seriousislifethreatening: 'serious: a danger to life',
  seriousresultsinhospitalization: 'serious: it led to a stay in hospital',
  seriousresultsindisability: 'serious: it led to a disability',
  seriousisbirthdefect: 'serious: a birth defect',
  seriousrequirespreventimpairment: 'serious: treated to prevent lasting harm',
};
const OUTCOMES: Readonly<Record<string, PlainMessage>> = {
  resolved: 'resolved#event',
  recovering: 'recovering#event',
  ongoing: 'ongoing#event',
  resolvedwithsequelae: 'resolved with sequelae#event',
  fatal: 'fatal#event',
};

/** Returns an element in the words of its code, or in its own words. */
function inWords(
  words: Words,
  event: Resource,
  name: string,
  text: Readonly<Record<string, PlainMessage>>,
): string | undefined {
  const known = saidAt(event, name)
    .map((code) => own(text, code))
    .find((one) => one !== undefined);
  return known ? words.t(known) : textAt(words, event, name);
}

export const seriousnessText = (words: Words, event: Resource): string | undefined =>
  inWords(words, event, 'seriousness', SERIOUSNESS);
export const severityText = (words: Words, event: Resource): string | undefined => textAt(words, event, 'severity');
export const outcomeText = (words: Words, event: Resource): string | undefined =>
  inWords(words, event, 'outcome', OUTCOMES);

/** The elements that name the records and substances that may be suspected. */
const NAMES = ['medicationCodeableConcept', 'vaccineCode', 'code', 'type', 'deviceName.name', 'description'];

/** Returns the name of a suspected cause: the name of the referenced record, if it is available. */
function instanceName(
  words: Words,
  event: Resource,
  instance: unknown,
  others: readonly Resource[],
): string | undefined {
  const said = textAt(words, { instance }, 'instance');
  const [address] = valuesAt(instance, 'reference');
  if (valuesAt(instance, 'display').length > 0 || typeof address !== 'string') return said;
  const inside = containedIn(event, address);
  const wanted = referredAddress(address);
  const found = inside ?? others.find((one) => recordAddress(one) === wanted);
  if (!found) return said;
  return firstText(words, found, NAMES) ?? medicationName(words, found, others) ?? said;
}

/** Returns the name of a medication from a record that refers to it. */
function medicationName(words: Words, found: unknown, others: readonly Resource[]): string | undefined {
  if (!isShaped(resourceShape, found)) return undefined;
  if (isOfType('MedicationRequest', found) || isOfType('MedicationStatement', found))
    return medication(words, found, others);
  return isOfType('MedicationAdministration', found) || isOfType('MedicationDispense', found)
    ? medication(words, found, others)
    : undefined;
}

/** Returns the suspected causes, each with its probability and relation. `others`: records to which it may refer. */
export const suspectedCauses = (words: Words, event: Resource, others: readonly Resource[]): string[] =>
  valuesAt(event, 'suspectEntity').flatMap((entity) => {
    const instances = ['instance', 'instanceReference', 'instanceCodeableConcept'].flatMap((name) =>
      valuesAt(entity, name),
    );
    const names = instances.flatMap((instance) => instanceName(words, event, instance, others) ?? []);
    const said = [
      firstText(words, entity, ['causality.assessment', 'causality.assessmentMethod']),
      textAt(words, entity, 'causality.productRelatedness', 'causality.entityRelatedness'),
    ].filter(Boolean);
    return names.map((name) => (said.length > 0 ? `${name} (${said.join(', ')})` : name));
  });
