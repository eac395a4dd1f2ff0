//! The reader's position in a chart: the section that is read, and whether the patient's name is out of sight.

import { SECTIONS } from '../../chart/sections.ts';
import { oncePerFrame } from '../../scheduling.ts';

/** A heading this far below the bar, in pixels, counts as reached. */
const NEAR = 40;

/** The height of the bars that stay at the top while the page scrolls, from the style. */
const barHeight = (): number => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

const headingOf = (id: string): HTMLElement | null => document.getElementById(`${id}-title`);

export class ReadingPosition {
  /** The id of the section that is read. */
  section = SECTIONS[0]?.id ?? '';
  nameOutOfSight = false;
  /** A section that was asked for: kept while its heading is in sight, and gone to as soon as it is drawn. */
  #wanted: { id: string; pending: boolean } | undefined;
  readonly #redraw: () => void;
  /** Works the position out again, in the next frame. */
  readonly update = oncePerFrame(() => this.#update());

  constructor(redraw: () => void) {
    this.#redraw = redraw;
    addEventListener('scroll', this.update, { passive: true });
    addEventListener('resize', this.update, { passive: true });
  }

  stop(): void {
    removeEventListener('scroll', this.update);
    removeEventListener('resize', this.update);
  }

  goTo(id: string): void {
    const heading = headingOf(id);
    this.#wanted = { id, pending: heading === null };
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
    this.update();
  }

  #update(): void {
    if (this.#wanted?.pending && headingOf(this.#wanted.id)) {
      this.goTo(this.#wanted.id);
      return;
    }
    const bar = barHeight();
    const section = this.#sectionAt(bar + NEAR);
    const nameBottom = document.querySelector('.patient h1')?.getBoundingClientRect().bottom ?? 0;
    const nameOutOfSight = nameBottom < bar;
    if (section === this.section && nameOutOfSight === this.nameOutOfSight) return;
    this.section = section;
    this.nameOutOfSight = nameOutOfSight;
    this.#redraw();
    requestAnimationFrame(showCurrentInIndex);
  }

  #sectionAt(line: number): string {
    const tops = SECTIONS.flatMap(({ id }) => {
      const top = headingOf(id)?.getBoundingClientRect().top;
      return top === undefined ? [] : [{ id, top }];
    });
    const wanted = tops.find(({ id }) => id === this.#wanted?.id);
    if (wanted && (wanted.top < 0 || wanted.top > innerHeight)) this.#wanted = undefined;
    const reached = tops.filter(({ top }) => top <= line).at(-1);
    return this.#wanted?.id ?? reached?.id ?? tops[0]?.id ?? this.section;
  }
}

/** On a narrow page the index is a row: the current section's entry is kept in sight. */
function showCurrentInIndex(): void {
  const row = document.querySelector('.index ul');
  const entry = row?.querySelector<HTMLElement>('[aria-current]');
  if (row && entry && row.scrollWidth > row.clientWidth) row.scrollLeft = entry.offsetLeft - 24;
}
