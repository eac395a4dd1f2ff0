//! The elements that tell results of one name apart: the person or thing that a result is about, its specimen, site,
//! method and device.
//! Results are joined, compared and drawn together only if all of these agree. An element that a result lacks is that
//! of its panel.

import { namesOf } from '../../fhir/concept-codes.ts';
import { containedIn } from '../../fhir/contained.ts';
import { firstWritten, textAt, valuesAt, valueText } from '../../fhir/element-text.ts';
import { factsOf, withFacts } from '../../fhir/facts.ts';
import { textIn } from '../../fhir/loose.ts';
import { recordAddress, referredAddress, typeOf } from '../../fhir/record-address.ts';
import { siteText } from '../../fhir/site.ts';
import { clipped, concept, reference } from '../../fhir/text.ts';
import { isOfType, type Observation, ofType, type Reference, type Resource, referenceShape } from '../../fhir/types.ts';
import { isOfLoinc } from '../../fhir/vital-codes.ts';
import { kept, keptWhile } from '../../kept.ts';
import { ENGLISH, type Words } from '../../language/words.ts';
import { isAdult } from '../../people/age.ts';
import { isShaped, itemsOf } from '../../shape.ts';
import { resultAddress } from '../contained-results.ts';
import { personNamed, personSaid } from './said-in-name.ts';

/** The number of levels of panels that are read. */
const DEPTH = 4;

/** Returns the observation itself and its panels, the nearest first. */
function withPanels(o: Observation): Observation[] {
  const found = [o];
  let panel = factsOf(o).panel?.();
  while (panel && found.length <= DEPTH) {
    found.push(panel);
    panel = factsOf(panel).panel?.();
  }
  return found;
}

/** Returns the first words that the observation or one of its panels has. */
const first = (o: Observation, read: (of: Observation) => string | undefined): string | undefined =>
  withPanels(o).map(read).find(Boolean);

/** The extension with a code for whom a result is about, such as a fetus, and that of the version before R4. */
const FOCUS = /observation-(?:focus-?code|focal-?subject)$/i;

/** Returns whom or what the extensions of an observation say that it is about. */
const focusInExtensions = (o: Observation): unknown[] =>
  valuesAt(o, 'extension')
    .filter((one) => FOCUS.test(firstWritten(one, ['url']) ?? ''))
    .map((one) => ['valueReference', 'valueCodeableConcept', 'valueString'].flatMap((name) => valuesAt(one, name))[0]);

/** Returns whom or what an observation says that it is about, apart from its subject. */
function ownFocus(o: Observation): unknown[] {
  const patient = referredAddress(o.subject?.reference);
  const isPatient = (one: unknown): boolean =>
    isShaped(referenceShape, one) && patient !== '' && referredAddress(one.reference) === patient;
  return [...itemsOf(o.focus), ...focusInExtensions(o)].filter((one) => one && !isPatient(one));
}

/** Names of components with the side or the site that a result is of. */
const SIDE_PART = /^(?:laterality|lateralit[aäé]t?|lateralidad|side|seite|lado|c[oô]t[eé]|body ?site|eye|auge|ojo)$/;

const POSITION_PART = /^body position(?: with respect to gravity)?$/;

/** Returns the words of the components of a result with some names. */
const inParts = (words: Words, { component = [] }: Observation, names: RegExp): string | undefined =>
  component
    .filter(({ code }) => namesOf(code).some((name) => names.test(name)))
    .flatMap(({ valueCodeableConcept: coded, valueString }) => concept(words, coded) ?? valueString ?? [])
    .join(', ') || undefined;

/** Returns whether anything may tell a result apart. Most of thousands have nothing, which is seen at once. */
const mayTell = (o: Observation): boolean =>
  factsOf(o).panel !== undefined ||
  [o.focus, o.specimen, o.bodySite, o.method, o.device].some((one) => one !== undefined) ||
  'extension' in o ||
  [SIDE_PART, POSITION_PART].some((names) => inParts(ENGLISH, o, names) !== undefined) ||
  (o.code !== undefined && ('extension' in o.code || (o.code.coding ?? []).some((one) => 'extension' in one)));

/** Returns whose specimens are that are not of the patient. */
const donorsOf = (specimens: readonly unknown[]): Reference[] =>
  specimens
    .flatMap((one) => (isShaped(referenceShape, one) && factsOf(one).whose) || [])
    .filter(({ reference, display }) => reference || personNamed({ text: display ?? '' }));

/** Returns whether the patient may be the person of a name: a baby if no adult, a mother if neither child nor man. */
function mayBe(person: string, o: Observation): boolean {
  const { birth, sex } = factsOf(o).subject?.() ?? {};
  if ((person === 'mother' && sex === 'male') || (person === 'father' && sex === 'female')) return false;
  const on = firstWritten(o, ['effectiveDateTime', 'effectivePeriod.start', 'effectiveInstant', 'issued']);
  if (person === 'mother' || person === 'father') return !birth || isAdult(birth, on);
  return (person === 'newborn' || person === 'baby') && !isAdult(birth, on);
}

/**
 * Returns whom or what a result is about with the record that has them, its own or those of its panel; without any,
 * whose its specimen is, or else the person whom its words or those of its panel say.
 */
const fociOf = keptWhile(
  (o: Observation) => [factsOf(o).subject?.()],
  (o): { of: Observation; one: unknown }[] => {
    const all = mayTell(o) ? withPanels(o) : [o];
    const of = all.find((one) => itemsOf(one.focus).length > 0 || focusInExtensions(one).length > 0);
    if (of) return ownFocus(of).map((one) => ({ of, one }));
    const [donor] = donorsOf(all.map(({ specimen }) => specimen));
    const person = donor ? undefined : all.map(personSaid).find(Boolean);
    const one = donor ?? (person && !mayBe(person, o) ? person : undefined);
    return one ? [{ of: o, one }] : [];
  },
);

/** Records that are the patient's own. A result about a tumour is hers; one about a donor or a fetus is not. */
const OWN = new Set([
  ...['Condition', 'BodyStructure', 'AllergyIntolerance', 'AdverseEvent', 'Observation', 'DiagnosticReport'],
  ...['Specimen', 'ImagingStudy', 'Media', 'Procedure', 'Immunization', 'Encounter', 'EpisodeOfCare', 'ServiceRequest'],
  ...['CarePlan', 'Goal', 'MedicationRequest', 'MedicationStatement', 'MedicationAdministration'],
]);

/** Returns the type of a focus; empty for one in the record of another person. */
function typeOfFocus(of: Observation, one: unknown): string {
  if (!isShaped(referenceShape, one) || factsOf(one).whose) return '';
  const type = containedIn(of, one.reference)?.resourceType ?? typeOf(referredAddress(one.reference));
  return OWN.has(String(type)) ? String(type) : (one.type ?? '');
}

/** Returns whether a result is about somebody or something that is no part of the patient, or may be none. */
export const isOfOther = (o: Observation): boolean => fociOf(o).some(({ of, one }) => !OWN.has(typeOfFocus(of, one)));

const focusText = (words: Words, one: unknown): string =>
  (isShaped(referenceShape, one) && reference(words, one)) || (valueText(words, one) ?? words.t('Unnamed'));

const aboutThese = (words: Words, foci: readonly unknown[]): string | undefined =>
  foci.length > 0
    ? words.t('about: {what}', { what: [...new Set(foci.map((one) => focusText(words, one)))].join(', ') })
    : undefined;

/** Returns whom or what a result is about, `about: Kidney donor`; `undefined` for a result about the patient. */
export const aboutText = (words: Words, o: Observation): string | undefined =>
  aboutThese(
    words,
    fociOf(o).map(({ one }) => one),
  );

/** Returns words about a result with those on whom or what it is about. */
export function withAbout(words: Words, o: Observation, text: string): string {
  const about = aboutText(words, o);
  return about ? `${text} (${about})` : text;
}

/** Returns the name of a specimen, if wanted, and its condition. The number of one not found does not say its kind. */
function specimenText(words: Words, to: Reference | undefined, hasName: boolean): string | undefined {
  if (!to) return undefined;
  const { name, condition } = factsOf(to);
  return [hasName ? textIn(to.display || name?.(words)) : undefined, condition?.(words)].filter(Boolean).join(', ');
}

export const specimenNotes = (o: Observation): string[] =>
  mayTell(o) ? withPanels(o).flatMap(({ specimen }) => (specimen && factsOf(specimen).notes) ?? []) : [];

/** The extensions with the position of the body, and with the kind of a device in place of a record of it. */
const POSITION = /observation-bodyPosition$/i;
const DEVICE = /observation-deviceCode$/i;

const extensionText = (words: Words, o: Observation, url: RegExp): string | undefined =>
  valuesAt(o, 'extension')
    .filter((one) => url.test(firstWritten(one, ['url']) ?? ''))
    .flatMap((one) => textAt(words, one, 'valueCodeableConcept', 'valueString') ?? [])[0];

/** Returns the site, the method, the position, the device and the specimen of a result, each with its label. */
function labelled(words: Words, o: Observation, hasSpecimen: boolean): string[] {
  if (!mayTell(o)) return [];
  const all = [
    [words.t('Specimen'), first(o, ({ specimen }) => specimenText(words, specimen, hasSpecimen))],
    [words.t('Site'), first(o, (of) => siteText(words, of) ?? inParts(words, of, SIDE_PART))],
    [words.t('Method'), first(o, ({ method }) => concept(words, method))],
    [words.t('Position'), first(o, (of) => extensionText(words, of, POSITION) ?? inParts(words, of, POSITION_PART))],
    [words.t('Device'), first(o, (of) => reference(words, of.device) ?? extensionText(words, of, DEVICE))],
  ] as const;
  return all.flatMap(([label, text]) => (text?.trim() ? `${label}: ${clipped(text)}` : []));
}

/** Returns the specimen, the site, the method and the device of a result, each with its label. */
export const circumstances = (words: Words, o: Observation): string[] => labelled(words, o, true);

/** Returns the circumstances that the name does not say: a LOINC code names the kind of specimen. */
export const beyondName = (words: Words, o: Observation): string[] => labelled(words, o, !isOfLoinc(o.code));

/** Returns all that tells a result from others of its name, in words. */
export const toldApart = (words: Words, o: Observation): string[] =>
  [aboutText(words, o), ...circumstances(words, o)].flatMap((one) => one ?? []);

/** Returns what tells a record apart, in words: of a result all of it, of a report of others whose specimens it has. */
export function tellingTexts(words: Words, one: Resource): string[] {
  if (isOfType('Observation', one)) return toldApart(words, one);
  const donors = isOfType('DiagnosticReport', one) ? donorsOf(valuesAt(one, 'specimen')) : [];
  return [aboutThese(words, donors) ?? []].flat();
}

/** Returns the key of what a result is about: an address or an identifier, or else words. */
function focusKey(one: unknown): string {
  if (!isShaped(referenceShape, one)) return focusText(ENGLISH, one);
  const address = one.reference?.startsWith('#') ? '' : referredAddress(one.reference);
  return address || one.identifier?.value || focusText(ENGLISH, one);
}

/** Returns a text that is equal for results about the same; empty for those about the patient. */
export const aboutKey = (o: Observation): string =>
  (fociOf(o).length > 0 ? fociOf(o).map(({ one }) => one) : [personSaid(o)].filter(Boolean))
    .map((one) => `about: ${focusKey(one)}`)
    .sort()
    .join('; ');

/** Returns a text that is equal for results that may be joined; empty if nothing tells them from others. */
export const apartKey = kept((o: Observation): string => keyText([aboutKey(o), ...circumstances(ENGLISH, o)]));

/** Returns the same text without what the name says. */
export const apartKeyBeyondName = kept((o: Observation): string => keyText([aboutKey(o), ...beyondName(ENGLISH, o)]));

const keyText = (parts: string[]): string =>
  parts
    .filter(Boolean)
    .map((part) => part.toLowerCase().replace(/\s+/g, ' ').trim())
    .join('; ');

/** Returns the panels among some observations by the addresses of their members; first those that say more of them. */
export function panelsByMember(observations: readonly Observation[]): ReadonlyMap<string, Observation> {
  const panels = new Map<string, Observation>();
  for (const o of observations.filter(({ hasMember }) => hasMember !== undefined)) {
    const isTelling = mayTell(o) || personSaid(o) !== undefined;
    for (const { reference: to } of o.hasMember ?? []) {
      const member = referredAddress(to);
      if (member !== recordAddress(o) && (!panels.has(member) || isTelling)) panels.set(member, o);
    }
  }
  return panels;
}

/** Returns the panel of a member whose report says more of it: the report's specimen precedes that of the panel. */
export const panelAfter = (report: Observation | undefined, panel: () => Observation | undefined) => () =>
  report ? withFacts(report, { ...factsOf(report), panel }) : panel();

/** Returns what reports say of their results, as observations: their only specimen, and a person in their name. */
const reportsByResult = (reports: readonly Resource[]): ReadonlyMap<string, Observation> =>
  new Map(
    ofType('DiagnosticReport', reports).flatMap((report) => {
      const { id, code } = report;
      const [specimen, second] = valuesAt(report, 'specimen').filter((one) => isShaped(referenceShape, one));
      const only = second ? undefined : specimen;
      if (!only && !personNamed(code)) return [];
      const made: Observation = {
        resourceType: 'Observation',
        id,
        ...(only && { specimen: only }),
        ...(code && { code }),
      };
      return (report.result ?? []).map(({ reference: to }) => [resultAddress(id, to), made] as const);
    }),
  );

/**
 * Returns records whose observations have what panels and reports of other answers say of them. Those without a
 * specimen have that of their report.
 */
export function withSources(records: readonly Resource[], sources: readonly Resource[]): Resource[] {
  const [panels, reports] = [panelsByMember(ofType('Observation', sources)), reportsByResult(sources)];
  return records.map((one) => {
    if (!isOfType('Observation', one)) return one;
    const [panel, of] = [panels, reports].map((by) => by.get(recordAddress(one)));
    const report = of && one.specimen ? { ...of, specimen: one.specimen } : of;
    return panel || report ? withFacts(one, { ...factsOf(one), panel: panelAfter(report, () => panel) }) : one;
  });
}
