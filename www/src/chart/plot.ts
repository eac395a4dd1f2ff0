//! A trend as a picture: a line, its points, the reference band. Drawn as SVG, so that it prints, scales and needs no library.
//! What lies outside the range is told by shape; the picture has a sentence, and beside it there is always the table.

import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { summary, type Point, type Series } from '../fhir/measure.ts';
import { digits } from '../fhir/text.ts';

const LEFT = 46;
const RIGHT = 34;
const TOP = 14;
const BOTTOM = 26;
const YEAR = 31_557_600_000;

export interface Scale {
  x(at: number): number;
  y(value: number): number;
  ticks: number[];
  months: { at: number; label: string }[];
  width: number;
  height: number;
}

/** Steps that people count in: 1, 2 or 5 times a power of ten. */
function steps(from: number, until: number, wanted: number): number[] {
  const rough = (until - from) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const first = Math.ceil(from / step) * step;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: Math.floor((until - first) / step + 1e-9) + 1 }, (_, i) =>
    Number((first + i * step).toFixed(digits)),
  );
}

function times(from: number, until: number, wanted: number): { at: number; label: string }[] {
  const span = until - from;
  const [first, last] = [new Date(from).getUTCFullYear(), new Date(until).getUTCFullYear()];
  if (span > 1.6 * YEAR) {
    const every = Math.max(1, Math.ceil((last - first + 1) / wanted));
    return Array.from({ length: last - first + 2 }, (_, i) => first + i)
      .filter((year) => (year - first) % every === 0)
      .map((year) => ({ at: Date.UTC(year, 0, 1), label: String(year) }))
      .filter(({ at }) => at >= from && at <= until);
  }
  const day = 86_400_000;
  if (span < 60 * day) {
    const every = Math.max(1, Math.ceil(span / day / wanted));
    const start = Math.ceil(from / day) * day;
    return Array.from({ length: Math.floor(span / day / every) + 1 }, (_, i) => start + i * every * day)
      .filter((at) => at <= until)
      .map((at) => ({
        at,
        label: new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      }));
  }
  const months = (last - first) * 12 + 12;
  const every = Math.max(1, Math.ceil(span / (YEAR / 12) / wanted));
  return Array.from({ length: months + 1 }, (_, i) => i)
    .filter((i) => i % every === 0)
    .map((i) => Date.UTC(first, i, 1))
    .filter((at) => at >= from && at <= until)
    .map((at) => ({
      at,
      label: new Date(at).toLocaleDateString('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' }),
    }));
}

function scaleOf(series: Series[], width: number, height: number): Scale {
  const points = series.flatMap((one) => one.points);
  const values = [...points.map(({ value }) => value), ...series.flatMap(({ low, high }) => [low, high])].filter(
    (value) => value !== undefined,
  );
  let [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) [least, most] = [least - 1, most + 1];
  const air = (most - least) * 0.08;
  // A scale that could begin at nought does where that costs little.
  [least, most] = [least >= 0 && least < (most - least) * 0.4 ? 0 : least - air, most + air];
  let [from, until] = [Math.min(...points.map(({ at }) => at)), Math.max(...points.map(({ at }) => at))];
  if (from === until) [from, until] = [from - 15 * 86_400_000, until + 15 * 86_400_000];
  const wide = (until - from) * 0.015;
  [from, until] = [from - wide, until + wide];
  return {
    x: (at) => LEFT + ((at - from) / (until - from)) * (width - LEFT - RIGHT),
    y: (value) => TOP + (1 - (value - least) / (most - least)) * (height - TOP - BOTTOM),
    ticks: steps(least, most, height < 200 ? 3 : 5),
    months: times(from, until, width < 500 ? 4 : 9),
    width,
    height,
  };
}

const n = (value: number): string => value.toFixed(1);
const line = (points: Point[], { x, y }: Scale): string =>
  points.map(({ at, value }, i) => `${i ? 'L' : 'M'}${n(x(at))} ${n(y(value))}`).join('');

/** A circle of the first series, a square of another; out of the range a triangle, far out two of them. */
function mark(point: Point, series: number, { x, y }: Scale, chosen: boolean): TemplateResult {
  const [cx, cy] = [x(point.at), y(point.value)];
  const r = chosen ? 6.5 : 4;
  const kind = `mark${chosen ? ' chosen' : ''}`;
  const triangle = (tip: number): string =>
    `M${n(cx)} ${n(cy - tip * (r + 1))}L${n(cx + r + 1)} ${n(cy + tip * r)}H${n(cx - r - 1)}Z`;
  const two = (tip: number): string =>
    [-1, 1]
      .map(
        (side) =>
          `M${n(cx)} ${n(cy + side * r - tip * r)}L${n(cx + r + 1)} ${n(cy + side * r + tip * r * 0.7)}H${n(cx - r - 1)}Z`,
      )
      .join('');
  const [, far, way] = /^(?:(far|critical)-)?(high|low)$/.exec(point.flag ?? '') ?? [];
  if (way)
    return svg`<path class=${`${kind} out${far ? ' far' : ''}`} data-n=${series} d=${(far ? two : triangle)(
      way === 'high' ? 1 : -1,
    )}></path>`;
  if (point.flag)
    return svg`<path class=${`${kind} out`} data-n=${series}
      d=${`M${n(cx)} ${n(cy - r - 1)}L${n(cx + r + 1)} ${n(cy)}L${n(cx)} ${n(cy + r + 1)}L${n(cx - r - 1)} ${n(cy)}Z`}></path>`;
  const half = chosen ? 5.5 : 3.2;
  return series === 0
    ? svg`<circle class=${kind} cx=${n(cx)} cy=${n(cy)} r=${chosen ? 6 : 3.4}></circle>`
    : svg`<rect class=${kind} data-n=${series} x=${n(cx - half)} y=${n(cy - half)} width=${2 * half}
      height=${2 * half}></rect>`;
}

export interface Chosen {
  at: number | undefined;
  pinned: number | undefined;
  choose(at: number): void;
}

export function plot(series: Series[], narrow: boolean, { at, pinned, choose }: Chosen): TemplateResult {
  const shown = series.filter(({ points }) => points.length > 0);
  if (shown.length === 0) return html`<p class="state empty">There are no numbers to draw.</p>`;
  const scale = scaleOf(shown, narrow ? 340 : 1100, narrow ? 240 : 330);
  const { x, y, width, height, ticks, months } = scale;
  const nearest = (event: PointerEvent): void => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const wanted = ((event.clientX - box.left) / box.width) * width;
    const points = shown.flatMap(({ points: all }) => all);
    const best = points.reduce((a, b) => (Math.abs(x(b.at) - wanted) < Math.abs(x(a.at) - wanted) ? b : a));
    if (best.at !== at) choose(best.at);
  };
  const band = ({ low, high, limits }: Series): TemplateResult | typeof nothing => {
    if (low === undefined && high === undefined) return nothing;
    const top = high === undefined ? TOP : y(high);
    const bottom = low === undefined ? height - BOTTOM : y(low);
    const edge = (value: number | undefined, said: string | undefined): TemplateResult | typeof nothing =>
      value === undefined
        ? nothing
        : svg`<line class="edge" x1=${LEFT} x2=${width - RIGHT} y1=${n(y(value))} y2=${n(y(value))}></line>
          <text class="edge-value" x=${width - RIGHT + 4} y=${n(y(value) + 4)}>${said}</text>`;
    return svg`<rect class="band" x=${LEFT} width=${width - LEFT - RIGHT} y=${n(top)}
      height=${n(Math.max(0, bottom - top))}></rect>${edge(low, digits(limits?.low))}${edge(high, digits(limits?.high))}`;
  };
  const upright = (moment: number | undefined, kind: string): TemplateResult | typeof nothing =>
    moment === undefined
      ? nothing
      : svg`<line class=${kind} x1=${n(x(moment))} x2=${n(x(moment))} y1=${TOP} y2=${height - BOTTOM}></line>`;
  return html`<svg class="plot" viewBox=${`0 0 ${width} ${height}`} role="img"
    aria-label=${shown.map(summary).join(' ')} @pointermove=${nearest} @pointerdown=${nearest}>
    ${shown.map(band)}
    ${ticks.map(
      (tick) =>
        svg`<g class="tick"><line x1=${LEFT} x2=${width - RIGHT} y1=${n(y(tick))} y2=${n(y(tick))}></line>
          <text x=${LEFT - 7} y=${n(y(tick) + 4)} text-anchor="end">${tick}</text></g>`,
    )}
    ${months.map(
      ({ at: moment, label }) =>
        svg`<g class="tick time"><line x1=${n(x(moment))} x2=${n(x(moment))} y1=${height - BOTTOM}
          y2=${height - BOTTOM + 4}></line><text x=${n(
            Math.min(width - 18, Math.max(LEFT + 8, x(moment))),
          )} y=${height - 7} text-anchor="middle">${label}</text></g>`,
    )}
    ${upright(pinned, 'pin')}${upright(at, 'cursor')}
    ${shown.map(
      (one, i) =>
        svg`<path class="line" data-n=${i} d=${line(one.points, scale)}></path>${one.points.map((point) =>
          mark(point, i, scale, point.at === at || point.at === pinned),
        )}`,
    )}
  </svg>`;
}

/** A trend the size of a word. The row that it stands in says the same. */
export function spark(series: Series[]): TemplateResult | typeof nothing {
  const shown = series.filter(({ points }) => points.length > 1);
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
  const last = (one: Series): Point => one.points.at(-1) as Point;
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
      <circle class=${last(one).flag ? 'end out' : 'end'} cx=${n(x(last(one).at))} cy=${n(y(last(one).value))}
        r="2.6"></circle>`,
    )}
  </svg>`;
}
