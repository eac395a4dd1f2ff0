//! Records that a list or a document names but a chart lacks. If a list names eight medications and the chart has three
//! of them, the section must say that it is incomplete.

import { containedIn, isInside } from '../fhir/contained.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { clipped, isEnteredInError } from '../fhir/text.ts';
import { typeWords } from '../fhir/type-words.ts';
import { type Resource, referenceShape, resourceShape } from '../fhir/types.ts';
import { withoutEmpty } from '../joined.ts';
import { kept } from '../kept.ts';
import type { Words } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { referredTo } from '../records/reasons.ts';
import { isShaped } from '../shape.ts';
import { isCurrentList, placeOfList } from './empty-lists.ts';
import { replacedDocuments } from './related-documents.ts';

/** The most names of one list that are shown. */
const MAX = 12;

/** An item of a list: the type and the address of its record, and its name. Each is empty if it is not known. */
interface Item {
  type: string;
  address: string;
  name: (words: Words) => string;
}

const stringAt = (value: unknown, name: string): string =>
  valuesAt(value, name).find((one): one is string => typeof one === 'string') ?? '';

const ADDRESS = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]+)$/;

/** Returns an item, or nothing if it says nothing. What is contained has no record of its own in the chart. */
function itemOf(from: Resource, reference: unknown): Item[] {
  const written = stringAt(reference, 'reference');
  const inside = containedIn(from, written);
  if (isShaped(resourceShape, inside) && isShaped(referenceShape, reference)) {
    const name = (words: Words) => referredTo(words, reference, { find: () => undefined }, from) ?? '';
    return [{ type: inside.resourceType, address: written, name }];
  }
  if (isInside(written)) return [];
  const address = referredAddress(written);
  const [, type = stringAt(reference, 'type'), id = ''] = ADDRESS.exec(address) ?? [];
  const name = clipped(stringAt(reference, 'display').trim(), 100);
  return name || id ? [{ type, address: id ? address : '', name: () => name }] : [];
}

/** The most levels of subsections of a document that are read. */
const MAX_DEPTH = 5;

function* entriesOf(section: unknown, depth = 0): Generator<unknown, void> {
  yield* valuesAt(section, 'entry');
  if (depth < MAX_DEPTH) for (const one of valuesAt(section, 'section')) yield* entriesOf(one, depth + 1);
}

/** The items of a list that are not taken from it. */
const listItems = kept((list: Resource): Item[] =>
  valuesAt(list, 'entry')
    .filter((one) => !valuesAt(one, 'deleted').includes(true))
    .flatMap((one) => valuesAt(one, 'item').flatMap((item) => itemOf(list, item))),
);

/** The items of a document that refer to a record. */
const documentItems = kept((document: Resource): Item[] =>
  [...entriesOf(document)].flatMap((one) => itemOf(document, one)).filter(({ address }) => address !== ''),
);

/** A section: the places of its lists, the types of its records, and the addresses that the chart has. */
type Place = Record<'isOf' | 'hasType' | 'isKnown', (one: string) => boolean>;

/** Returns a sentence about what a list or a document names for a section but the chart lacks. */
function sentence(words: Words, of: Resource, items: Item[], { isOf, hasType, isKnown }: Place): string[] {
  const lacking = items
    .filter(({ type, address }) =>
      address === '' ? isOf(placeOfList(of)) && (!type || hasType(type)) : hasType(type) && !isKnown(address),
    )
    .map((one) => ({ ...one, name: one.name(words) }));
  if (lacking.length === 0) return [];
  const names = [...new Set(lacking.flatMap(({ name }) => name || []))];
  const rest = names.length - MAX;
  const nameless = new Map(lacking.flatMap(({ name, type, address }) => (name ? [] : [[address, type] as const])));
  const told = [
    ...names.slice(0, MAX),
    ...withoutEmpty(rest > 0 && words.t('{n} more', { n: rest })),
    ...[...Map.groupBy(nameless, ([, type]) => type)].map(
      ([type, { length }]) => `${typeWords(words, type)}\u00a0(${words.number(length)})`,
    ),
  ];
  const list = meaningOf(words, of).what ?? typeWords(words, of.resourceType);
  return [words.t('“{list}” names what is not in this chart: {names}.', { list, names: words.listed(told) })];
}

/** Returns sentences about what the lists and documents among records name for a section but the chart lacks. */
export function namedWithoutRecord(words: Words, records: readonly Resource[], place: Place): string[] {
  const documents = records.filter(({ resourceType: type }) => type === 'Composition');
  const replaced = replacedDocuments(documents);
  const lists = records.filter((one) => one.resourceType === 'List' && isCurrentList(one));
  const valid = documents.filter((one) => !isEnteredInError(one) && !replaced.has(one));
  return [
    ...lists.flatMap((one) => sentence(words, one, listItems(one), place)),
    ...valid.flatMap((one) => sentence(words, one, documentItems(one), place)),
  ];
}
