/** A text without the signs above and below its letters, such as accents. */
export const unaccented = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
