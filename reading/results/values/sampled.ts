//! Series of numbers in one value (<https://hl7.org/fhir/R4/datatypes.html#SampledData>), such as an electrocardiogram.

import type { SampledData } from '../../fhir/types.ts';
import { printedUnitOf, unitSuffix } from '../../fhir/units.ts';
import { joined } from '../../joined.ts';
import type { Words } from '../../language/words.ts';

/** The most points that are read. More points do not help a reader. */
const MAX = 20_000;

/** Returns the points of the first dimension of the data as they are written. */
function pointsOf({ data = '', dimensions = 1 }: SampledData): string[] {
  const points = data.trim().split(/\s+/, MAX * dimensions);
  return points.filter((point, i) => point !== '' && (dimensions <= 1 || i % dimensions === 0));
}

/** Returns the numbers of the first dimension of the data. A point without a number (`E`, `U`, `L`) is `undefined`. */
export const samples = (of: SampledData): (number | undefined)[] =>
  pointsOf(of).map((point) => {
    const value = Number(point);
    return Number.isFinite(value) ? value * (of.factor ?? 1) + (of.origin?.value ?? 0) : undefined;
  });

const shown = (words: Words, value: number): string => words.decimal(String(Number(value.toPrecision(4))));

/** Returns the data in words: the number of points, their distance, and the least and the greatest value. */
export function sampled(words: Words, of: SampledData): string {
  const points = pointsOf(of);
  const marked = (mark: string): number => points.filter((point) => point === mark).length;
  const [above, below] = ['U', 'L'].map(marked);
  const values = samples(of)
    .filter((one) => one !== undefined)
    .sort((a, b) => a - b);
  const [least, most] = [values[0], values.at(-1)];
  const tail = unitSuffix(printedUnitOf(words, of.origin));
  const limit = (message: 'lower limit {value}' | 'upper limit {value}', value: number | undefined): string =>
    value === undefined ? '' : words.t(message, { value: `${shown(words, value)}${tail}` });
  return joined(
    words.t('Series of {n} point|Series of {n} points', { n: points.length }),
    of.period === undefined ? '' : words.t('one every {period}\u00a0ms', { period: words.number(of.period) }),
    least === undefined || most === undefined
      ? ''
      : words.t('from {low} to {high}', { low: shown(words, least), high: `${shown(words, most)}${tail}` }),
    above ? words.t('{n} above what can be measured', { n: above }) : '',
    below ? words.t('{n} below what can be measured', { n: below }) : '',
    limit('lower limit {value}', of.lowerLimit),
    limit('upper limit {value}', of.upperLimit),
  );
}
