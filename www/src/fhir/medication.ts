//! The names of medications, with their form and strength where the record has them.

import { t } from '../language/message.ts';
import { conceptIn, itemsOf, Parts, quantityIn } from './loose.ts';
import { referredAddress } from './record-address.ts';
import { concept, digits, quantity } from './text.ts';
import {
  type Coding,
  type Concept,
  codeElement,
  type MedicationAdministration,
  type MedicationDispense,
  type MedicationRequest,
  type MedicationStatement,
  type Quantity,
  type Resource,
} from './types.ts';

/** The records about a medication. */
export type OfMedication = MedicationRequest | MedicationDispense | MedicationStatement | MedicationAdministration;

/** A strength: an amount in an amount. */
interface Strength {
  numerator: Quantity;
  denominator: Quantity | undefined;
}

function strengthIn(value: unknown): Strength | undefined {
  const parts = new Parts(value);
  const numerator = parts.take('numerator', quantityIn);
  return numerator && { numerator, denominator: parts.take('denominator', quantityIn) };
}

/** An ingredient as far as it is read. R5 has other names for its parts. */
function ingredientOf(value: unknown): { name: string | undefined; strength: Strength | undefined } {
  const parts = new Parts(value);
  const item = new Parts(parts.take('item', (one) => one)).take('concept', conceptIn);
  const name = concept(parts.take('itemCodeableConcept', conceptIn) ?? item);
  const display = parts.take('itemReference', (one) => new Parts(one).take('display', textOf));
  const strength = parts.take('strength', strengthIn) ?? parts.take('strengthRatio', strengthIn);
  return { name: name ?? display, strength };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

/** `500 mg`, `5 mg/mL`, `250 mg/5 mL`. What is one of something that is counted needs no denominator. */
function strengthText({ numerator, denominator }: Strength): string {
  const amount = quantity(numerator) ?? '';
  const unit = denominator?.unit ?? denominator?.code ?? '';
  if (!denominator || unit === '' || unit === '1') return amount;
  return denominator.value === 1 ? `${amount}/${unit}` : `${amount}/${quantity(denominator) ?? ''}`;
}

/** The resource that a reference leads to: contained in the record, or included. */
function referred(of: OfMedication, included: readonly Resource[]): unknown {
  const { reference: address = '' } = of.medicationReference ?? {};
  if (address.startsWith('#')) return of.contained?.find(({ id }) => `#${id}` === address);
  const wanted = referredAddress(address.replace(/\/_history\/[^/]*$/, ''));
  return wanted === '' ? undefined : included.find(({ resourceType, id }) => wanted === `${resourceType}/${id}`);
}

const includes = (name: string, part: string): boolean => name.toLowerCase().includes(part.toLowerCase());

/** The name of a medication resource, with what it says of its form and strength beside it. */
function nameOf(target: unknown, display: string | undefined): string | undefined {
  const parts = new Parts(target);
  const form = concept(parts.take('form', conceptIn));
  const ingredients = itemsOf(parts.take('ingredient', (value) => value)).map(ingredientOf);
  const names = ingredients.flatMap(({ name }) => name ?? []);
  const name = concept(codeElement(target)) ?? display ?? (names.join(' + ') || undefined);
  if (name === undefined) return undefined;
  const strengths = ingredients.flatMap(({ name: of, strength }) => {
    if (!strength || includes(name.replaceAll(/\s/g, ''), digits(strength.numerator) ?? ' ')) return [];
    return ingredients.length > 1 && of ? `${of} ${strengthText(strength)}` : strengthText(strength);
  });
  const more = [form !== undefined && !includes(name, form) ? form : '', ...strengths].filter(Boolean);
  return more.length > 0 ? `${name} (${more.join(', ')})` : name;
}

/** The codes by which records say that there is no medication, or that none is known of (IPS, SNOMED CT). */
const NONE: readonly string[] = ['no-known-medications', 'no-medication-info', '787481004', '182904002'];

/** Returns whether a record stands for no medication: none is known, or nothing is known of any. */
export const isNoMedication = ({ medicationCodeableConcept }: { medicationCodeableConcept?: Concept }): boolean =>
  (medicationCodeableConcept?.coding ?? []).some(({ code }) => code !== undefined && NONE.includes(code));

/** The medication's name: its own code, or that of the contained or included medication. */
export function medicationName(of: OfMedication, included: readonly Resource[]): string | undefined {
  const { display } = of.medicationReference ?? {};
  return concept(of.medicationCodeableConcept) ?? nameOf(referred(of, included), display) ?? display;
}

/** The medication's name, or the reference alone, or words for neither. */
export const medication = (of: OfMedication, included: readonly Resource[]): string =>
  medicationName(of, included) ?? (of.medicationReference?.reference || t('Medication not named'));

/** The codes of a medication: its own, or those of the contained or included medication. */
export const medicationCodings = (of: OfMedication, included: readonly Resource[]): readonly Coding[] =>
  (of.medicationCodeableConcept ?? codeElement(referred(of, included)))?.coding ?? [];
