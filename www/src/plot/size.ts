//! The size of a plot by the width of the page. The letters scale with the plot: those of a wide one are illegible on a
//! phone, and those of a narrow one huge on a page of 760 pixels, where the layout of phones begins.

const PHONE = matchMedia('(max-width: 620px)');
const TABLET = matchMedia('(max-width: 960px)');

/** The size of a picture, in the units of its drawing. */
export interface PlotSize {
  width: number;
  height: number;
}

/** Returns the size of a plot on the page as it is now. The heights are for phones, tablets and wider pages. */
export function plotSize([phone, tablet, wide]: readonly [number, number, number]): PlotSize {
  if (PHONE.matches) return { width: 340, height: phone };
  return TABLET.matches ? { width: 700, height: tablet } : { width: 1100, height: wide };
}
