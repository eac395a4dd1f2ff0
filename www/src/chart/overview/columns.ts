//! The places of the tiles in columns. Each tile stands in the column that is shortest so far, so that tiles of unequal
//! heights leave no gaps. Their heights are estimated in lines, since a place that is measured would be known late.

export class Columns {
  readonly #heights: number[];

  constructor(count: number) {
    this.#heights = Array.from({ length: count }, () => 0);
  }

  /** Returns the column of the next tile, by its height in lines. Of columns of one height it is the first. */
  place(lines: number): number {
    const column = this.#heights.indexOf(Math.min(...this.#heights));
    this.#heights[column] = (this.#heights[column] ?? 0) + lines;
    return column;
  }
}
