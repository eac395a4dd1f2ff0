//! Reference ranges whose ends are only in their text, such as `4.0–10.0`, `< 5 mg/L`, `up to 5`, or
//! `F: 12-16; M: 13-17`. Unless all of a text is understood, it has no ends.

import type { Quantity, ReferenceRange } from '../../fhir/types.ts';
import { dimensionOf, isSameUnit } from '../values/convert.ts';
import { isGroup } from './applies-to.ts';

const NUMBER = '[-−+]?\\d+(?:[.,]\\d+)?';
const UNIT = '([^\\d\\s()].{0,24})?';
const BETWEEN = new RegExp(
  `^(${NUMBER})\\s*(?:[-‐‑‒–—~～]{1,2}|\\.{2,3}|…|<->|to|bis|a|à|tot|hasta)\\s*(${NUMBER})\\s*${UNIT}$`,
  'i',
);
const AT_MOST = new RegExp(
  String.raw`<=|=<|≤|< ?or ?=|<|up to|max(?:imum)?\.?|less than or equal to|less than|below|under|bis|hasta` +
    '|menor (?:de|que)|menor o igual (?:a|que)|unter|kleiner(?: als)?|inférieure? à|tot',
).source;
const AT_LEAST = new RegExp(
  String.raw`>=|=>|≥|> ?or ?=|>|min(?:imum)?\.?|greater than or equal to|greater than|more than|above|over|ab` +
    '|mayor (?:de|que)|mayor o igual (?:a|que)|über|größer(?: als)?|supérieure? à',
).source;
const BOUND = new RegExp(`^(?:(${AT_MOST})|(${AT_LEAST}))\\s*(${NUMBER})\\s*${UNIT}$`, 'i');
/** Bounds that exclude the number itself. */
const OPEN = new RegExp(
  '^(?:[<>]|less than|below|under|greater than|more than|above|over|menor (?:de|que)|mayor (?:de|que)|unter|über' +
    '|(?:kleiner|größer)(?: als)?|(?:inf|sup)érieure? à)$',
  'i',
);
/** A comma before three digits may separate thousands. */
const AMBIGUOUS = /,\d{3}\b/;
/** Words before a range that introduce it. */
const HEADS = new RegExp(
  '^(?:(?:normal|reference|ref|norm|normbereich|referenzbereich|rango normal' +
    String.raw`|valores? de referencia)\.?(?: range| interval| values?)?)\s*[:=]?\s*`,
  'i',
);

/**
 * Returns the ranges in the text of a range, or the range itself if its text is not understood. If the range has ends
 * and its text has others, both are returned.
 */
export function rangesInText(range: ReferenceRange, of: Quantity): ReferenceRange[] {
  if (!range.text || AMBIGUOUS.test(range.text)) return [range];
  if (range.low || range.high) {
    const said = readPiece(range.text.trim(), of);
    if (!said || said.group !== undefined) return [range];
    const { low: _low, high: _high, ...rest } = range;
    return [range, { ...rest, ...said }];
  }
  const pieces = range.text
    .split(/[;\n|]/)
    .map((one) => one.trim())
    .filter(Boolean);
  const found = pieces.map((piece) => readPiece(piece, of));
  if (found.length === 0 || !found.every((one) => one !== undefined)) return [range];
  return found.map(({ group, ...ends }) => ({
    ...range,
    ...ends,
    ...(group === undefined ? {} : { appliesTo: [...(range.appliesTo ?? []), { text: group }] }),
  }));
}

type Piece = Pick<ReferenceRange, 'low' | 'high'> & { group?: string };

/** Returns one range with its group, which precedes it or follows it in brackets. */
function readPiece(piece: string, of: Quantity): Piece | undefined {
  const text = piece
    .replace(/^[([](.*)[)\]]$/, '$1')
    .replace(/\*+$/, '')
    .trim();
  const plain = endsIn(text.replace(HEADS, ''), of);
  if (plain) return plain;
  const [, before, rest] = /^([\p{L} ]{1,30})[:=]\s*(.+)$/u.exec(text) ?? [];
  const [, front, behind] = /^(.+?)\s*\(([\p{L} ]{1,30})\)$/u.exec(text) ?? [];
  const ends = endsIn(rest ?? front ?? '', of);
  const group = before ?? behind ?? '';
  return ends && isGroup(group) ? { ...ends, group } : undefined;
}

function endsIn(text: string, of: Quantity): Piece | undefined {
  const [, low, high, unit] = BETWEEN.exec(text) ?? [];
  if (low && high && isUnit(unit, of)) return { low: end(low, unit), high: end(high, unit) };
  const [, most, least, bound, boundUnit] = BOUND.exec(text) ?? [];
  if (!bound || !isUnit(boundUnit, of)) return undefined;
  const isOpen = OPEN.test(most ?? least ?? '');
  return most
    ? { high: { ...end(bound, boundUnit), ...(isOpen ? { comparator: '<' } : {}) } }
    : { low: { ...end(bound, boundUnit), ...(isOpen ? { comparator: '>' } : {}) } };
}

/** Returns whether the words after a number are a unit, and not a remark. */
const isUnit = (unit: string | undefined, of: Quantity): boolean =>
  unit === undefined ||
  dimensionOf({ unit }) !== undefined ||
  isSameUnit({ unit }, { unit: of.unit ?? of.code ?? '-' });

const end = (number: string, unit: string | undefined): Quantity => ({
  value: Number(number.replace(',', '.').replace('−', '-')),
  ...(unit ? { unit } : {}),
});
