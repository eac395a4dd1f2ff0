//! The dose of a record about a medication, in words. Where a dose would stand and none is recorded, it is said.

import { extensionsIn } from '../fhir/extension-words.ts';
import { itemsOf, Parts, textIn } from '../fhir/loose.ts';
import { type MedicationRecord, requestState } from '../fhir/request-state.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { Words } from '../language/words.ts';
import { isObject } from '../shape.ts';
import { dosages } from './dosage.ts';
import { type DrugRecord, isNoMedication } from './medication.ts';

/** The dosage of a record, as it is. */
const dosageOf = (of: DrugRecord): unknown =>
  of.resourceType === 'MedicationRequest' || of.resourceType === 'MedicationDispense'
    ? of.dosageInstruction
    : of.dosage;

/** The end of the address of an extension. */
const nameOf = (extension: unknown): string => {
  const url = isObject(extension) && typeof extension.url === 'string' ? extension.url : '';
  return url.split(/[/#:]/).findLast(Boolean) ?? '';
};

/** The sentence for the whole dosage: an element of R5, and an extension before it. */
const RENDERED = /renderedDosage/i;
/** The names of extensions of a record that tell how much or how often, and of none about how its words were made. */
const OF_DOSE = /dos(?:age|ing|e(?!d)|is)|frequenc|posolog|regimen/i;
const OF_MAKING = /meta|version|algorithm/i;

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Returns whether words have others as they are, and not as a part of a longer word or number. */
function has(words: string, others: string): boolean {
  const [whole, part] = [plain(words), plain(others)];
  const at = whole.indexOf(part);
  const isBorder = (letter: string | undefined): boolean => !/[\p{L}\p{N}.,]/u.test(letter ?? '');
  return at >= 0 && isBorder(whole[at - 1]) && isBorder(whole[at + part.length]);
}

/** The dosage with the sentence that the record has for the whole of it. */
function withRendered(words: Words, dosage: unknown, rendered: string, dose: typeof dosages): string {
  const coded = dose(words, dosage);
  if (coded === undefined || plain(coded).replace(/\.$/, '') === plain(rendered).replace(/\.$/, '')) return rendered;
  const [only, ...others] = itemsOf(dosage);
  // The sentence stands for the text of a dosage that has none: what is coded is compared with it.
  if (others.length === 0 && isObject(only) && textIn(only.text) === undefined)
    return dose(words, [{ ...only, text: rendered }]) ?? rendered;
  return words.t('{text} · as coded: {coded}', { text: rendered, coded });
}

/**
 * The dose in words, as far as one is recorded: in the dosage, in the sentence that the record has for the whole of it,
 * and in extensions of the record. `dose` makes them of a dosage.
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
      // How often says itself, without the name that a guide has for it.
      return /frequenc/i.test(nameOf(one)) && /\p{L}{3}/u.test(value) ? value : whole;
    }),
  );
  return [said, ...more].filter(Boolean).join(', ') || undefined;
}

/** The dose in words, or that none is recorded. What is not, or not yet, taken needs none. */
export function doseText(words: Words, of: MedicationRecord, dose = dosages): string | undefined {
  const isAvoided = of.resourceType !== 'MedicationAdministration' && of.doNotPerform === true;
  const isTaken =
    !isAvoided &&
    !isEnteredInError(of) &&
    !isNoMedication(of) &&
    !['avoid', 'untaken', 'planned'].includes(requestState(of));
  return recordedDose(words, of, dose) ?? (isTaken ? words.t('no dose recorded') : undefined);
}
