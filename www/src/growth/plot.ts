//! A growth chart as SVG: the curves of a standard, and the measurements of the child. The table beside it says the
//! same.

import { html, svg, type TemplateResult } from 'lit-html';
import { percentileText } from '#reading/growth/lms.ts';
import { MEASURES } from '#reading/growth/measurements.ts';
import { type Curve, curves, MONTH, type StandardType } from '#reading/growth/standards.ts';
import type { GrowthRow, GrowthTable } from '#reading/growth/table.ts';
import { t, words } from '../language/message.ts';
import { axesView, n } from '../plot/axes.ts';
import type { PlotSize } from '../plot/size.ts';
import { endOfChart, growthScale, namedCurves } from './plot-scale.ts';

const path = (corners: [x: number, y: number][]): string =>
  corners.map(([x, y], i) => `${i ? 'L' : 'M'}${n(x)} ${n(y)}`).join('');

interface Plotted {
  row: GrowthRow;
  months: number;
  amount: number;
}

/** The measurements that a standard's chart shows. */
export const plottedOn = ({ rows }: GrowthTable, standard: StandardType): Plotted[] =>
  rows.flatMap((row) => {
    const { age, amount } = row.measurement;
    if (row.standard?.id !== standard.id || age === undefined || amount === undefined) return [];
    return [{ row, months: Math.max(standard.from, age / MONTH), amount }];
  });

function sentence({ measure }: GrowthTable, standard: StandardType, plotted: Plotted[]): string {
  const title = t(MEASURES[measure].title);
  const latest = plotted.at(-1);
  if (!latest) return t('{title}: no measurement at the ages of this chart.', { title });
  const { measurement, percentile } = latest.row;
  const { text: value, ageText: age } = measurement;
  const measurements = t('{n} measurement|{n} measurements', { n: plotted.length });
  const curvesText = t('{title}: {measurements} on the percentile curves of the {standard}.', {
    title,
    measurements,
    standard: t(standard.title),
  });
  const latestText =
    percentile === undefined
      ? t('Latest {value} at {age}.', { value, age })
      : t('Latest {value} at {age}, {percentile}.', { value, age, percentile: percentileText(words(), percentile) });
  return `${curvesText} ${latestText}`;
}

export function growthPlot(table: GrowthTable, standard: StandardType, { width, height }: PlotSize): TemplateResult {
  const { measure, sex } = table;
  const plotted = plottedOn(table, standard);
  const oldest = Math.max(standard.from, ...plotted.map(({ months }) => months));
  const until = endOfChart(standard.until, oldest);
  const drawn = curves(standard, measure, sex, until);
  const last = drawn[0]?.points.at(-1)?.months ?? until;
  const scale = growthScale(
    drawn,
    plotted.map(({ amount }) => amount),
    { from: standard.from, until: Math.max(until, oldest), width, height },
  );
  const { x, y } = scale;
  const corners = ({ points }: Curve): [number, number][] => points.map(({ months, value }) => [x(months), y(value)]);
  const [lowest, highest] = [drawn[0], drawn.at(-1)];
  const band = lowest && highest ? `${path([...corners(lowest), ...corners(highest).toReversed()])}Z` : '';
  return html`<svg class="plot growth" viewBox=${`0 0 ${width} ${height}`} role="img"
    aria-label=${sentence(table, standard, plotted)}>
    <path class="band" d=${band}></path>
    ${axesView(scale, scale.ages)}
    ${drawn.map(
      (curve) => svg`<path class="curve" data-percentile=${curve.percentile} d=${path(corners(curve))}></path>`,
    )}
    ${namedCurves(drawn, y).map(
      ({ percentile, y: at }) => svg`<text class="curve-name" x=${n(x(last) + 5)} y=${n(at + 4)}>${percentile}</text>`,
    )}
    <path class="line" d=${path(plotted.map(({ months, amount }) => [x(months), y(amount)]))}></path>
    ${plotted.map(
      ({ months, amount }) => svg`<circle class="mark" cx=${n(x(months))} cy=${n(y(amount))} r="4"></circle>`,
    )}
  </svg>`;
}
