//! The reader's position in a timeline: the year that is read.

import { type DrawnPart, HeadingPosition } from '../../../parts/heading-position.ts';

/** Follows the years of a timeline, each from its first day on the page. */
export class YearPosition extends HeadingPosition {
  constructor() {
    super('');
  }

  protected override headingOf(year: string): HTMLElement | null {
    return document.getElementById(`year-${year}`)?.querySelector('h3') ?? null;
  }

  protected override drawn(): DrawnPart[] {
    return [...(document.querySelector('.days')?.children ?? [])].flatMap((run) => {
      const name = run.getAttribute('data-year');
      return name === null ? [] : [{ name, top: run.getBoundingClientRect().top }];
    });
  }

  /** Scrolls the rail, which is a column, or a row on a narrow page. */
  protected override showCurrent(): void {
    const rail = document.querySelector('.rail ol');
    const entry = rail?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
    if (!rail || !entry) return;
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = entry;
    if (rail.scrollWidth > rail.clientWidth) rail.scrollLeft = left - (rail.clientWidth - width) / 2;
    if (rail.scrollHeight > rail.clientHeight) rail.scrollTop = top - (rail.clientHeight - height) / 2;
  }
}
