//! An observation in words: its value, its flags with the words of the laboratory, or the mark of a usual range, its
//! ranges, and what is odd in them.

import { clipped, concept, concepts } from '../fhir/text.ts';
import type { MeasuredValue, Observation, ReferenceRange } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { FLAGS, type Flag, type JudgedPart, type Judgement, judgements } from './flag.ts';
import { isFlag } from './flag-signs.ts';
import type { Interpretation } from './interpretation.ts';
import { nameOfValue } from './names.ts';
import { range, reading } from './reading.ts';
import { isOfNormal } from './reference-range.ts';
import { usualMarkText, usualRanges } from './usual-range.ts';

/** A flag as it is shown: its word, and the words of the laboratory beside it. */
interface FlagWords {
  main: string | undefined;
  more: string[];
}

/** Words that stand for a code are translated; words of the laboratory as they are, in quotes. */
function saidText(words: Words, { words: text, isOurs, sense }: Interpretation): string {
  if (isOurs && sense === 'normal' && text === 'Normal') return words.t('“Normal” by the laboratory');
  return isOurs ? words.t(text) : `“${clipped(text, 60)}”`;
}

/** The words of a judgement. Those of a code that says more than the flag stand in its place. */
export function flagWords(words: Words, { flag, said }: Judgement): FlagWords {
  const side = (one: string): string => one.replace(/^(far|critical)-/, '');
  const isOfSide = (one: Flag): boolean =>
    flag !== undefined && (side(one) === side(flag) || ['abnormal', 'critical'].includes(one));
  const inPlace = said.find(({ isOurs, sense }) => isOurs && isFlag(sense) && isOfSide(sense));
  return {
    main: inPlace ? saidText(words, inPlace) : flag && words.t(FLAGS[flag].says),
    more: said.filter((one) => one !== inPlace).map((one) => saidText(words, one)),
  };
}

/** The flags of an observation in plain text: its own, and those of its components with their names. */
export const flagTexts = (words: Words, o: Observation): string[] =>
  judgements(o).flatMap(({ part, judgement }) => {
    const { main, more } = flagWords(words, judgement);
    const said = [main?.toLowerCase(), ...more].filter(Boolean).join(', ');
    return said ? (part ? `${nameOfValue(words, part)}: ${said}` : said) : [];
  });

/** What is odd about the ranges of an observation, each sentence once. */
export const noteTexts = (words: Words, o: Observation): string[] => [
  ...new Set(
    judgements(o).flatMap(({ part, judgement }) =>
      judgement.notes.map((note) => (part ? `${nameOfValue(words, part)}: ${words.t(note)}` : words.t(note))),
    ),
  ),
];

/** The words on an observation beside its value: where it was measured, in what, and its notes. */
export const remarks = (words: Words, { bodySite, specimen, note }: Observation): string[] => [
  ...labelledText(words.t('Site'), concept(words, bodySite)),
  ...labelledText(words.t('Specimen'), specimen?.display),
  ...(note ?? []).flatMap(({ text }) => (text?.trim() ? clipped(text) : [])),
];

const labelledText = (label: string, text: string | undefined): string[] =>
  text?.trim() ? [`${label}: ${clipped(text)}`] : [];

/** A range with what it is of and for whom it holds, where it says so. */
function rangeText(words: Words, one: ReferenceRange): string | undefined {
  const said = range(words, one);
  const about = [
    isOfNormal(one) ? undefined : concept(words, one.type),
    concepts(words, one.appliesTo),
    one.age && words.t('age {ages}', { ages: range(words, one.age) ?? '' }),
  ].filter(Boolean);
  return said && about.length > 0 ? `${about.join(', ')}: ${said}` : said;
}

/** The ranges of a value: the one by which it is judged, then those that are not of what is normal. */
function rangesOfPart(words: Words, of: MeasuredValue, { range: chosen }: Judgement): string[] {
  const all = of.referenceRange ?? [];
  const shown = chosen ? all.filter((one) => isSameRange(one, chosen) || !isOfNormal(one)) : all;
  const first = (one: ReferenceRange): number => (chosen && isSameRange(one, chosen) ? 0 : 1);
  const texts = shown
    .toSorted((a, b) => first(a) - first(b))
    .flatMap((one) => (chosen && isSameRange(one, chosen) ? range(words, one) : rangeText(words, one)) || []);
  // A range that was put together from two is none of the record.
  const isThere = !chosen || shown.some((one) => isSameRange(one, chosen));
  return [...new Set(isThere ? texts : [range(words, chosen) ?? '', ...texts])].filter(Boolean);
}

/** Returns whether a range is the chosen one, of which the ends may have been read from its text. */
const isSameRange = (one: ReferenceRange, chosen: ReferenceRange): boolean =>
  one === chosen ||
  (one.low === chosen.low && one.high === chosen.high && (one.low ?? one.high) !== undefined) ||
  (one.text !== undefined && one.text === chosen.text && one.type === chosen.type && !one.low && !one.high);

/** The ranges of an observation in words: its own, and those of its components with their names. */
export const rangesOf = (words: Words, o: Observation): string[] =>
  judgements(o).flatMap(({ part, judgement }: JudgedPart) => {
    const texts = rangesOfPart(words, part ?? o, judgement);
    return part ? texts.map((text) => `${nameOfValue(words, part)} ${text}`) : texts;
  });

/** The marks of a vital sign without a flag or a range of the record, with the usual range. */
const usualTexts = (words: Words, o: Observation): string[] =>
  usualRanges(words, o).flatMap((usual) => usualMarkText(words, usual, true) || []);

/** An observation in one line. */
export function observationText(words: Words, o: Observation): string {
  const ranges = rangesOf(words, o);
  return [
    reading(words, o),
    ...flagTexts(words, o),
    ...usualTexts(words, o),
    ranges.length > 0 ? words.t('range {range}', { range: ranges.join('; ') }) : '',
    ...noteTexts(words, o).map((note) => note.replace(/\.$/, '')),
  ]
    .filter(Boolean)
    .join(', ');
}
