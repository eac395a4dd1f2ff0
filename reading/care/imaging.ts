//! Imaging studies (<https://hl7.org/fhir/R4/imagingstudy.html>) in words: modalities, the imaged body sites with their
//! sides, and the numbers of series and images. Elements that are not understood are ignored.

import { firstText, textAt, valuesAt } from '../fhir/element-text.ts';
import { numberIn } from '../fhir/loose.ts';
import { SIDES } from '../fhir/site.ts';
import { codingWords } from '../fhir/text.ts';
import { type Coding, codingShape, conceptShape, type Resource } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, isShaped } from '../shape.ts';

/** Returns the codings of a value, which is a coding or, as in R5, a concept. */
function codingsIn(value: unknown): Coding[] {
  if (isShaped(conceptShape, value) && (value.coding ?? []).length > 0) return value.coding ?? [];
  return isShaped(codingShape, value) ? [value] : [];
}

/** Returns the modalities of a study and of its series, without duplicates. */
export const modalities = (words: Words, study: Resource): string => {
  const values = [...valuesAt(study, 'modality'), ...valuesAt(study, 'series.modality')];
  return [...new Set(values.flatMap((value) => textAt(words, { value }, 'value') ?? []))].join(', ');
};

function sideText(words: Words, value: unknown): string | undefined {
  const codings = codingsIn(value);
  const known = codings.map(({ code = '' }) => own(SIDES, code.toUpperCase())).find((one) => one !== undefined);
  return known
    ? words.t(known)
    : (codings.map((value) => codingWords(words, value)).find(Boolean) ?? textAt(words, { value }, 'value'));
}

/** Returns the imaged parts of the body, each with its side. */
export const imagedSites = (words: Words, study: Resource): string[] => {
  const sites = valuesAt(study, 'series')
    .filter(isObject)
    .flatMap((series) => {
      const site = textAt(words, series, 'bodySite');
      const side = sideText(words, valuesAt(series, 'laterality')[0]);
      if (!site) return side ? [side] : [];
      return side && !site.toLowerCase().includes(side.toLowerCase()) ? [`${site} (${side})`] : [site];
    });
  return [
    ...new Set([...sites, ...valuesAt(study, 'bodySite').flatMap((site) => textAt(words, { site }, 'site') ?? [])]),
  ];
};

/** Returns a number that a study states, or else the number of the items that it lists. */
function countOf(study: Resource, name: string, listed: number): number | undefined {
  const said = numberIn(valuesAt(study, name)[0]);
  return said ?? (listed > 0 ? listed : undefined);
}

/** Returns the numbers that the study states, such as `2 series, 148 images`. */
export function imageCounts(words: Words, study: Resource): string {
  const series = valuesAt(study, 'series').filter(isObject);
  const images = series.map(
    (one) => numberIn(valuesAt(one, 'numberOfInstances')[0]) ?? valuesAt(one, 'instance').length,
  );
  const ofSeries = countOf(study, 'numberOfSeries', series.length);
  const ofImages = countOf(
    study,
    'numberOfInstances',
    images.reduce((sum, n) => sum + n, 0),
  );
  return joined(
    ofSeries === undefined ? '' : words.t('{n} series|{n} series', { n: ofSeries }),
    ofImages === undefined ? '' : words.t('{n} image|{n} images', { n: ofImages }),
  );
}

export const studyName = (words: Words, study: Resource): string | undefined =>
  firstText(words, study, ['description', 'procedureCode', 'procedureReference.display']) ||
  modalities(words, study) ||
  firstText(words, study, ['series.description']);

export const studyReason = (words: Words, study: Resource): string | undefined =>
  textAt(words, study, 'reasonCode', 'reasonReference');
