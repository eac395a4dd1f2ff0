// Facts about entries of a chart, and the words that the entries must contain.

import { codesOf } from './results.mjs';
import { datePattern, hasDate, hasQuantity, list, names, plain } from './words.mjs';

/// Returns the first code of a status concept.
export const status = (concept) => codesOf(list(concept))[0];
export const hasCode = (concept, codes) => codesOf(list(concept)).some((code) => codes.includes(code));

/// Words that must appear beside entries that are uncertain, over, or entered in error.
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
/// Returns the checks of the words for codes.
export const wordsOf = (...codes) =>
  codes.flatMap((code) => (WORDS[code] ? [{ what: code, holds: (text) => WORDS[code].test(text) }] : []));

/// Returns the fact that a record has an entry: a row, a tile, or a line of a table.
export const entry = (kind, record, wanted, date, more = {}) => ({
  kind,
  is: 'entry',
  type: record.resource.resourceType,
  id: record.resource.id ?? record.key,
  names: wanted,
  date,
  ...more,
});

/// The length, in characters, to which texts are cut before they are compared.
const MAX_LENGTH = 200;

/// These functions return the checks of texts, of concepts by any of their names, of quantities and of dates. Missing
/// values are skipped.
export const said = (...texts) =>
  texts
    .map((text) => (typeof text === 'string' ? plain(text).slice(0, MAX_LENGTH) : ''))
    .filter(Boolean)
    .map((text) => ({ what: text, holds: (where) => where.includes(text) }));
const isInWords = ({ text, coding }) => [text, ...list(coding).map(({ display }) => display)].some(Boolean);
export const saidConcept = (concepts) =>
  list(concepts).flatMap((concept) => {
    const named = names(concept).map((name) => plain(name).slice(0, MAX_LENGTH));
    // A code without a text or display, such as `assess-plan`, may be shown without its hyphens.
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
export const saidReferences = (references) => said(...list(references).map((to) => to?.display));

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/// Returns the text of an XHTML narrative.
const narrativeWords = (div) =>
  plain(
    String(div ?? '')
      .replace(/<!--.*?-->/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, n) => String.fromCodePoint(Number.parseInt(n, hex ? 16 : 10)))
      .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole),
  );
/// Returns the check of a narrative. White space is ignored, because the page decides how to space elements.
export function saidNarrative(text) {
  const wanted = narrativeWords(text?.div).replaceAll(' ', '').slice(0, 400);
  return wanted === ''
    ? []
    : [{ what: `text ${wanted.slice(0, 40)}`, holds: (where) => where.replaceAll(' ', '').includes(wanted) }];
}
