//! The reader's position in a chart: the section that is read, and whether the patient's name is out of sight.

import { signal } from '@preact/signals-core';
import { SECTIONS } from '../../chart/sections.ts';
import { type DrawnPart, HeadingPosition } from '../../parts/heading-position.ts';

/** Follows the sections of a chart, by their ids. */
export class ReadingPosition extends HeadingPosition {
  readonly isNameOutOfSight = signal(false);

  constructor() {
    super(SECTIONS[0]?.id ?? '');
  }

  protected override headingOf(id: string): HTMLElement | null {
    return document.getElementById(`${id}-title`);
  }

  protected override drawn(): DrawnPart[] {
    return SECTIONS.flatMap(({ id }) => {
      // The section itself is measured: the browser may skip its content, and measuring that would force a layout.
      const top = document.getElementById(id)?.getBoundingClientRect().top;
      return top === undefined ? [] : [{ name: id, top }];
    });
  }

  protected override lookFurther(): void {
    const bottom = (of: string): number => document.querySelector(of)?.getBoundingClientRect().bottom ?? 0;
    // On a narrow page the header scrolls away with the rest.
    this.isNameOutOfSight.value = bottom('.patient h1') < Math.max(0, bottom('header.top'));
  }

  /** Scrolls the index, which is a row on a narrow page. */
  protected override showCurrent(): void {
    const row = document.querySelector('.index ul');
    const entry = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && entry && row.scrollWidth > row.clientWidth) row.scrollLeft = entry.offsetLeft - 24;
  }
}
