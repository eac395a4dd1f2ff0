//! A trend as an SVG picture: a line, its points and the reference band. Points outside the range differ in shape, not
//! only in colour. The picture has a label in words, and the table beside it has the same values. An assistant's widget
//! draws with it, too.

import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { digits } from '#reading/fhir/text.ts';
import type { Point, Series } from '#reading/results/trends/series.ts';
import { t, words } from '../../language/message.ts';
import { axesView, n } from '../../plot/axes.ts';
import { BOTTOM, LEFT, RIGHT, type Scale, scaleOf, TOP } from '../../plot/scale.ts';
import type { PlotSize } from '../../plot/size.ts';

/** Returns the line through some points, with gaps where `isOff` says so. */
const line = (points: Point[], { x, y }: Scale, isOff: (point: Point) => boolean): string =>
  points
    .map((point, i) => {
      const isFirst = i === 0 || points.slice(i - 1, i).some(isOff);
      return isOff(point) ? '' : `${isFirst ? 'M' : 'L'}${n(x(point.at))} ${n(y(point.value))}`;
    })
    .join('');

type Corner = [x: number, y: number];
const polygon = (...corners: Corner[]): string => `M${corners.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`;

/** Returns a triangle of size `r` around a point. It points up if `tip` is 1, and down if it is -1. */
const triangle = ([x, y]: Corner, r: number, tip: number): string =>
  polygon([x, y - tip * (r + 1)], [x + r + 1, y + tip * r], [x - r - 1, y + tip * r]);

/** Returns two flat triangles, one above the other. */
const twoTriangles = ([x, y]: Corner, r: number, tip: number): string =>
  [y - r, y + r]
    .map((middle) => {
      const base = middle + tip * r * 0.7;
      return polygon([x, middle - tip * r], [x + r + 1, base], [x - r - 1, base]);
    })
    .join('');

const diamond = ([x, y]: Corner, r: number): string =>
  polygon([x, y - r - 1], [x + r + 1, y], [x, y + r + 1], [x - r - 1, y]);

const circle = ([x, y]: Corner, r: number): string =>
  `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

const square = ([x, y]: Corner, half: number): string =>
  polygon([x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]);

/** Returns the CSS classes of a mark. Marks with the same classes are drawn as one path. */
function lookOf({ flag, isBound }: Point): string {
  const far = /^(?:far|critical)-/.test(flag ?? '');
  return `mark${isBound ? ' bound' : ''}${flag ? ' out' : ''}${far ? ' far' : ''}`;
}

const isOut = (look: string): boolean => look.includes(' out');

/**
 * Returns the outline of a mark: a circle for the first series, a square for others. A value outside the range has a
 * triangle, far outside two of them, and one with another flag a diamond.
 */
function outline({ at, value, flag }: Point, series: number, { x, y }: Scale, isChosen: boolean): string {
  const middle: Corner = [x(at), y(value)];
  const r = isChosen ? 6.5 : 4;
  const [, far, way] = /^(?:(far|critical)-)?(high|low)$/.exec(flag ?? '') ?? [];
  if (way) return (far ? twoTriangles : triangle)(middle, r, way === 'high' ? 1 : -1);
  if (flag) return diamond(middle, r);
  return series === 0 ? circle(middle, isChosen ? 6 : 3.4) : square(middle, isChosen ? 5.5 : 3.2);
}

/** Draws the marks of a series, one path for each look: an element for each of a thousand points would be slow. */
function marks(points: Point[], series: number, scale: Scale): TemplateResult[] {
  // Points outside the range are drawn over the others.
  const looks = [...Map.groupBy(points, lookOf)].sort(([one], [other]) => Number(isOut(one)) - Number(isOut(other)));
  return looks.map(
    ([look, alike]) =>
      svg`<path class=${look} data-n=${series}
        d=${alike.map((point) => outline(point, series, scale, false)).join('')}></path>`,
  );
}

/** Draws the mark of a selected or compared point, over the others. */
const chosenMark = (point: Point, series: number, scale: Scale): TemplateResult =>
  svg`<path class=${`${lookOf(point)} chosen`} data-n=${series} d=${outline(point, series, scale, true)}></path>`;

/** The selected moment, the moment to compare it with, both in milliseconds since 1970, and a way to select one. */
interface PlotSelection {
  at: number | undefined;
  pinned?: number | undefined;
  choose(at: number): void;
  /** True if a bound is a text instead of a mark, and no line leads to it. */
  hasBoundsAsText?: boolean;
}

const boundText = (point: Point, { x, y }: Scale): TemplateResult =>
  svg`<text class=${point.flag ? 'bound-value out' : 'bound-value'} x=${n(x(point.at))} y=${n(y(point.value) + 4)}
    text-anchor="middle">${point.text}</text>`;

/** Draws the values of the selected moment above the picture. */
function chosenText(series: Series[], { x, width }: Scale, at: number | undefined): TemplateResult | typeof nothing {
  const texts = series.flatMap(({ points }) => points.filter((point) => point.at === at).map(({ text }) => text));
  if (at === undefined || texts.length === 0) return nothing;
  const anchor = x(at) > width / 2 ? 'end' : 'start';
  return svg`<text class="chosen-value" x=${n(x(at))} y=${TOP - 4} text-anchor=${anchor}>${texts.join(' · ')}</text>`;
}

/** Returns the scale of a plot. The bars under the plot use the same scale. */
export const plotScale = (series: Series[], { width, height }: PlotSize): Scale => scaleOf(series, width, height);

/** Draws series with a label in words. */
export function plot(
  series: Series[],
  size: PlotSize,
  { at, pinned, choose, hasBoundsAsText = false }: PlotSelection,
  label: string,
): TemplateResult {
  const shown = series.filter(({ points }) => points.length > 0);
  if (shown.length === 0) return html`<p class="state empty">${t('There are no numbers to draw.')}</p>`;
  const scale = plotScale(shown, size);
  const { x, y, width, height } = scale;
  const isText = ({ isBound }: Point): boolean => hasBoundsAsText && isBound;
  const nearest = (event: PointerEvent): void => {
    if (!(event.currentTarget instanceof Element)) return;
    const box = event.currentTarget.getBoundingClientRect();
    const wanted = ((event.clientX - box.left) / box.width) * width;
    const points = shown.flatMap(({ points: all }) => all);
    const best = points.reduce((a, b) => (Math.abs(x(b.at) - wanted) < Math.abs(x(a.at) - wanted) ? b : a));
    if (best.at !== at) choose(best.at);
  };
  const band = ({ low, high, limits }: Series): TemplateResult | typeof nothing => {
    if (low === undefined && high === undefined) return nothing;
    const top = high === undefined ? TOP : y(high);
    const bottom = low === undefined ? height - BOTTOM : y(low);
    const limit = (value: number | undefined, said = ''): TemplateResult | typeof nothing =>
      value === undefined
        ? nothing
        : svg`<line class="edge" x1=${LEFT} x2=${width - RIGHT} y1=${n(y(value))} y2=${n(y(value))}></line>
          <text class="edge-value" x=${width - RIGHT + 4} y=${n(y(value) + 4)}>${words().decimal(said)}</text>`;
    const tall = n(Math.max(0, bottom - top));
    return svg`<rect class="band" x=${LEFT} width=${width - LEFT - RIGHT} y=${n(top)} height=${tall}></rect>
      ${limit(low, digits(limits?.low))}${limit(high, digits(limits?.high))}`;
  };
  const upright = (moment: number | undefined, kind: string): TemplateResult | typeof nothing =>
    moment === undefined
      ? nothing
      : svg`<line class=${kind} x1=${n(x(moment))} x2=${n(x(moment))} y1=${TOP} y2=${height - BOTTOM}></line>`;
  return html`<svg class="plot" viewBox=${`0 0 ${width} ${height}`} role="img"
    aria-label=${label} @pointermove=${nearest} @pointerdown=${nearest}>
    ${shown.map(band)}
    ${axesView(scale, scale.months)}
    <text class="unit" x=${LEFT - 7} y=${TOP - 4} text-anchor="end">${shown[0]?.unit}</text>
    ${upright(pinned, 'pin')}${upright(at, 'cursor')}
    ${shown.map(
      (one, i) =>
        svg`${guard(
          [one, width],
          () =>
            svg`<path class="line" data-n=${i} d=${line(one.points, scale, isText)}></path>${marks(
              one.points.filter((point) => !isText(point)),
              i,
              scale,
            )}${one.points.filter(isText).map((point) => boundText(point, scale))}`,
        )}${one.points
          .filter((point) => !isText(point) && (point.at === at || point.at === pinned))
          .map((point) => chosenMark(point, i, scale))}`,
    )}${chosenText(shown, scale, at)}
  </svg>`;
}

/** Draws a trend as small as a word. It is hidden from screen readers: the row has the same in words. */
export function sparkline(series: Series[]): TemplateResult | typeof nothing {
  // A line between only two readings would suggest a trend that is not there.
  const shown = series.filter(({ points }) => points.length > 2);
  if (shown.length === 0) return nothing;
  const [width, height, air] = [112, 28, 4];
  const points = shown.flatMap((one) => one.points);
  const [from, until] = [Math.min(...points.map(({ at }) => at)), Math.max(...points.map(({ at }) => at))];
  const limits = shown.length === 1 ? [shown[0]?.low, shown[0]?.high] : [];
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (at: number): number => air + ((at - from) / (until - from || 1)) * (width - 2 * air);
  const y = (value: number): number => air + (1 - (value - least) / (most - least || 1)) * (height - 2 * air);
  const clamp = (value: number): number => Math.min(height, Math.max(0, value));
  const [low, high] = limits;
  const [top, bottom] = [high === undefined ? 0 : clamp(y(high)), low === undefined ? height : clamp(y(low))];
  return html`<svg class="spark" viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
    ${
      low === undefined && high === undefined
        ? nothing
        : svg`<rect class="band" x="0" width=${width} y=${n(top)} height=${n(Math.max(0, bottom - top))}></rect>`
    }
    ${shown.map(
      (one) => svg`<path class="line" d=${one.points
        .map((p, i) => `${i ? 'L' : 'M'}${n(x(p.at))} ${n(y(p.value))}`)
        .join('')}></path>
      ${one.points
        .slice(-1)
        .map(
          ({ at, value, flag }) =>
            svg`<circle class=${flag ? 'end out' : 'end'} cx=${n(x(at))} cy=${n(y(value))} r="2.6"></circle>`,
        )}`,
    )}
  </svg>`;
}
