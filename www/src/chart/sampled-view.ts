//! Sampled data (a series of numbers in one value) as a small drawing. The words beside it say the same.

import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Observation, SampledData } from '#reading/fhir/types.ts';
import { nameOfValue } from '#reading/results/names.ts';
import { sampled, samples } from '#reading/results/sampled.ts';
import { words } from '../language/language.ts';
import { extent } from '../plot/scale.ts';

const [WIDTH, HEIGHT, AIR] = [480, 72, 3];
/** The most points that are drawn. If there are more, only the least and the greatest of each stretch are drawn. */
const MAX = 1200;

/** Returns the points to draw, in order: all of them, or the least and the greatest of each stretch. */
function thinned(values: readonly (number | undefined)[]): [at: number, value: number][] {
  const all = values.flatMap((value, i): [number, number][] => (value === undefined ? [] : [[i, value]]));
  if (all.length <= MAX) return all;
  const stretch = Math.ceil(all.length / (MAX / 2));
  return Array.from({ length: Math.ceil(all.length / stretch) }, (_, i) =>
    all.slice(i * stretch, (i + 1) * stretch),
  ).flatMap((some) => {
    const sorted = some.toSorted((a, b) => a[1] - b[1]);
    const ends = [sorted[0], sorted.at(-1)].filter((one) => one !== undefined);
    return ends.sort((a, b) => a[0] - b[0]);
  });
}

function drawing(of: SampledData): TemplateResult | typeof nothing {
  const values = samples(of);
  const points = thinned(values);
  if (points.length < 2) return nothing;
  const [least, most] = extent(points.map(([, value]) => value));
  const x = (at: number): number => AIR + (at / (values.length - 1)) * (WIDTH - 2 * AIR);
  const y = (value: number): number => AIR + (1 - (value - least) / (most - least || 1)) * (HEIGHT - 2 * AIR);
  const path = points.map(([at, value], i) => `${i ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const line = svg`<path class="line" d=${path}></path>`;
  return html`<svg class="plot sampled" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img"
    aria-label=${sampled(words(), of)}>${line}</svg>`;
}

/** Draws the sampled data of an observation and of its components. */
export function sampledView(o: Observation): TemplateResult | typeof nothing {
  const parts = [o, ...(o.component ?? [])].flatMap((of) =>
    of.valueSampledData ? [{ name: of === o ? undefined : nameOfValue(words(), of), of: of.valueSampledData }] : [],
  );
  if (parts.length === 0) return nothing;
  return html`${parts.map(
    ({ name, of }) => html`<div>${name ? html`<span class="label">${name}</span>` : nothing}${drawing(of)}</div>`,
  )}`;
}
