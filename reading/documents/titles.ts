//! Titles of document sections, and questions on forms, that are about allergies, in the languages of common files.
//! Only titles about allergies determine a place by their words, since a missed allergy harms. Sections with other
//! titles and without a known code are shown among the notes.

import { unaccented } from '../fhir/unaccented.ts';

const ALLERGIES = [
  /allerg|alerg|adverse (drug )?(reaction|event)|unvertraglich|uberempfindlich|intoleran|overgevoelig|\bh?[iy]persensi/,
  /アレルキー|過敏|过敏|알레르기|알러지|аллерг|αλλεργ|alerji|uczuleni|overf.lsom|overkanslig|yliherk|不耐/,
  /reacci\w+ adversa|reac\w+ adversa|reazioni avverse|effets indesirables|bijwerking/,
];

/** Returns a title without diacritics, in lower case, with single spaces. */
const plainTitle = (title: string): string =>
  unaccented(title)
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    // Korean syllables are one letter each.
    .normalize('NFC');

export const isOfAllergies = (title: string): boolean => {
  const plain = plainTitle(title);
  return ALLERGIES.some((one) => one.test(plain));
};
