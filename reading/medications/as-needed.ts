//! Words in the text of a dosage that mean "as needed". The texts are in lower case and have no accents.

/** Words for as needed, in the languages of the app. */
const AS_NEEDED = new RegExp(
  [
    /\b(?:p\.?\s?r\.?\s?n|(?:as|when|if) (?:needed|required|necessary)|when (?:he|she|they|it|you) )/,
    /\b(?:a demanda|si precisa|si es necesario|si (?:lo )?necesita|segun necesidad|en caso (?:de|necesario))/,
    /\bcuando (?:sea )?necesario/,
    /\b(?:sos|if (?:in |there is |you have )?(?:mild |moderate |severe |needed for )?(?:pain|fever|nausea))/,
    /\bif (?:in |there is |you have )?(?:mild |moderate |severe |needed for )?(?:itching|anxious)/,
    /\bif (?:in |there is |you have )?(?:mild |moderate |severe |needed for )?(?:wheez|short of breath|needing)/,
    /\bsi (?:hay |tiene )?(?:mucho )?(?:dolor|fiebre|nauseas|picor|prurito|ansiedad|insomnio|vomitos)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Words for as needed in German, French, Dutch, Italian, Scandinavian languages, Finnish, Japanese and Chinese. */
const AS_NEEDED_ELSEWHERE = new RegExp(
  [
    /\b(?:bei bedarf|b\.\s?bed|falls notig|si besoin|au besoin|en cas de|zo nodig|indien nodig|z\.?n\.?(?![\w.]))/,
    /\b(?:al bisogno|se necessario|se occorre|ved behov|vid behov|ved smerter|tarvittaessa)\b|頓[用服]|必要時|需要时/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Words that exclude "as needed". */
const NOT_AS_NEEDED = new RegExp(
  String.raw`\b(?:not|never|no|nunca|nicht|pas) (?:(?:to be )?(?:taken |used )?(?:as|when|if) (?:needed|required)` +
    String.raw`|prn|sos|a demanda|si precisa|segun necesidad|bei bedarf)\b`,
  'g',
);

/** Returns whether a text states, in a language of the app, that a medication is taken as needed. */
export const isReadAsNeeded = (text: string): boolean => AS_NEEDED.test(text.replace(NOT_AS_NEEDED, ' '));

/** Returns whether a text states that a medication is taken as needed. */
export const saysAsNeeded = (text: string): boolean =>
  isReadAsNeeded(text) || AS_NEEDED_ELSEWHERE.test(text.replace(NOT_AS_NEEDED, ' '));
