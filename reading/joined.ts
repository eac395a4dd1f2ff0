import { withoutDirections } from './visible.ts';

type Text = string | false | null | undefined;

export const withoutEmpty = (...texts: readonly Text[]): string[] => texts.flatMap((one) => one || []);

/** Joins texts, without those that are empty. None of them changes the order of the others. */
export const joinedBy = (separator: string, ...texts: readonly Text[]): string =>
  withoutEmpty(...texts)
    .map(withoutDirections)
    .join(separator);

/** Joins texts with commas, without those that are empty. */
export const joined = (...texts: readonly Text[]): string => joinedBy(', ', ...texts);
