//! An observation in words: its value, its flags with the words of the laboratory or the mark of a usual range, its
//! ranges, and anything unusual about them.

import { clipped, concept, concepts } from '../../fhir/text.ts';
import type { MeasuredValue, Observation, ReferenceRange } from '../../fhir/types.ts';
import type { Words } from '../../language/words.ts';
import { nameOfValue } from '../names/names.ts';
import { circumstances, specimenNotes } from '../names/told-apart.ts';
import { isOfNormal } from '../ranges/reference-range.ts';
import { range, reading } from '../values/reading.ts';
import { FLAGS, type Flag, type JudgedPart, type Judgement, judgedPart, judgements } from './flag.ts';
import { gravest, isFlag } from './flag-signs.ts';
import type { Interpretation } from './interpretation.ts';
import { usualMarkText, usualRanges } from './usual-range.ts';

/** The words of a flag, and the words of the laboratory next to it. */
interface FlagWords {
  main: string | undefined;
  more: string[];
}

/** Returns an interpretation: the words of a code are translated, those of the laboratory are quoted unchanged. */
function saidText(words: Words, { words: text, isOurs, sense }: Interpretation): string {
  if (isOurs && sense === 'normal' && text === 'Normal') return words.t('“Normal” by the laboratory');
  return isOurs ? words.t(text) : `“${clipped(text, 60)}”`;
}

/** Returns the words of a judgement. The words of a code that say more than the flag replace the words of the flag. */
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

/** Returns the flags of an observation in plain text: its own, and those of its components with their names. */
export const flagTexts = (words: Words, o: Observation): string[] =>
  judgements(o).flatMap(({ part, judgement }) => {
    const { main, more } = flagWords(words, judgement);
    const said = [main?.toLowerCase(), ...more].filter(Boolean).join(', ');
    return said ? (part ? `${nameOfValue(words, part)}: ${said}` : said) : [];
  });

/** Returns the notes on the ranges of an observation, without duplicates. */
export const noteTexts = (words: Words, o: Observation): string[] => [
  ...new Set(
    judgements(o).flatMap(({ part, judgement }) =>
      judgement.notes.map((note) => (part ? `${nameOfValue(words, part)}: ${words.t(note)}` : words.t(note))),
    ),
  ),
];

/** Returns the notes on an observation, such as the reason for which it was cancelled, and on its specimen. */
export const notesOf = (o: Observation): string[] => [
  ...new Set(
    [...(o.note ?? []).map(({ text }) => text), ...specimenNotes(o)].flatMap((one) =>
      one?.trim() ? clipped(one) : [],
    ),
  ),
];

/** Returns the remarks that follow the value of an observation: specimen, site, method, device, and notes. */
export const remarks = (words: Words, o: Observation): string[] => [...circumstances(words, o), ...notesOf(o)];

/** Returns a range with its type and the group to which it applies, if they are recorded. */
function rangeText(words: Words, one: ReferenceRange): string | undefined {
  const said = range(words, one);
  const about = [
    isOfNormal(one) ? undefined : concept(words, one.type),
    concepts(words, one.appliesTo),
    one.age && words.t('age {ages}', { ages: range(words, one.age) ?? '' }),
  ].filter(Boolean);
  return said && about.length > 0 ? `${about.join(', ')}: ${said}` : said;
}

/** Returns the ranges of a value: the one by which it is judged, then those of other types than normal. */
function rangesOfPart(words: Words, of: MeasuredValue, { range: chosen }: Judgement): string[] {
  const all = of.referenceRange ?? [];
  const shown = chosen ? all.filter((one) => isSameRange(one, chosen) || !isOfNormal(one)) : all;
  const first = (one: ReferenceRange): number => (chosen && isSameRange(one, chosen) ? 0 : 1);
  const texts = shown
    .toSorted((a, b) => first(a) - first(b))
    .flatMap((one) => (chosen && isSameRange(one, chosen) ? range(words, one) : rangeText(words, one)) || []);
  // A range that was combined from two is not in the record.
  const isThere = !chosen || shown.some((one) => isSameRange(one, chosen));
  return [...new Set(isThere ? texts : [range(words, chosen) ?? '', ...texts])].filter(Boolean);
}

/** Returns whether a range is the chosen one. Its ends may have been read from its text. */
const isSameRange = (one: ReferenceRange, chosen: ReferenceRange): boolean =>
  one === chosen ||
  (one.low === chosen.low && one.high === chosen.high && (one.low ?? one.high) !== undefined) ||
  (one.text !== undefined && one.text === chosen.text && one.type === chosen.type && !one.low && !one.high);

/** Returns the ranges of an observation in words: its own, and those of its components with their names. */
export const rangesOf = (words: Words, o: Observation): string[] =>
  judgements(o).flatMap(({ part, judgement }: JudgedPart) => {
    const texts = rangesOfPart(words, part ?? o, judgement);
    return part ? texts.map((text) => `${nameOfValue(words, part)} ${text}`) : texts;
  });

/** Returns the marks of a vital sign that has no flag or range in the record, with the usual range. */
const usualTexts = (words: Words, o: Observation): string[] =>
  usualRanges(words, o).flatMap((usual) => usualMarkText(words, usual, true) || []);

/**
 * Returns the gravest flag of an observation, or that of one of its values, with the mark of a usual range, in words.
 * It is empty for what is within a range, and `undefined` without any range.
 */
export function markText(words: Words, o: Observation, of?: MeasuredValue): string | undefined {
  const judged = of ? [judgedPart(of, o)] : judgements(o).map(({ judgement }) => judgement);
  const usual = usualRanges(words, o, of);
  const flag = gravest(judged.map((one) => one.flag));
  const marks = [flag && words.t(FLAGS[flag].says), ...usual.map((one) => usualMarkText(words, one, true))];
  const hasRange = judged.some((one) => one.isNormal || one.range) || usual.some(({ text }) => text !== undefined);
  return marks.filter(Boolean).join('; ') || (hasRange ? '' : undefined);
}

export function observationText(words: Words, o: Observation): string {
  const ranges = rangesOf(words, o);
  return [
    reading(words, o),
    ...circumstances(words, o),
    ...flagTexts(words, o),
    ...usualTexts(words, o),
    ranges.length > 0 ? words.t('range {range}', { range: ranges.join('; ') }) : '',
    ...[...noteTexts(words, o), ...notesOf(o)].map((note) => note.replace(/\.$/, '')),
  ]
    .filter(Boolean)
    .join(', ');
}
