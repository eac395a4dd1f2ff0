//! The frame of a table, which scrolls by itself where the table is wider than its page.

/** The most columns of a table whose rows are blocks where there is little room. */
const MOST_STACKED = 3;

/** Returns whether the rows of a table with so many columns are blocks where there is little room. */
export const isStacked = (columns: number): boolean => columns <= MOST_STACKED;
