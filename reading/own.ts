/** Returns the member of a table by a name from the data. A name such as `constructor` finds nothing. */
export const own = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
