//! What tells results of one name apart: whose or what they are about, and their specimen, site, method and device.
//! Results are joined, compared and drawn together only if all of these agree. An element that a result lacks is that
//! of its panel.

import { containedIn } from '../fhir/contained.ts';
import { factsOf } from '../fhir/facts.ts';
import { itemsOf, textIn } from '../fhir/loose.ts';
import { recordAddress, referredAddress, typeOf } from '../fhir/record-address.ts';
import { siteText } from '../fhir/site.ts';
import { clipped, concept, reference } from '../fhir/text.ts';
import type { Observation, Reference } from '../fhir/types.ts';
import { referenceShape } from '../fhir/types.ts';
import { kept } from '../kept.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { isShaped } from '../shape.ts';

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

/** Returns whom or what an observation says that it is about, apart from its subject. */
function ownFocus({ focus, subject }: Observation): unknown[] {
  const patient = referredAddress(subject?.reference);
  return itemsOf(focus).filter(
    (one) =>
      one !== null && !(isShaped(referenceShape, one) && patient !== '' && referredAddress(one.reference) === patient),
  );
}

/** Returns the items of `Observation.focus` with the record that has them, its own or those of its panel. */
function fociOf(o: Observation): { of: Observation; one: unknown }[] {
  const of = withPanels(o).find(({ focus }) => itemsOf(focus).length > 0);
  return of ? ownFocus(of).map((one) => ({ of, one })) : [];
}

/** Returns whether a result is about somebody or something other than the patient. */
export const isAbout = kept((o: Observation): boolean => fociOf(o).length > 0);

/** Records that are the patient's own. A result about a tumour is hers; one about a donor or a fetus is not. */
const OWN = new Set([
  ...['Condition', 'BodyStructure', 'AllergyIntolerance', 'AdverseEvent', 'Observation', 'DiagnosticReport'],
  ...['Specimen', 'ImagingStudy', 'Media', 'Procedure', 'Immunization', 'Encounter', 'EpisodeOfCare', 'ServiceRequest'],
  ...['CarePlan', 'Goal', 'MedicationRequest', 'MedicationStatement', 'MedicationAdministration'],
]);

function typeOfFocus(of: Observation, one: unknown): string {
  if (!isShaped(referenceShape, one)) return '';
  const type = containedIn(of, one.reference)?.resourceType ?? typeOf(referredAddress(one.reference));
  return OWN.has(String(type)) ? String(type) : (one.type ?? '');
}

/** Returns whether a result is about somebody or something that is no part of the patient, or may be none. */
export const isOfOther = kept((o: Observation): boolean =>
  fociOf(o).some(({ of, one }) => !OWN.has(typeOfFocus(of, one))),
);

const focusText = (words: Words, one: unknown): string =>
  (isShaped(referenceShape, one) ? reference(words, one) : textIn(one)) ?? words.t('Unnamed');

/** Returns whom or what a result is about, `about: Kidney donor`; `undefined` for a result about the patient. */
export function aboutText(words: Words, o: Observation): string | undefined {
  if (!isAbout(o)) return undefined;
  const named = fociOf(o).map(({ one }) => focusText(words, one));
  return words.t('about: {what}', { what: [...new Set(named)].join(', ') });
}

/** Returns words about a result with those on whom or what it is about. */
export function withAbout(words: Words, o: Observation, text: string): string {
  const about = aboutText(words, o);
  return about ? `${text} (${about})` : text;
}

/** Returns the name of a specimen. The number of one that was not found says nothing about its kind. */
const specimenText = (words: Words, to: Reference | undefined): string | undefined =>
  to && textIn(to.display || factsOf(to).name?.(words));

const mayHaveSite = (o: Observation): boolean =>
  o.bodySite !== undefined ||
  [o, ...[o.code ?? []].flat(), ...(o.code?.coding ?? [])].some((one) => 'extension' in one);

/** Returns the site with its side. Most observations have none, which is seen at once. */
const siteOf = (words: Words, o: Observation): string | undefined => (mayHaveSite(o) ? siteText(words, o) : undefined);

/** Returns the specimen, the site, the method and the device of a result, each with its label. */
export function circumstances(words: Words, o: Observation): string[] {
  const all = [
    [words.t('Specimen'), first(o, ({ specimen }) => specimenText(words, specimen))],
    [words.t('Site'), first(o, (of) => siteOf(words, of))],
    [words.t('Method'), first(o, ({ method }) => concept(words, method))],
    [words.t('Device'), first(o, ({ device }) => reference(words, device))],
  ] as const;
  return all.flatMap(([label, text]) => (text?.trim() ? `${label}: ${clipped(text)}` : []));
}

/** Returns all that tells a result from others of its name, in words. */
export const toldApart = (words: Words, o: Observation): string[] =>
  [aboutText(words, o), ...circumstances(words, o)].flatMap((one) => one ?? []);

/** Returns the key of what a result is about: an address or an identifier, or else words. */
function focusKey(one: unknown): string {
  if (!isShaped(referenceShape, one)) return focusText(ENGLISH, one);
  const address = one.reference?.startsWith('#') ? '' : referredAddress(one.reference);
  return address || one.identifier?.value || focusText(ENGLISH, one);
}

/** Returns a text that is equal for results about the same; empty for those about the patient. */
export const aboutKey = (o: Observation): string =>
  fociOf(o)
    .map(({ one }) => `about: ${focusKey(one)}`)
    .sort()
    .join('; ');

/** Returns a text that is equal for results that may be joined; empty if nothing tells them from others. */
export const apartKey = kept((o: Observation): string =>
  [aboutKey(o), ...circumstances(ENGLISH, o)]
    .filter(Boolean)
    .map((part) => part.toLowerCase().replace(/\s+/g, ' ').trim())
    .join('; '),
);

/** Returns the addresses of the panels among some observations, by those of their members. */
export function panelsByMember(observations: readonly Observation[]): ReadonlyMap<string, string> {
  const isTelling = (o: Observation): boolean =>
    [o.focus, o.specimen, o.bodySite, o.method, o.device].some((one) => one !== undefined);
  const panels = new Map<string, string>();
  for (const o of observations) {
    const address = recordAddress(o);
    for (const { reference: to } of o.hasMember ?? []) {
      const member = referredAddress(to);
      if (member !== address && (!panels.has(member) || isTelling(o))) panels.set(member, address);
    }
  }
  return panels;
}
