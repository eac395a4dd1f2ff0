//! Results in columns: the days of a panel, and the values of each test on them.

import { instant } from '../../fhir/date.ts';
import { isEnteredInError } from '../../fhir/text.ts';
import type { Observation } from '../../fhir/types.ts';
import { printedUnitOf } from '../../fhir/units.ts';
import type { Words } from '../../language/words.ts';
import { quantityOf } from '../values/measured-number.ts';
import { when } from '../values/reading.ts';
import type { TestGroup } from './test-groups.ts';

/** The number of columns with values. */
const COLUMNS = 4;

/** Returns the number of columns that are used by some rows, at least one. */
export const columnsOf = (rows: readonly ResultRow[]): number => Math.max(1, ...rows.map(({ cells }) => cells.length));

export interface ResultRow {
  group: TestGroup;
  /** The results of each column, newest first. */
  cells: Observation[][];
  /** The latest result if no column has one, because it is older or has no date. */
  older: Observation | undefined;
  /** The unit of all results that are shown, if they share one. */
  unit: string | undefined;
}

const validOf = ({ list }: TestGroup): Observation[] => list.filter((o) => !isEnteredInError(o));

/** Returns the day of a result as written, or its month or year if that is all that is recorded. */
const dayOf = (o: Observation): string | undefined => {
  const on = when(o);
  return instant(on) === undefined ? undefined : on?.slice(0, 10);
};

/** Returns the latest days with a result of some tests, newest first. */
export function daysOf(tests: TestGroup[]): string[] {
  const days = new Set(tests.flatMap((group) => validOf(group).flatMap((o) => dayOf(o) ?? [])));
  return [...days].sort((a, b) => (instant(b) ?? 0) - (instant(a) ?? 0)).slice(0, COLUMNS);
}

/** Returns the unit of all numbers among some results; `undefined` if they differ or have none. */
function sharedUnit(words: Words, results: Observation[]): string | undefined {
  const units = new Set(results.flatMap((o) => quantityOf(o) ?? []).map((of) => printedUnitOf(words, of)));
  const [unit] = units;
  return units.size === 1 && unit !== '' ? unit : undefined;
}

function row(words: Words, group: TestGroup, cells: Observation[][]): ResultRow {
  const { latest } = group;
  const shown = cells.flat();
  const older = shown.length === 0 ? latest : undefined;
  return {
    group,
    cells,
    older,
    unit: sharedUnit(words, older ? [older] : shown),
  };
}

/** Returns the rows of a panel, whose columns are days. */
export const rowsByDay = (words: Words, tests: TestGroup[], days: string[]): ResultRow[] =>
  tests.map((group) => {
    const columns = days.map((day) => validOf(group).filter((o) => dayOf(o) === day));
    return row(words, group, columns);
  });

/** Returns the rows of tests that were not made together: each has its own latest results. */
export const rowsByTest = (words: Words, tests: TestGroup[]): ResultRow[] =>
  tests.map((group) => {
    const latest = validOf(group).slice(0, COLUMNS);
    return row(
      words,
      group,
      latest.map((o) => [o]),
    );
  });
