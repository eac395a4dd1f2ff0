//! An observation in words: its value, its flags with the words of the laboratory, or the mark of a usual range, its
//! ranges, and what is odd in them.

import { clipped, concept, concepts } from '../fhir/text.ts';
import type { Measured, Observation, ReferenceRange } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { FLAGS, type Flag, type JudgedPart, type Judgement, judgements } from './flag.ts';
import { isFlag } from './flag-signs.ts';
import type { Said } from './interpretation.ts';
import { shortName } from './names.ts';
import { range, reading } from './reading.ts';
import { isOfNormal } from './reference-range.ts';
import { usualMarkText, usualRanges } from './usual-range.ts';

/** The name of a component. */
export const partName = (part: Measured): string => shortName(concept(part.code) ?? t('Unnamed')).main;

/** A flag as it is shown: its word, and the words of the laboratory beside it. */
export interface FlagWords {
  main: string | undefined;
  more: string[];
}

/** Words that stand for a code, in the language of the page; words of the laboratory as they are, in quotes. */
function saidText({ words, isOurs, sense }: Said): string {
  if (isOurs && sense === 'normal' && words === 'Normal') return t('“Normal” by the laboratory');
  return isOurs ? t(words) : `“${clipped(words, 60)}”`;
}

/** The words of a judgement. Those of a code that says more than the flag stand in its place. */
export function flagWords({ flag, said }: Judgement): FlagWords {
  const side = (one: string): string => one.replace(/^(far|critical)-/, '');
  const isOfSide = (one: Flag): boolean =>
    flag !== undefined && (side(one) === side(flag) || ['abnormal', 'critical'].includes(one));
  const inPlace = said.find(({ isOurs, sense }) => isOurs && isFlag(sense) && isOfSide(sense));
  return {
    main: inPlace ? saidText(inPlace) : flag && t(FLAGS[flag].says),
    more: said.filter((one) => one !== inPlace).map(saidText),
  };
}

/** The flags of an observation in plain text: its own, and those of its components with their names. */
export const flagTexts = (o: Observation): string[] =>
  judgements(o).flatMap(({ part, judgement }) => {
    const { main, more } = flagWords(judgement);
    const said = [main?.toLowerCase(), ...more].filter(Boolean).join(', ');
    return said ? (part ? `${partName(part)}: ${said}` : said) : [];
  });

/** What is odd about the ranges of an observation, each sentence once. */
export const noteTexts = (o: Observation): string[] => [
  ...new Set(
    judgements(o).flatMap(({ part, judgement }) =>
      judgement.notes.map((note) => (part ? `${partName(part)}: ${note}` : note)),
    ),
  ),
];

/** The words on an observation beside its value: where it was measured, in what, and its notes. */
export const remarks = ({ bodySite, specimen, note }: Observation): string[] => [
  ...labelledText(t('Site'), concept(bodySite)),
  ...labelledText(t('Specimen'), specimen?.display),
  ...(note ?? []).flatMap(({ text }) => (text?.trim() ? clipped(text) : [])),
];

const labelledText = (label: string, text: string | undefined): string[] =>
  text?.trim() ? [`${label}: ${clipped(text)}`] : [];

/** A range with what it is of and for whom it holds, where it says so. */
function rangeText(one: ReferenceRange): string | undefined {
  const said = range(one);
  const about = [
    isOfNormal(one) ? undefined : concept(one.type),
    concepts(one.appliesTo),
    one.age && t('age {ages}', { ages: range(one.age) ?? '' }),
  ].filter(Boolean);
  return said && about.length > 0 ? `${about.join(', ')}: ${said}` : said;
}

/** The ranges of a value: the one by which it is judged, then those that are not of what is normal. */
function rangesOfPart(of: Measured, { range: chosen }: Judgement): string[] {
  const all = of.referenceRange ?? [];
  const shown = chosen ? all.filter((one) => isSameRange(one, chosen) || !isOfNormal(one)) : all;
  const first = (one: ReferenceRange): number => (chosen && isSameRange(one, chosen) ? 0 : 1);
  const texts = shown
    .toSorted((a, b) => first(a) - first(b))
    .flatMap((one) => (chosen && isSameRange(one, chosen) ? range(one) : rangeText(one)) || []);
  // One that was put together from two is none of them.
  const isThere = !chosen || shown.some((one) => isSameRange(one, chosen));
  return [...new Set(isThere ? texts : [range(chosen) ?? '', ...texts])].filter(Boolean);
}

/** Returns whether a range is the chosen one, of which the ends may have been read from its text. */
const isSameRange = (one: ReferenceRange, chosen: ReferenceRange): boolean =>
  one === chosen ||
  (one.low === chosen.low && one.high === chosen.high && (one.low ?? one.high) !== undefined) ||
  (one.text !== undefined && one.text === chosen.text && one.type === chosen.type && !one.low && !one.high);

/** The ranges of an observation in words: its own, and those of its components with their names. */
export const rangesOf = (o: Observation): string[] =>
  judgements(o).flatMap(({ part, judgement }: JudgedPart) => {
    const texts = rangesOfPart(part ?? o, judgement);
    return part ? texts.map((text) => `${partName(part)} ${text}`) : texts;
  });

/** The marks of a vital sign without a flag or a range of the record, with the usual range. */
const usualTexts = (o: Observation): string[] => usualRanges(o).flatMap((usual) => usualMarkText(usual, true) || []);

/** An observation in one line. */
export function observationText(o: Observation): string {
  const ranges = rangesOf(o);
  return [
    reading(o),
    ...flagTexts(o),
    ...usualTexts(o),
    ranges.length > 0 ? t('range {range}', { range: ranges.join('; ') }) : '',
    ...noteTexts(o).map((note) => note.replace(/\.$/, '')),
  ]
    .filter(Boolean)
    .join(', ');
}
