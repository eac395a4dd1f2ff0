//! The places of the tiles in two columns. Each tile stands in the column that is shorter so far, so that tiles of
//! unequal heights leave no gaps. Their heights are estimated in lines: a place must not depend on the width of the
//! page, or tiles would change it while somebody reads.

/** The place of a tile: in the first or the second column, or across both. */
export type TilePlace = 'first' | 'second' | 'both';

export class Columns {
  #first = 0;
  #second = 0;

  /** Returns the place of the next tile, by its height in lines. At equal heights it is the first column. */
  place(lines: number, isWide = false): TilePlace {
    if (isWide) {
      this.#first = Math.max(this.#first, this.#second) + lines;
      this.#second = this.#first;
      return 'both';
    }
    if (this.#second < this.#first) {
      this.#second += lines;
      return 'second';
    }
    this.#first += lines;
    return 'first';
  }
}
