//! The comparison of two texts by line: a longest common subsequence, with a limit on the work.

import { printed } from '#reading/fhir/json.ts';

export interface Line {
  /** The text that has the line. */
  of: 'both' | 'first' | 'second';
  text: string;
}

/** A number of equal lines that are left out. */
export interface Gap {
  of: 'gap';
  count: number;
}

export type DiffLine = Line | Gap;

/** The most pairs of lines that are compared. Beyond this limit, the differing parts are shown one after the other. */
const MAX_PAIRS = 4_000_000;

export function compareLines(first: string, second: string): Line[] {
  const [a, b] = [first.split('\n'), second.split('\n')];
  const before = commonStart(a, b);
  const after = commonStart(a.slice(before).reverse(), b.slice(before).reverse());
  return [
    ...lines('both', a.slice(0, before)),
    ...compareMiddle(a.slice(before, a.length - after), b.slice(before, b.length - after)),
    ...lines('both', a.slice(a.length - after)),
  ];
}

const lines = (of: Line['of'], texts: string[]): Line[] => texts.map((text) => ({ of, text }));

function commonStart(a: string[], b: string[]): number {
  const differs = a.findIndex((line, i) => line !== b[i]);
  return differs < 0 ? a.length : differs;
}

function compareMiddle(a: string[], b: string[]): Line[] {
  if (a.length * b.length > MAX_PAIRS) return [...lines('first', a), ...lines('second', b)];
  const common = commonLengths(a, b);
  const width = b.length + 1;
  const found: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [one = '', other = ''] = [a[i], b[j]];
    if (one === other) {
      found.push({ of: 'both', text: one });
      i += 1;
      j += 1;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      found.push({ of: 'first', text: one });
      i += 1;
    } else {
      found.push({ of: 'second', text: other });
      j += 1;
    }
  }
  return [...found, ...lines('first', a.slice(i)), ...lines('second', b.slice(j))];
}

/** Returns for each pair of positions the length of the longest common subsequence after it, row by row. */
function commonLengths(a: string[], b: string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [down = 0, right = 0, next = 0] = [
        lengths[(i + 1) * width + j],
        lengths[i * width + j + 1],
        lengths[(i + 1) * width + j + 1],
      ];
      lengths[i * width + j] = a[i] === b[j] ? next + 1 : Math.max(down, right);
    }
  }
  return lengths;
}

/** Omits equal lines, except for a few around each difference. */
export function withGaps(all: Line[], around = 3): DiffLine[] {
  const near = new Set<number>();
  for (const [i, { of }] of all.entries()) {
    if (of === 'both') continue;
    for (let k = i - around; k <= i + around; k += 1) near.add(k);
  }
  const shown: DiffLine[] = [];
  for (const [i, line] of all.entries()) {
    const last = shown.at(-1);
    if (near.has(i)) shown.push(line);
    else if (last?.of === 'gap') last.count += 1;
    else shown.push({ of: 'gap', count: 1 });
  }
  return shown;
}

export const differentLines = (first: unknown, second: unknown): DiffLine[] =>
  withGaps(compareLines(printed(first), printed(second)));
