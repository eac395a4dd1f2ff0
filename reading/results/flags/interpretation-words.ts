//! Interpretations in words, in the languages of laboratories: `H*`, `(HIGH)`, `stark erhöht`, `Above reference range`.
//! A text is understood only if each of its words is: `not high` and `high risk` are none of them.

import { saysAbsent, saysPresent } from '../values/finding-words.ts';

/** The words of each contribution to the meaning of a text. */
const PARTS = {
  high: [
    ...['high', 'hi', 'h', 'elevated', 'increased', 'raised', 'hoch', 'erhöht', 'erhoeht', 'hoog', 'verhoogd'],
    ...['élevé', 'élevée', 'augmenté', 'augmentée', 'alto', 'alta', 'elevado', 'elevada', 'aumentado', 'aumentada'],
    ...['↑', '高', '偏高', '升高', '高値'],
  ],
  low: [
    ...['low', 'lo', 'l', 'decreased', 'reduced', 'diminished', 'niedrig', 'tief', 'erniedrigt', 'vermindert'],
    ...['laag', 'verlaagd', 'bas', 'basse', 'faible', 'diminué', 'diminuée', 'bajo', 'baja', 'disminuido'],
    ...['disminuida', 'baixo', 'baixa', '↓', '低', '偏低', '降低', '低値'],
  ],
  above: ['above', 'over', 'über', 'ueber', 'boven', 'exceeds'],
  below: ['below', 'under', 'unter', 'onder'],
  critical: [
    ...['critical', 'critically', 'crit', 'panic', 'kritisch', 'kritieke', 'critique', 'crítico', 'crítica'],
    ...['críticamente', 'critico', 'critica', 'hh', 'll', 'aa', 'pánico', 'panik'],
  ],
  very: [
    ...['very', 'significantly', 'severely', 'markedly', 'extremely', 'far', 'alert', 'stark', 'sehr', 'deutlich'],
    ...['muy', 'zeer', 'sterk', 'très', 'muito', '↑↑', '↓↓'],
  ],
  abnormal: [
    ...['abnormal', 'abnormally', 'anormal', 'anormale', 'pathologisch', 'pathological', 'pathologic'],
    ...['patológico', 'auffällig', 'afwijkend', 'pathologique', 'a', '异常', '異常', 'anómalo'],
  ],
  normal: ['normal', 'normale', 'normaal', 'normwertig', 'unauffällig', 'n', 'wnl', '正常', 'ok'],
  within: ['within', 'in', 'inside', 'dentro', 'innerhalb', 'im'],
  outside: ['out', 'outside', 'fuera', 'außerhalb', 'hors'],
  filler: [
    ...['of', 'the', 'range', 'reference', 'ref', 'limit', 'limits', 'norm', 'interval', 'value', 'result', 'flag'],
    ...['upper', 'lower', 'zu', 'te', 'slightly', 'mildly', 'moderately', 'borderline', 'leicht', 'licht', 'mäßig'],
    ...['ligeramente', 'levemente', 'légèrement', 'de', 'rango', 'intervalo', 'referenzbereich', 'normbereich'],
    ...['lab'],
  ],
} as const;
type Part = keyof typeof PARTS;
const PART_OF: ReadonlyMap<string, Part> = new Map(
  Object.entries(PARTS).flatMap(([part, words]) => words.map((word) => [word, part as Part] as const)),
);

/** Returns whether words are hedged, so that a reader needs the exact words. */
export const isHedged = (text: string): boolean =>
  /borderline|slightly|mildly|moderately|leicht|licht |mäßig|ligeramente|levemente|légèrement/i.test(text);

/** Returns whether words mean that there is no interpretation: a dash, or `none`. */
export const isNoMark = (text: string): boolean => /^[-–—.*\s]*(?:none|nil|absent)?[-–—.*\s]*$/i.test(text);

/** Returns the HL7 code that the words of an interpretation mean; `undefined` for words that are not understood. */
export function codeOfWords(text: string): string | undefined {
  if (isNoMark(text)) return undefined;
  if (saysAbsent(text)) return /react|reakt|réact/i.test(text) ? 'NR' : /neg|nég|陰|阴/i.test(text) ? 'NEG' : 'ND';
  const words = text
    .toLowerCase()
    .split(/[\s*()[\]!.,:;_/-]+/)
    .filter(Boolean);
  const parts = words.map((word) => PART_OF.get(word));
  if (words.length > 0 && words.length <= 8 && parts.every(Boolean)) return codeOfParts(new Set(parts), words);
  // For `Positive (abnormal)`, the words next to the finding decide.
  if (!saysPresent(text)) return undefined;
  const [, ...beside] = words;
  const others = new Set(beside.map((word) => PART_OF.get(word)));
  if (others.has('critical')) return 'AA';
  if (others.has('abnormal')) return 'A';
  return /weak|schwach|d[ée]bil/i.test(text) && /react|reakt/i.test(text)
    ? 'WR'
    : /react|reakt|réact/i.test(text)
      ? 'RR'
      : /det|nach|aanto|dét/i.test(text)
        ? 'DET'
        : 'POS';
}

function codeOfParts(has: ReadonlySet<Part | undefined>, words: readonly string[]): string | undefined {
  const isHigh =
    has.has('above') || (has.has('high') && !has.has('below')) || words.includes('hh') || words.includes('↑↑');
  const isLow =
    has.has('below') || (has.has('low') && !has.has('above')) || words.includes('ll') || words.includes('↓↓');
  if (isHigh && isLow) return undefined;
  const isBeyond = has.has('above') || has.has('below');
  if (has.has('critical')) return isHigh ? 'HH' : isLow ? 'LL' : 'AA';
  // `High normal` and `low normal` are normal, `above normal` is not.
  if ((has.has('within') && has.size > 1) || (has.has('normal') && !isBeyond && !has.has('outside')))
    return has.has('abnormal') ? undefined : 'N';
  if (has.has('very')) return isHigh ? 'HU' : isLow ? 'LU' : has.has('abnormal') ? 'A' : undefined;
  if (isHigh || isLow) return isHigh ? 'H' : 'L';
  return has.has('abnormal') || has.has('outside') ? 'A' : undefined;
}
