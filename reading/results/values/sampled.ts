//! Series of numbers in one value (<https://hl7.org/fhir/R4/datatypes.html#SampledData>), such as an electrocardiogram.

import type { SampledData } from '../../fhir/types.ts';
import { printedUnitOf, unitSuffix } from '../../fhir/units.ts';
import { joined } from '../../joined.ts';
import type { Words } from '../../language/words.ts';

/** The most points that are read. More points do not help a reader. */
const MAX = 20_000;

/** Returns the numbers of the first dimension of the data. A point without a number (`E`, `U`, `L`) is `undefined`. */
export function samples({ data = '', factor = 1, origin, dimensions = 1 }: SampledData): (number | undefined)[] {
  const words = data
    .trim()
    .split(/\s+/, MAX * dimensions)
    .filter(Boolean);
  const own = dimensions > 1 ? words.filter((_, i) => i % dimensions === 0) : words;
  return own.map((word) => {
    const value = Number(word);
    return Number.isFinite(value) ? value * factor + (origin?.value ?? 0) : undefined;
  });
}

const shown = (words: Words, value: number): string => words.decimal(String(Number(value.toPrecision(4))));

/** Returns the data in words: the number of points, their distance, and the least and the greatest value. */
export function sampled(words: Words, of: SampledData): string {
  const points = samples(of);
  const values = points.filter((one) => one !== undefined);
  const tail = unitSuffix(printedUnitOf(words, of.origin));
  const ends = values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
  return joined(
    words.t('Series of {n} point|Series of {n} points', { n: points.length }),
    of.period === undefined ? '' : words.t('one every {period}\u00a0ms', { period: words.number(of.period) }),
    values.length > 0
      ? words.t('from {low} to {high}', { low: shown(words, ends[0]), high: `${shown(words, ends[1])}${tail}` })
      : '',
    of.lowerLimit === undefined
      ? ''
      : words.t('lower limit {value}', { value: `${shown(words, of.lowerLimit)}${tail}` }),
    of.upperLimit === undefined
      ? ''
      : words.t('upper limit {value}', { value: `${shown(words, of.upperLimit)}${tail}` }),
  );
}
