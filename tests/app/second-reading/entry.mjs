// A fact about an entry of a chart, and the words that must stand in it.

import { codesOf } from './results.mjs';
import { datePattern, hasDate, hasQuantity, list, names, plain } from './words.mjs';

/// The first code of a concept that is a status.
export const status = (concept) => codesOf(list(concept))[0];
export const hasCode = (concept, codes) => codesOf(list(concept)).some((code) => codes.includes(code));

/// Words that must stand beside what is not certain, over, or made in error.
const WORDS = {
  unconfirmed: /unconfirmed|not confirmed/,
  provisional: /provisional/,
  differential: /differential/,
  refuted: /refuted|ruled out/,
  remission: /remission/,
  inactive: /inactive/,
  resolved: /resolved|past|ended/,
  recurrence: /recurr/,
  relapse: /relapse/,
  'entered-in-error': /error/,
};
/// The checks of the words of some codes.
export const wordsOf = (...codes) =>
  codes.flatMap((code) => (WORDS[code] ? [{ what: code, holds: (text) => WORDS[code].test(text) }] : []));

/// A fact that a record has an entry: a row, a tile, a line of a table.
export const entry = (kind, record, wanted, date, more = {}) => ({
  kind,
  is: 'entry',
  type: record.resource.resourceType,
  id: record.resource.id ?? record.key,
  names: wanted,
  date,
  ...more,
});

/// The longest part of a text that is looked for.
const MAX_LENGTH = 200;

/// The checks of texts, of concepts by any of their names, of quantities and of dates. What a record does not have is
/// not looked for.
export const said = (...texts) =>
  texts
    .map((text) => (typeof text === 'string' ? plain(text).slice(0, MAX_LENGTH) : ''))
    .filter(Boolean)
    .map((text) => ({ what: text, holds: (where) => where.includes(text) }));
const isInWords = ({ text, coding }) => [text, ...list(coding).map(({ display }) => display)].some(Boolean);
export const saidConcept = (concepts) =>
  list(concepts).flatMap((concept) => {
    const named = names(concept).map((name) => plain(name).slice(0, MAX_LENGTH));
    // A code without words, such as `assess-plan`, may be said without its hyphens.
    const wanted = isInWords(concept) ? named : named.flatMap((code) => [code, code.replaceAll('-', ' ')]);
    return wanted.length > 0 ? [{ what: wanted[0], holds: (text) => wanted.some((name) => text.includes(name)) }] : [];
  });
export const saidQuantity = (...quantities) =>
  quantities
    .filter((quantity) => quantity?.value !== undefined)
    .map((quantity) => ({
      what: `${quantity.value} ${quantity.unit ?? quantity.code ?? ''}`.trim(),
      holds: (text) => hasQuantity(text, quantity),
    }));
export const saidDate = (...dates) =>
  dates.filter((date) => datePattern(date)).map((date) => ({ what: date, holds: (text) => hasDate(text, date) }));
export const saidNotes = (notes) => said(...list(notes).map(({ text }) => text));
/// The names that references have for what they lead to.
export const saidReferences = (references) => said(...list(references).map((to) => to?.display));

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/// The words of a narrative in XHTML.
export const narrativeWords = (div) =>
  plain(
    String(div ?? '')
      .replace(/<!--.*?-->/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, n) => String.fromCodePoint(Number.parseInt(n, hex ? 16 : 10)))
      .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole),
  );
/// The check of a narrative, without white space: how elements are spaced is for the page to say.
export function saidNarrative(text) {
  const wanted = narrativeWords(text?.div).replaceAll(' ', '').slice(0, 400);
  return wanted === ''
    ? []
    : [{ what: `text ${wanted.slice(0, 40)}`, holds: (where) => where.replaceAll(' ', '').includes(wanted) }];
}
