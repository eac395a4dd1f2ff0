/** Returns a text without diacritics, such as accents. */
export const unaccented = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
