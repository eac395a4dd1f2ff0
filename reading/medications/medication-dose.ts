//! The dose of a record about a medication, in words. If no dose is recorded where one is expected, the words say so.

import { extensionsIn } from '../fhir/extension-words.ts';
import { Parts, textIn } from '../fhir/loose.ts';
import { type MedicationRecord, requestState } from '../fhir/request-state.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { Words } from '../language/words.ts';
import { isObject, itemsOf } from '../shape.ts';
import { dosages } from './dosage.ts';
import { type DrugRecord, isNoMedication } from './medication.ts';

/** Returns the dosage of a record unchanged. */
const dosageOf = (of: DrugRecord): unknown =>
  of.resourceType === 'MedicationRequest' || of.resourceType === 'MedicationDispense'
    ? of.dosageInstruction
    : of.dosage;

/** Returns the end of the address of an extension. */
const nameOf = (extension: unknown): string => {
  const url = isObject(extension) && typeof extension.url === 'string' ? extension.url : '';
  return url.split(/[/#:]/).findLast(Boolean) ?? '';
};

/** The rendered text of the whole dosage: an element of R5, and an extension in earlier versions. */
const RENDERED = /renderedDosage/i;
/** The names of extensions of a record for the amount or the frequency, but not for the making of its text. */
const OF_DOSE = /dos(?:age|ing|e(?!d)|is)|frequenc|posolog|regimen/i;
const OF_MAKING = /meta|version|algorithm/i;

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Returns whether words contain others as whole words, and not as a part of a longer word or number. */
function has(words: string, others: string): boolean {
  const [whole, part] = [plain(words), plain(others)];
  const at = whole.indexOf(part);
  const isBorder = (letter: string | undefined): boolean => !/[\p{L}\p{N}.,]/u.test(letter ?? '');
  return at >= 0 && isBorder(whole[at - 1]) && isBorder(whole[at + part.length]);
}

/** Returns the dosage with the record's rendered text for the whole dosage. */
function withRendered(words: Words, dosage: unknown, rendered: string, dose: typeof dosages): string {
  const coded = dose(words, dosage);
  if (coded === undefined || plain(coded).replace(/\.$/, '') === plain(rendered).replace(/\.$/, '')) return rendered;
  const [only, ...others] = itemsOf(dosage);
  // The rendered text replaces the missing text of the dosage, so that the coded parts are compared with it.
  if (others.length === 0 && isObject(only) && textIn(only.text) === undefined)
    return dose(words, [{ ...only, text: rendered }]) ?? rendered;
  return words.t('{text} · as coded: {coded}', { text: rendered, coded });
}

/**
 * Returns the recorded dose in words: from the dosage, from the rendered text of the whole dosage, and from extensions
 * of the record. `dose` returns the words of a dosage.
 */
export function recordedDose(words: Words, of: DrugRecord, dose = dosages): string | undefined {
  const parts = new Parts(of);
  const extensions = itemsOf(parts.raw('extension'));
  const ofRendered = extensions.filter((one) => RENDERED.test(nameOf(one)));
  const [ofWhole] = extensionsIn(words, ofRendered);
  const rendered = parts.take('renderedDosageInstruction', textIn) ?? ofWhole?.value;
  const dosage = dosageOf(of);
  const said = rendered === undefined ? dose(words, dosage) : withRendered(words, dosage, rendered, dose);
  const told = extensions.filter((one) => {
    const name = nameOf(one);
    return OF_DOSE.test(name) && !RENDERED.test(name) && !OF_MAKING.test(name);
  });
  const more = told.flatMap((one) =>
    extensionsIn(words, [one]).flatMap(({ words: whole, value }) => {
      if (value === undefined || has(said ?? '', value)) return [];
      // A frequency is clear without the name that a guide gives to its extension.
      return /frequenc/i.test(nameOf(one)) && /\p{L}{3}/u.test(value) ? value : whole;
    }),
  );
  return [said, ...more].filter(Boolean).join(', ') || undefined;
}

/** Returns the dose in words, or that none is recorded. A medication that is not, or not yet, taken needs none. */
export function doseText(words: Words, of: MedicationRecord, dose = dosages): string | undefined {
  const isAvoided = of.resourceType !== 'MedicationAdministration' && of.doNotPerform === true;
  const isTaken =
    !isAvoided &&
    !isEnteredInError(of) &&
    !isNoMedication(of) &&
    !['avoid', 'untaken', 'planned'].includes(requestState(of));
  return recordedDose(words, of, dose) ?? (isTaken ? words.t('no dose recorded') : undefined);
}
