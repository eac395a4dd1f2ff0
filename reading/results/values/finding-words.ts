//! Words for the presence or absence of a finding, in the languages of laboratories.

const ABSENT = new RegExp(
  String.raw`^\(?(neg(ative?|ativo|ativ|atief)?|négatif|absent|ausente|afwezig|nil|none( seen| detected)?|-|陰性` +
    String.raw`|阴性|undetected|non-?\s?reactive|nonreactive|not\s?(detected|reactive|present|found|seen)` +
    '|nicht (nachweisbar|nachgewiesen|reaktiv)|no (detectado|detectable|reactivo|se detecta)|no growth' +
    String.raw`|niet (aantoonbaar|reactief)|non (détecté|réactif))\)?[.!*]*$`,
  'i',
);
const PRESENT = new RegExp(
  String.raw`^\(?((presumptive(ly)?|weak(ly)?|strong(ly)?|schwach|stark|d[ée]bil(mente)?)\s+)?(pos(itive?|itivo` +
    '|itiv|itief)?|positif|detected|reactive|reaktiv|reactief|reactivo|réactif|present|presente|présent' +
    '|nachweisbar|nachgewiesen|aantoonbaar|aanwezig|detectado|détecté|陽性|阳性)(?![a-zà-ÿ])',
  'i',
);
/** Words for an amount of a substance that is normally absent: `2+`, `+++`, `trace`. */
const AMOUNT = new RegExp(
  String.raw`^\(?(\d\s?\+|\+{1,4}|\+\s?\d|trace|traces|spur(en)?|trazas|indicios|small|moderate|large|few|some` +
    String.raw`|many|schwach|stark|escaso|moderado|abundante)\)?[.!*]*$`,
  'i',
);

export const saysAbsent = (words: string): boolean => ABSENT.test(words.trim());

export const saysPresent = (words: string): boolean => PRESENT.test(words.trim()) && !saysAbsent(words);

export const saysAmount = (words: string): boolean => AMOUNT.test(words.trim());

/** Returns whether one of two texts states presence, and the other absence. */
export const contradict = (a: string, b: string): boolean =>
  (saysAbsent(a) && saysPresent(b)) || (saysPresent(a) && saysAbsent(b));
