//! Numbers that stand for ids in addresses. An address stays in the browser's history, so it says nothing of the files
//! that a user opened. The numbers are good for as long as the page is.

const numbers = new Map<string, number>();
const ids: string[] = [];

/** The number that stands for an id. The same id always gets the same one. */
export function numberOfId(id: string): string {
  const known = numbers.get(id);
  if (known !== undefined) return String(known);
  const number = ids.push(id);
  numbers.set(id, number);
  return String(number);
}

/** The id that a number stands for. */
export const idOfNumber = (number: string): string | undefined =>
  /^\d+$/.test(number) ? ids[Number(number) - 1] : undefined;
