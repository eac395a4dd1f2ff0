//! The reader's position in a timeline: the year that is read, and the year that was asked for.

import { oncePerFrame } from '../../../scheduling.ts';

/** A year whose first day is this far below the bar, in pixels, counts as reached. */
const NEAR = 40;

/** The height of the bars that stay at the top while the page scrolls, from the style. */
const barHeight = (): number => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

const headingOf = (year: string): HTMLElement | null => document.querySelector(`.day[data-year="${year}"] h3`);

export class YearPosition {
  /** The year that is read. */
  year = '';
  /** A year that was asked for: kept while its heading is in sight, and gone to as soon as it is drawn. */
  #wanted: { year: string; pending: boolean } | undefined;
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

  goTo(year: string): void {
    const heading = headingOf(year);
    this.#wanted = { year, pending: heading === null };
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
    this.update();
  }

  #update(): void {
    if (this.#wanted?.pending && headingOf(this.#wanted.year)) {
      this.goTo(this.#wanted.year);
      return;
    }
    const year = this.#yearAt(barHeight() + NEAR);
    if (year === this.year) return;
    this.year = year;
    this.#redraw();
    requestAnimationFrame(showCurrentInRail);
  }

  #yearAt(line: number): string {
    const tops = [...document.querySelectorAll<HTMLElement>('.day[data-year]')].map((day) => ({
      year: day.dataset.year ?? '',
      top: day.getBoundingClientRect().top,
    }));
    const wanted = tops.find(({ year }) => year === this.#wanted?.year);
    if (wanted && (wanted.top < 0 || wanted.top > innerHeight)) this.#wanted = undefined;
    const reached = tops.filter(({ top }) => top <= line).at(-1);
    return this.#wanted?.year ?? reached?.year ?? tops[0]?.year ?? '';
  }
}

/** Keeps the current year's entry of the rail in sight: the rail is a column, or on a narrow page a row. */
function showCurrentInRail(): void {
  const rail = document.querySelector('.rail ol');
  const entry = rail?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
  if (!rail || !entry) return;
  const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = entry;
  if (rail.scrollWidth > rail.clientWidth) rail.scrollLeft = left - (rail.clientWidth - width) / 2;
  if (rail.scrollHeight > rail.clientHeight) rail.scrollTop = top - (rail.clientHeight - height) / 2;
}
