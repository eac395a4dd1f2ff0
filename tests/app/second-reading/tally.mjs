// The numbers of facts by outcome and kind.

export const newTally = () => ({ shown: {}, noticed: {}, missing: {} });

/// Adds 1 to the number of facts of an outcome and a kind.
export function count(tally, outcome, kind) {
  tally[outcome][kind] = (tally[outcome][kind] ?? 0) + 1;
}

export function add(tally, more) {
  for (const outcome of Object.keys(tally)) {
    for (const [kind, n] of Object.entries(more[outcome])) tally[outcome][kind] = (tally[outcome][kind] ?? 0) + n;
  }
}

export const sum = (counts) => Object.values(counts).reduce((all, n) => all + n, 0);
