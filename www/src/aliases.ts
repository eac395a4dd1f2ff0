//! Numbers that stand for ids in addresses. An address stays in the browser's history, so it must not have content from
//! a user's own files. The numbers are valid until the files are closed, and are not used again.

const numbers = new Map<string, number>();
const ids: (string | undefined)[] = [];

/** Returns the number that stands for an id. The same id always gets the same number. */
export function numberOfId(id: string): string {
  const known = numbers.get(id);
  if (known !== undefined) return String(known);
  const number = ids.push(id);
  numbers.set(id, number);
  return String(number);
}

/** Returns the id that a number stands for, or `undefined`. */
export const idOfNumber = (number: string): string | undefined =>
  /^\d+$/.test(number) ? ids[Number(number) - 1] : undefined;

/** Forgets the ids of files that were closed. */
export function forgetIds(): void {
  numbers.clear();
  ids.fill(undefined);
}
