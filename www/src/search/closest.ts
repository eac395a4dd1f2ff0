//! Suggestions for misspelt names.

/** Returns the number of letters that are inserted, removed, changed or swapped between two names. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const above = rows[i - 1] ?? [];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

/** The longest name that is compared. */
const MAX_LENGTH = 40;

/**
 * Returns the name in a list with the fewest differences from a name: at most two, and in less than half its letters.
 */
export function closest(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const most = Math.min(2, Math.ceil(name.length / 2) - 1);
  const near = names
    .map((one) => ({ one, differs: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ differs }) => differs <= most)
    .sort((a, b) => a.differs - b.differs);
  return near[0]?.one;
}
