type Text = string | false | null | undefined;

/** Joins texts, without those that are empty. */
export const joinedBy = (separator: string, ...texts: readonly Text[]): string => texts.filter(Boolean).join(separator);

/** Joins texts with commas, without those that are empty. */
export const joined = (...texts: readonly Text[]): string => joinedBy(', ', ...texts);
