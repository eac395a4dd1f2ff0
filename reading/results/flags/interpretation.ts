//! The interpretation of a value by its source: the codes of HL7's v3-ObservationInterpretation
//! (<https://terminology.hl7.org/CodeSystem-v3-ObservationInterpretation.html>) and of table 0078 of HL7 v2, of which
//! it is the successor, and words in their place. Unknown codes and words are kept unchanged, and have no meaning here.

import { answerNamed } from '../../fhir/known-names.ts';
import type { Concept } from '../../fhir/types.ts';
import type { PlainMessage } from '../../language/words.ts';
import { own } from '../../own.ts';
import { saysPresent } from '../values/finding-words.ts';
import { type Flag, isFlag } from './flag-signs.ts';
import { codeOfWords, isHedged } from './interpretation-words.ts';

/** The meaning of a code: a flag, normal, a finding that is neither by itself, or a remark. */
type Sense = Flag | 'normal' | 'finding' | 'remark';

interface Code {
  sense: Sense;
  says: PlainMessage;
}

const CODES: Readonly<Record<string, Code>> = {
  HH: { sense: 'critical-high', says: 'Critically high' },
  LL: { sense: 'critical-low', says: 'Critically low' },
  AA: { sense: 'critical', says: 'Critically abnormal' },
  HU: { sense: 'far-high', says: 'Significantly high' },
  LU: { sense: 'far-low', says: 'Significantly low' },
  'H>': { sense: 'far-high', says: 'Significantly high' },
  'L<': { sense: 'far-low', says: 'Significantly low' },
  H: { sense: 'high', says: 'High' },
  L: { sense: 'low', says: 'Low' },
  HX: { sense: 'high', says: 'Above the threshold' },
  LX: { sense: 'low', says: 'Below the threshold' },
  A: { sense: 'abnormal', says: 'Abnormal' },
  EX: { sense: 'abnormal', says: 'Outside the threshold' },
  N: { sense: 'normal', says: 'Normal' },
  POS: { sense: 'finding', says: 'Positive' },
  NEG: { sense: 'normal', says: 'Negative' },
  DET: { sense: 'finding', says: 'Detected' },
  ND: { sense: 'normal', says: 'Not detected' },
  RR: { sense: 'finding', says: 'Reactive' },
  WR: { sense: 'finding', says: 'Weakly reactive' },
  NR: { sense: 'normal', says: 'Non-reactive' },
  IND: { sense: 'remark', says: 'Indeterminate' },
  E: { sense: 'remark', says: 'Equivocal' },
  R: { sense: 'abnormal', says: 'Resistant' },
  NS: { sense: 'abnormal', says: 'Not susceptible' },
  'SYN-R': { sense: 'abnormal', says: 'Synergy: resistant' },
  I: { sense: 'remark', says: 'Intermediate' },
  S: { sense: 'normal', says: 'Susceptible' },
  MS: { sense: 'remark', says: 'Moderately susceptible' },
  VS: { sense: 'normal', says: 'Very susceptible' },
  SDD: { sense: 'remark', says: 'Susceptible, depending on the dose' },
  'SYN-S': { sense: 'normal', says: 'Synergy: susceptible' },
  NCL: { sense: 'remark', says: 'No breakpoint is defined' },
  '<': { sense: 'remark', says: 'Below what can be measured' },
  '>': { sense: 'remark', says: 'Above what can be measured' },
  U: { sense: 'remark', says: 'Significantly up' },
  D: { sense: 'remark', says: 'Significantly down' },
  B: { sense: 'remark', says: 'Better' },
  W: { sense: 'remark', says: 'Worse' },
  IE: { sense: 'remark', says: 'Not enough evidence' },
  QCF: { sense: 'remark', says: 'The quality control failed' },
  TOX: { sense: 'remark', says: 'Toxic to the cells' },
  AC: { sense: 'remark', says: 'Anti-complementary' },
  CAR: { sense: 'remark', says: 'Carrier' },
  EXP: { sense: 'remark', says: 'Expected' },
  UNE: { sense: 'remark', says: 'Unexpected' },
  HM: { sense: 'remark', says: 'Held for medical review' },
};

/** Other words in place of a code, in lower case. */
const WORDS: Readonly<Record<string, keyof typeof CODES>> = {
  indeterminate: 'IND',
  equivocal: 'E',
  resistant: 'R',
  resistente: 'R',
  resistent: 'R',
  intermediate: 'I',
  susceptible: 'S',
  sensible: 'S',
  sensibel: 'S',
};

/** The systems whose codes have these meanings. A coding without a system is assumed to have one of them. */
const SYSTEM = /ObservationInterpretation|observation-interpretation|0078|113883\.5\.83|113883\.12\.78/i;

export type Interpretation = CodedInterpretation | WrittenInterpretation;
/** An interpretation with the English words of a code, which have a translation. */
interface CodedInterpretation {
  sense: Sense;
  words: PlainMessage;
  isOurs: true;
}
/** An interpretation with its words as sent. */
interface WrittenInterpretation {
  /** `undefined` for an unknown code or word. */
  sense: Sense | undefined;
  words: string;
  isOurs: false;
}

/** Returns the code with these words, or the code that is itself the text, in a list; an empty list for other words. */
const ofWord = (word: string | undefined): Code[] => {
  const said = (word ?? '').trim();
  const known = said && own(CODES, own(WORDS, said.toLowerCase()) ?? codeOfWords(said) ?? said);
  return known ? [known] : [];
};

function saidIn({ coding = [], text }: Concept): Interpretation[] {
  const codes = coding.flatMap(({ system, code, display }) => {
    const known =
      !system || SYSTEM.test(system)
        ? own(CODES, (code ?? '').trim().toUpperCase())
        : ofWord(answerNamed(system, code))[0];
    const words = ofWord(display);
    return known ?? (words.length === 0 && (!system || SYSTEM.test(system)) ? ofWord(code) : words);
  });
  // The text may be graver than the code.
  const known = [...codes, ...ofWord(text)].sort((a, b) => rank(a.sense) - rank(b.sense))[0];
  const sent = text?.trim() || coding.find(({ display }) => display)?.display?.trim();
  const code = coding.find((one) => one.code)?.code;
  if (!known) return sent || code ? [{ sense: undefined, words: sent || code || '', isOurs: false }] : [];
  // The gravest code represents all of them: the display of another one would read as a second opinion.
  const isCodeAgain =
    !sent ||
    own(CODES, sent.toUpperCase()) !== undefined ||
    (ofWord(sent)[0] === known && !isHedged(sent) && !(isFlag(known.sense) && saysPresent(sent))) ||
    (!text && isAgain(sent, known));
  const { sense, says } = known;
  return [isCodeAgain ? { sense, words: says, isOurs: true } : { sense, words: sent, isOurs: false }];
}

/** Returns whether words say less than a code of the same side. */
const isAgain = (sent: string, { sense }: Code): boolean => {
  const [less] = ofWord(sent);
  return less !== undefined && isFlag(less.sense) && sense.endsWith(less.sense);
};

const RANKS: readonly Sense[] = [
  ...(['critical-high', 'critical-low', 'critical', 'far-high', 'far-low'] as const),
  ...(['high', 'low', 'abnormal', 'finding', 'remark', 'normal'] as const),
];
/** Returns the rank of a meaning: the gravest first. */
export const rank = (sense: Sense | undefined): number => (sense === undefined ? RANKS.length : RANKS.indexOf(sense));

/** Returns the interpretations of a value, the gravest first. */
export const interpretations = (of: readonly Concept[] | undefined): Interpretation[] =>
  (of ?? []).flatMap(saidIn).sort((a, b) => rank(a.sense) - rank(b.sense));
