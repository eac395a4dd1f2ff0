//! A comparison of the words of documents with coded entries, line by line: a dose or a reaction that only the words
//! have, and a status that differs. Lines are known by the first word of a name; what is not clear is not compared.

import { clipped } from '../fhir/text.ts';
import { unaccented } from '../fhir/unaccented.ts';
import { firstWord, wordsIn } from './dose-numbers.ts';

/** A coded entry, as the chart shows it. */
export interface CodedEntry {
  name: string;
  /** True if it counts as current, false if it is over; nothing where it is neither. */
  isCurrent: boolean | undefined;
  /** True if it lacks what the words of its line may have: a dose, or a reaction. */
  lacks: boolean;
}

/** The name of an entry, and what the words of its line have. */
export interface Remark {
  kind: 'dose' | 'reaction' | 'active' | 'over';
  name: string;
  words: string;
}

/** Words of a status, by cells of a table or between commas. */
const ACTIVE =
  /^(?:active|current|ongoing|aktiv|activ[oa]|actifs?|active?s?|actief|ativ[oa]|attiv[oa]|en curso|laufend|en cours)$/;
const OVER = [
  /^(?:inactive|resolved|completed|stopped|discontinued|aborted|ceased|ended)$/,
  /^(?:inaktiv|abgesetzt|beendet|abgeschlossen|inactief|gestopt|beeindigd)$/,
  /^(?:inactiv[oa]|resuelt[oa]|completad[oa]|suspendid[oa]|finalizad[oa]|inacti(?:f|ve)|arrete|termine|resolu)$/,
  /^(?:inativ[oa]|resolvid[oa]|suspens[oa]|concluid[oa]|inattiv[oa]|sospes[oa]|interrott[oa]|risolt[oa])$/,
];
const isOverWord = (word: string): boolean => OVER.some((one) => one.test(word));

/** Words of a dose: how often, when, how much at a time, and in what way. */
const DOSE = [
  /\d+(?:[.,]\d+)? ?-?,? ?(?:puff|tab|cap|drop|gtt|spray|unit|iu\b|ui\b|ml\b|comprim|gota|inhal|hub|tropfen|stuck)/,
  /\b(?:q ?\d+ ?h\w*|bid|tid|qid|qds|tds|bd|od|qd|qhs|hs|prn|daily|once|twice|weekly|every|hourly|nightly|bedtime)\b/,
  /\b(?:cada|diari\w*|veces|al dia|taglich|tgl|morgens|abends|stundlich|par jour|fois|matin|soir|dagelijks|per dag)\b/,
  /\b(?:vezes|por dia|ao dia|al giorno|volte)\b|\d ?- ?\d ?- ?\d|\d ?x ?\d|\b\d+ ?x (?:a|per|al|pro)\b/,
];

const plain = (text: string): string => unaccented(text).toLowerCase();

/** The statuses that a line names by words that stand alone, without those that say nothing. */
function statusIn(line: string): boolean | undefined {
  const words = plain(line)
    .split(/[,:;·()]|\s-\s/)
    .map((cell) => cell.trim());
  const [isActive, isOver] = [words.some((word) => ACTIVE.test(word)), words.some(isOverWord)];
  return isActive === isOver ? undefined : isActive;
}

/** Cells that say nothing, or no reaction: what is missing, kinds, degrees and names of systems. */
const EMPTY = /^(?:not (?:available|recorded|given)|unknown|n\/?a|none|-+)$/;
const NO_REACTION = new RegExp(
  String.raw`^(?:medication|drug|food|environment\w*|allerg\w*|intoleran\w*|propensity.*|mild|moderate|severe` +
    '|rxnorm|snomed.*|low|high)$',
);

/** The longest words of a line that are repeated. */
const LONGEST = 120;

/** The words of a line behind a name. */
function behind(line: string, word: string): string {
  const cells = line
    .slice(plain(line).indexOf(word))
    .replace(/^[^,:]*[,:]\s*/, '')
    .split(', ');
  const rest = cells.filter((cell) => !EMPTY.test(plain(cell).trim())).join(', ');
  return clipped(rest, LONGEST);
}

/** The lines by the one entry that each names. */
function linesByEntry(lines: readonly string[], entries: readonly CodedEntry[]): Map<CodedEntry, string[]> {
  const byWord = new Map<string, CodedEntry[]>();
  for (const entry of entries) {
    const word = firstWord(entry.name);
    if (word) byWord.set(word, [...(byWord.get(word) ?? []), entry]);
  }
  const found = new Map<CodedEntry, string[]>();
  for (const line of lines) {
    const named = [...new Set(wordsIn(line))].flatMap((word) => byWord.get(word) ?? []);
    const [entry, ...others] = named;
    // Two entries of one name are told apart where they say the same.
    if (!entry || others.some((one) => one.isCurrent !== entry.isCurrent || one.lacks !== entry.lacks)) continue;
    if (others.some((one) => firstWord(one.name) !== firstWord(entry.name))) continue;
    found.set(entry, [...(found.get(entry) ?? []), line]);
  }
  return found;
}

/** Remarks on what the lines of a document have that its entries do not, or say otherwise. */
export function remarks(lines: readonly string[], entries: readonly CodedEntry[], of: 'dose' | 'reaction'): Remark[] {
  return [...linesByEntry(lines, entries)].flatMap(([{ name, isCurrent, lacks }, own]): Remark[] => {
    const word = firstWord(name) ?? '';
    const says = (line: string): boolean => {
      const rest = plain(behind(line, word));
      if (of === 'dose') return DOSE.some((one) => one.test(rest));
      // The first words behind a substance are taken for a reaction, if they are of no other kind.
      const first =
        rest
          .split(',')
          .find((cell) => /\p{L}{4,}/u.test(cell))
          ?.trim() ?? '';
      return first !== '' && !ACTIVE.test(first) && !isOverWord(first) && !NO_REACTION.test(first);
    };
    const telling = lacks ? own.find(says) : undefined;
    const statuses = own.map(statusIn).filter((one) => one !== undefined);
    const differs = isCurrent !== undefined && statuses.length > 0 && statuses.every((one) => one !== isCurrent);
    return [
      ...(telling === undefined ? [] : [{ kind: of, name, words: behind(telling, word) }]),
      ...(differs ? [{ kind: isCurrent ? ('over' as const) : ('active' as const), name, words: '' }] : []),
    ];
  });
}
