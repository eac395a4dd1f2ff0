//! The drawing of the axes of a plot.

import { svg, type TemplateResult } from 'lit-html';
import { words } from '../language/language.ts';
import { BOTTOM, LEFT, RIGHT } from './scale.ts';

/** Returns a coordinate with one decimal. */
export const n = (value: number): string => value.toFixed(1);

interface Axes {
  x(at: number): number;
  y(value: number): number;
  ticks: readonly number[];
  width: number;
  height: number;
}

/** Draws the marks of both axes. `marks` are those of the time axis. */
export const axesView = (
  { x, y, ticks, width, height }: Axes,
  marks: readonly { at: number; label: string }[],
): TemplateResult =>
  svg`${ticks.map(
    (tick) =>
      svg`<g class="tick"><line x1=${LEFT} x2=${width - RIGHT} y1=${n(y(tick))} y2=${n(y(tick))}></line>
      <text x=${LEFT - 7} y=${n(y(tick) + 4)} text-anchor="end">${words().decimal(String(tick))}</text></g>`,
  )}${marks.map(({ at, label }) => {
    const inside = Math.min(width - 18, Math.max(LEFT + 8, x(at)));
    return svg`<g class="tick time"><line x1=${n(x(at))} x2=${n(x(at))} y1=${height - BOTTOM}
    y2=${height - BOTTOM + 4}></line><text x=${n(inside)} y=${height - 7} text-anchor="middle">${label}</text></g>`;
  })}`;
