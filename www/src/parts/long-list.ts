//! A list with possibly hundreds of entries. The first entries are drawn at once, the others in later frames.

import { type ChildPart, noChange } from 'lit-html';
import { AsyncDirective, type DirectiveResult, directive } from 'lit-html/async-directive.js';
import { guard } from 'lit-html/directives/guard.js';
import { errorText } from '../error-text.ts';
import { t } from '../language/message.ts';
import { type GrowingList, grow, inParts, stopGrowing } from '../scheduling.ts';
import { failed } from './notice.ts';

/** The number of entries in a part. The first part fills a screen, so the list grows out of sight. */
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

  /** Marks the list as busy, so that a screen reader may wait until it is complete. */
  #sayBusy(): void {
    if (this.#around) this.#around.ariaBusy = this.#isUnfinished() ? 'true' : null;
  }

  #drawnParts(): unknown[] {
    return this.#parts.slice(0, this.#drawn).map((part) => guard([part], part));
  }
}

const inTime = directive(LongList);

/**
 * Draws each entry of a list. A long list grows part by part, and is busy (`aria-busy`) until it is complete. If an
 * entry cannot be drawn, a notice takes its place: records may have any content.
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
