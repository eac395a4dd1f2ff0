//! A list of which there may be hundreds of entries: the first are drawn at once, the others in later frames.

import { type ChildPart, noChange } from 'lit-html';
import { AsyncDirective, type DirectiveResult, directive } from 'lit-html/async-directive.js';
import { guard } from 'lit-html/directives/guard.js';
import { errorText } from '../error-text.ts';
import { t } from '../language/message.ts';
import { type GrowingList, grow, inParts, stopGrowing } from '../scheduling.ts';
import { failed } from './notice.ts';

/** The number of entries of a part. The first part fills a screen, so that what grows is out of sight. */
const ENTRIES = 30;

type Part = () => unknown[];

class LongList extends AsyncDirective implements GrowingList {
  #parts: Part[] = [];
  /** The number of parts that are drawn. */
  #drawn = 1;
  #around: Element | undefined;

  render(_parts: Part[]): unknown {
    return noChange;
  }

  override update({ parentNode }: ChildPart, [parts]: [Part[]]): unknown {
    this.#parts = parts;
    this.#around = parentNode instanceof Element ? parentNode : undefined;
    this.#goOn();
    return this.#drawnParts();
  }

  drawNext(): boolean {
    this.#drawn += 1;
    this.setValue(this.#drawnParts());
    this.#sayBusy();
    return this.#isUnfinished();
  }

  protected override disconnected(): void {
    stopGrowing(this);
  }

  protected override reconnected(): void {
    this.#goOn();
  }

  #isUnfinished(): boolean {
    return this.#drawn < this.#parts.length;
  }

  #goOn(): void {
    if (this.#isUnfinished()) grow(this);
    else stopGrowing(this);
    this.#sayBusy();
  }

  /** A screen reader may wait with a list that is not whole. */
  #sayBusy(): void {
    if (this.#around) this.#around.ariaBusy = this.#isUnfinished() ? 'true' : null;
  }

  #drawnParts(): unknown[] {
    return this.#parts.slice(0, this.#drawn).map((part) => guard([part], part));
  }
}

const inTime = directive(LongList);

/**
 * Draws each entry of a list. A long one grows part by part, and is busy (`aria-busy`) until all of it is there. An
 * entry that cannot be drawn says so in its place, since records come from anywhere.
 */
export function longList<T>(list: readonly T[], entry: (one: T) => unknown): DirectiveResult {
  const drawn = (one: T): unknown => {
    try {
      return entry(one);
    } catch (error) {
      return failed(undefined, t('These records could not be shown: {why}', { why: errorText(error) }));
    }
  };
  return inTime(inParts(list, ENTRIES).map((part) => () => part.map(drawn)));
}
