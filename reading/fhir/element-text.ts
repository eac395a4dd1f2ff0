//! Elements of any resource in words, independent of its type: the data types of FHIR
//! (<https://hl7.org/fhir/R4/datatypes.html>) are recognized by their members. Malformed values give no words.

import { joined, joinedBy } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { anything, boolean, isObject, isShaped, number, partial, type Shape, string } from '../shape.ts';
import { clockDate, period } from './date.ts';
import { timingWords } from './dosage-timing.ts';
import { writtenDigits } from './json.ts';
import { addressOf, clipped, concept, nameOf, plain, quantity, reference, withUse } from './text.ts';
import * as fhir from './types.ts';

/** Returns all values at a path such as `prediction.outcome`, through the items of lists on the path. */
export function valuesAt(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value];
  for (const name of path.split('.'))
    found = found.flatMap((one) => (isObject(one) && Object.hasOwn(one, name) ? [one[name]].flat() : []));
  return found.filter((one) => one !== undefined && one !== null);
}

const WRITTEN_DATE = /^\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?)?$/;
const CODE = /^[a-z]+(?:-[a-z]+)*$/;

function ofString(words: Words, value: string): string {
  if (WRITTEN_DATE.test(value)) return clockDate(words, value);
  return clipped(CODE.test(value) ? plain(words, value) : value);
}

/** Returns a concept in its own words; for a code alone, its words if it is from a value set of FHIR. */
function conceptText(words: Words, value: fhir.Concept): string | undefined {
  const said = concept(words, value);
  const isCode = !value.text && !(value.coding ?? []).some(({ display }) => display);
  return said && isCode && CODE.test(said) ? plain(words, said) : said;
}

const money = partial({ value: number, currency: string });
const ratio = partial({ numerator: fhir.quantity, denominator: fhir.quantity });
const annotation = partial({ text: string, authorString: string, authorReference: fhir.referenceShape, time: string });
const identifier = partial({ type: fhir.conceptShape, system: string, value: string });
const contact = partial({ system: string, value: string });
const timing = partial({ code: fhir.conceptShape, event: anything, repeat: anything });

/** A data type: the members that it may have, one that it must have, and its words. */
interface DataType {
  members: string[];
  must: string[];
  says(words: Words, value: unknown): string | undefined;
}

function dataType<T>(
  shape: Shape<T>,
  must: string[],
  members: string[],
  says: (words: Words, value: T) => string | undefined,
): DataType {
  return { must, members, says: (words, value) => (isShaped(shape, value) ? says(words, value) : undefined) };
}

const DATA_TYPES: DataType[] = [
  dataType(fhir.conceptShape, ['coding', 'text'], ['coding', 'text'], conceptText),
  dataType(fhir.quantity, ['value', 'unit'], ['value', 'comparator', 'unit', 'system', 'code'], quantity),
  dataType(identifier, ['value'], ['use', 'type', 'system', 'value', 'period', 'assigner'], (words, of) =>
    withUse(words, [concept(words, of.type), of.value].filter(Boolean).join(' '), of),
  ),
  dataType(money, ['value'], ['value', 'currency'], (words, { value, currency }) =>
    value === undefined ? undefined : `${words.decimal(String(value))} ${currency ?? ''}`.trim(),
  ),
  dataType(
    fhir.codingShape,
    ['code', 'display'],
    ['system', 'version', 'code', 'display', 'userSelected'],
    (words, coding) => conceptText(words, { coding: [coding] }),
  ),
  dataType(fhir.periodShape, ['start', 'end'], ['start', 'end'], (words, value) => period(words, value) || undefined),
  dataType(
    fhir.referenceShape,
    ['reference', 'display', 'identifier'],
    ['reference', 'type', 'identifier', 'display'],
    reference,
  ),
  dataType(fhir.rangeShape, ['low', 'high'], ['low', 'high'], (words, { low, high }) => {
    const [from, until] = [quantity(words, low), quantity(words, high)];
    return from && until ? `${from} – ${until}` : from ? `≥ ${from}` : until && `≤ ${until}`;
  }),
  dataType(ratio, ['numerator', 'denominator'], ['numerator', 'denominator'], (words, { numerator, denominator }) =>
    joinedBy(' / ', quantity(words, numerator), quantity(words, denominator)),
  ),
  dataType(annotation, ['text'], ['text', 'authorString', 'authorReference', 'time'], (words, note) => {
    const by = joined(note.authorString ?? reference(words, note.authorReference), clockDate(words, note.time));
    return [note.text?.trim(), by].filter(Boolean).join(' — ');
  }),
  dataType(
    fhir.humanNameShape,
    ['family', 'given'],
    ['use', 'text', 'family', 'given', 'prefix', 'suffix', 'period'],
    (words, name) => withUse(words, nameOf([name]), name),
  ),
  dataType(
    fhir.addressShape,
    ['line', 'city', 'country', 'postalCode', 'state'],
    ['use', 'type', 'text', 'line', 'city', 'district', 'state', 'postalCode', 'country', 'period'],
    (words, address) => withUse(words, addressOf(address), address),
  ),
  dataType(contact, ['value'], ['system', 'value', 'use', 'rank', 'period'], (words, of) =>
    withUse(words, of.value, of),
  ),
  dataType(
    fhir.attachmentShape,
    ['contentType', 'url', 'data', 'title'],
    ['contentType', 'language', 'data', 'url', 'size', 'hash', 'title', 'creation'],
    (_, { title, url, contentType }) => title || url || contentType,
  ),
  dataType(timing, ['repeat', 'code', 'event'], ['repeat', 'code', 'event'], (words, value) => {
    if (value.repeat === undefined && value.event === undefined) return concept(words, value.code);
    const { core, more } = timingWords(words, value);
    return [...core, ...more].join(', ') || undefined;
  }),
];

const isBoolean = (value: unknown): value is boolean => isShaped(boolean, value);

/** Returns one value of a data type in words; `undefined` for a group of elements. */
export function valueText(words: Words, value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : ofString(words, value);
  if (typeof value === 'number') return words.decimal(String(value));
  if (isBoolean(value)) return value ? words.t('yes') : words.t('no');
  if (!isObject(value)) return undefined;
  const names = Object.keys(value).filter((name) => name !== 'id' && name !== 'extension' && !name.startsWith('_'));
  for (const { members, must, says } of DATA_TYPES) {
    if (!must.some((name) => names.includes(name)) || !names.every((name) => members.includes(name))) continue;
    const said = says(words, value);
    if (said) return said;
  }
  return undefined;
}

/** Returns the value of a member in words. A number keeps its digits. */
export const memberText = (words: Words, of: unknown, name: string, value: unknown): string | undefined =>
  typeof value === 'number' ? words.decimal(writtenDigits(of, name) ?? String(value)) : valueText(words, value);

export function ageText(
  words: Words,
  age: fhir.Quantity | undefined,
  range: fhir.Range | undefined,
): string | undefined {
  const said = quantity(words, age) ?? valueText(words, range);
  return said && words.t('at age {age}', { age: said });
}

/** Returns the words of all values at some paths, without duplicates. */
export function textAt(words: Words, resource: unknown, ...paths: string[]): string | undefined {
  const texts = paths.flatMap((path) => {
    const at = path.lastIndexOf('.');
    const holders = at < 0 ? [resource] : valuesAt(resource, path.slice(0, at));
    const name = path.slice(at + 1);
    return holders.flatMap((of) => valuesAt(of, name).flatMap((value) => memberText(words, of, name, value) ?? []));
  });
  return [...new Set(texts)].join(', ') || undefined;
}

/** Returns the words at the first of some paths that has any. */
export function firstText(words: Words, resource: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const said = textAt(words, resource, path);
    if (said) return said;
  }
  return undefined;
}

/** Returns the first text at some paths, such as a date. */
export function firstWritten(resource: unknown, paths: readonly string[]): string | undefined {
  return paths.flatMap((path) => valuesAt(resource, path)).find((value) => typeof value === 'string');
}
