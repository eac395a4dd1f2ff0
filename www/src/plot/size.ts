//! The size of a plot by the width of the page: its letters are drawn with it, and would be too small on a narrow page.

const PHONE = matchMedia('(max-width: 620px)');
const TABLET = matchMedia('(max-width: 960px)');

/** The size of a picture, in the units of its drawing. */
export interface PlotSize {
  width: number;
  height: number;
}

/** The size of a plot on the page as it is now. `heights`: on a phone, on a tablet, and on a wider page. */
export function plotSize([phone, tablet, wide]: readonly [number, number, number]): PlotSize {
  if (PHONE.matches) return { width: 340, height: phone };
  return TABLET.matches ? { width: 700, height: tablet } : { width: 1100, height: wide };
}
