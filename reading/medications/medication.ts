//! The names of medications, with the recorded form and strength.

import { absenceOf, namedBeside, saysNone } from '../fhir/absence.ts';
import { unnamed } from '../fhir/absent-words.ts';
import { modifierText } from '../fhir/certainty.ts';
import { containedIn, isInside } from '../fhir/contained.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { booleanIn, conceptIn, Parts, quantityIn, referenceIn, textIn } from '../fhir/loose.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { saysError } from '../fhir/status-code.ts';
import { clipped, concept, digits, quantity } from '../fhir/text.ts';
import * as fhir from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { isShaped, itemsOf, partial, type ShapeValue, string } from '../shape.ts';

export type DrugRecord =
  | fhir.MedicationRequest
  | fhir.MedicationDispense
  | fhir.MedicationStatement
  | fhir.MedicationAdministration;

/** A strength: an amount per amount. */
interface Strength {
  numerator: fhir.Quantity;
  denominator: fhir.Quantity | undefined;
}

function strengthIn(value: unknown): Strength | undefined {
  const parts = new Parts(value);
  const numerator = parts.take('numerator', quantityIn);
  return numerator && { numerator, denominator: parts.take('denominator', quantityIn) };
}

interface Ingredient {
  name: string | undefined;
  strength: Strength | undefined;
}

/** Returns an ingredient in a list, which is empty for an inactive one. R5 has other names for its parts. */
function ingredientOf(words: Words, value: unknown, { contained = [], included }: Near): Ingredient[] {
  const parts = new Parts(value);
  if (parts.take('isActive', booleanIn) === false) return [];
  const item = parts.within('item').take('concept', conceptIn);
  const name = concept(words, parts.take('itemCodeableConcept', conceptIn) ?? item);
  const reference = parts.within('itemReference');
  const [display, address] = [reference.take('display', textIn), reference.take('reference', textIn)];
  const within = isInside(address) ? containedIn({ contained }, address) : includedAt(address, included);
  const strength = parts.take('strength', strengthIn) ?? parts.take('strengthRatio', strengthIn);
  return [{ name: name ?? concept(words, fhir.codeElement(within)) ?? display, strength }];
}

type Contained = NonNullable<DrugRecord['contained']>[number];

/** The records to which an ingredient may refer. */
interface Near {
  contained: readonly Contained[] | undefined;
  included: readonly fhir.Resource[];
}

function includedAt(address: string | undefined, included: readonly fhir.Resource[]): fhir.Resource | undefined {
  const wanted = referredAddress(address);
  return wanted === '' ? undefined : included.find(({ resourceType, id }) => wanted === `${resourceType}/${id}`);
}

/** Returns a strength: `500 mg`, `5 mg/mL`, `250 mg/5 mL`. The denominator of one counted thing is omitted. */
function strengthText(words: Words, { numerator, denominator }: Strength): string {
  const amount = quantity(words, numerator) ?? '';
  const unit = denominator?.unit ?? denominator?.code ?? '';
  if (!denominator || unit === '' || unit === '1') return amount;
  return denominator.value === 1 ? `${amount}/${unit}` : `${amount}/${quantity(words, denominator) ?? ''}`;
}

/** Returns the medication of a record in the form of R5: a concept or a reference within one element. */
const named = (of: DrugRecord): Parts => new Parts(of).within('medication');

/** A strength in the name of a drug. */
const STRENGTH = /\d\s*(?:mg|mcg|µg|μg|ug|g|kg|ml|l|unt|units?|i\.?u|meq|mmol|%)(?![a-z])/i;

/**
 * Returns the name of a drug: its text, or else the first display. If that names only a substance, the first display
 * with a strength replaces it.
 */
function drugName(words: Words, value: fhir.Concept | undefined): string | undefined {
  const displays = (value?.coding ?? []).filter(({ display }) => display);
  const [first] = displays;
  if (!value || value.text || !first?.display) return concept(words, value);
  const chosen = STRENGTH.test(first.display)
    ? first
    : (displays.find(({ display }) => STRENGTH.test(display ?? '')) ?? first);
  return concept(words, { coding: [chosen] });
}

const conceptOf = (of: DrugRecord): fhir.Concept | undefined =>
  of.medicationCodeableConcept ?? named(of).take('concept', conceptIn);

const referenceOf = (of: DrugRecord): fhir.Reference =>
  of.medicationReference ?? named(of).take('reference', referenceIn) ?? {};

/** Returns the target of a reference: a contained or an included resource. */
function referred(of: DrugRecord, included: readonly fhir.Resource[]): unknown {
  const { reference: address, identifier } = referenceOf(of);
  if (address || !identifier?.value)
    return isInside(address) ? containedIn(of, address) : includedAt(address, included);
  const token = identifierToken(identifier);
  return included.find((one) => one.resourceType === 'Medication' && identifierTokens(one).includes(token));
}

const identifierShape = partial({ system: string, value: string });

/** Returns an identifier in the form of a search: `system|value`. */
export const identifierToken = ({ system = '', value = '' }: ShapeValue<typeof identifierShape>): string =>
  `${system}|${value}`;

/** Returns the identifiers of a resource in the form of a search. */
export const identifierTokens = (of: fhir.Resource): string[] =>
  valuesAt(of, 'identifier').flatMap((one) => (isShaped(identifierShape, one) ? identifierToken(one) : []));

const includes = (name: string, part: string): boolean => name.toLowerCase().includes(part.toLowerCase());

/** Returns whether a name contains a number, and not only as a part of another one. */
function hasNumber(name: string, number: string): boolean {
  const [plain, at] = [name.replaceAll(/\s/g, ''), number.replaceAll('.', '\\.')];
  return number !== '' && new RegExp(`(?<![\\d.,])${at}(?![.,]?\\d)`).test(plain);
}

/** Returns the name of a medication resource, with its form and strength. */
function nameOf(words: Words, target: unknown, display: string | undefined, near: Near): string | undefined {
  const parts = new Parts(target);
  const form = concept(words, parts.take('form', conceptIn));
  const ingredients = itemsOf(parts.raw('ingredient')).flatMap((one) => ingredientOf(words, one, near));
  const names = ingredients.flatMap(({ name }) => name ?? []);
  const name = drugName(words, fhir.codeElement(target)) ?? display ?? (names.join(' + ') || undefined);
  if (name === undefined) return undefined;
  const strengths = ingredients.flatMap(({ name: of, strength }) => {
    if (!strength || hasNumber(name, digits(strength.numerator) ?? '')) return [];
    return ingredients.length > 1 && of ? `${of} ${strengthText(words, strength)}` : strengthText(words, strength);
  });
  const isError = saysError(parts.take('status', textIn));
  const more = [
    isError ? words.t('this medication was entered in error') : '',
    isShaped(fhir.resourceShape, target) ? modifierText(words, target) : '',
    form !== undefined && !includes(name, form) ? form : '',
    ...strengths,
  ].filter(Boolean);
  return more.length > 0 ? `${name} (${more.join(', ')})` : name;
}

/** The codes which state that there is no medication, or that none is known (IPS, SNOMED CT). */
const NONE: readonly string[] = ['no-known-medications', 'no-medication-info', '787481004', '182904002'];

/** Whole texts which state that nothing is known of medications. */
const SAID_UNKNOWN = [
  /^(?:medications?|medicines?) (?:unknown|not known)\.?$|^unknown (?:medications?|medicines?|meds)\.?$/i,
  /^no information (?:about|on) (?:medications?|medicines?)\.?$|^unable to obtain medications?\.?$/i,
  /^(?:medicaci[oó]n|medicamentos) desconocid[oa]s?\.?$|^sin informaci[oó]n (?:sobre|de) (?:la )?medicaci[oó]n\.?$/i,
];

/** Returns whether a concept has one of some codes, which nothing in it contradicts, or a text to this effect. */
function states(of: DrugRecord, codes: readonly string[], isSaid: (text: string) => boolean): boolean {
  const value = conceptOf(of);
  const coded = value?.coding?.find(({ code }) => code !== undefined && codes.includes(code));
  if (value && coded) return namedBeside(value, coded, (text) => isSaid(text) || isSaidUnknown(text)) === undefined;
  return isSaid(concept(ENGLISH, value)?.trim() ?? '');
}

const isSaidUnknown = (text: string): boolean => SAID_UNKNOWN.some((one) => one.test(text));

export const isNothingKnown = (of: DrugRecord): boolean => states(of, ['no-medication-info'], isSaidUnknown);

/** Returns whether a record represents no medication: none is known, or nothing is known of any. */
export const isNoMedication = (of: DrugRecord): boolean =>
  states(of, NONE, (text) => saysNone('medications', text)) || isNothingKnown(of);

/** Returns the medication's name: from its own code, or from the contained or included medication. */
export function medicationName(words: Words, of: DrugRecord, included: readonly fhir.Resource[]): string | undefined {
  const { display } = referenceOf(of);
  return (
    absenceOf(words, conceptOf(of), [])?.text ??
    drugName(words, conceptOf(of)) ??
    nameOf(words, referred(of, included), display, { contained: of.contained, included }) ??
    display
  );
}

/** Returns the medication's name, or words for a medication without a name, with the unresolved reference. */
export function medication(words: Words, of: DrugRecord, included: readonly fhir.Resource[]): string {
  const { reference: address, identifier } = referenceOf(of);
  const missing = address || identifier?.value;
  const says = unnamed(words, words.t('Medication not named'), conceptOf(of));
  return medicationName(words, of, included) ?? (missing ? `${says} (${clipped(missing)})` : says);
}

/** Returns the codes of a medication: its own, or those of the contained or included medication. */
export const medicationCodings = (of: DrugRecord, included: readonly fhir.Resource[]): readonly fhir.Coding[] =>
  (conceptOf(of) ?? fhir.codeElement(referred(of, included)))?.coding ?? [];
