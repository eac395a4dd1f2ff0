//! Records that a list or a document of the chart names but the chart lacks. If a list names eight medications and the
//! chart has three of them, the section must say that it is incomplete.

import { isCurrentList, placeOfList } from '#reading/documents/empty-lists.ts';
import { replacedDocuments } from '#reading/documents/related-documents.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { searchOf, typesOf } from '#reading/fhir/other-types.ts';
import { referredAddress } from '#reading/fhir/record-address.ts';
import { clipped, isEnteredInError } from '#reading/fhir/text.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { withoutEmpty } from '#reading/joined.ts';
import { kept } from '#reading/kept.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { DOCUMENTS } from '../summary-document/documents.ts';
import type { Section } from './section.ts';

export const LISTS = searchOf('List');
/** The most names of one list that are shown. */
const MAX = 12;

/** An item of a list: the type and the address of its record, and its name. Each is empty if it is not known. */
interface Item {
  type: string;
  address: string;
  name: string;
}

const stringAt = (value: unknown, name: string): string =>
  valuesAt(value, name).find((one): one is string => typeof one === 'string') ?? '';

const ADDRESS = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]+)$/;

/** Returns an item, or nothing if it says nothing or refers to a contained resource. */
function itemOf(reference: unknown): Item[] {
  const written = stringAt(reference, 'reference');
  if (written.startsWith('#')) return [];
  const address = referredAddress(written);
  const [, type = stringAt(reference, 'type'), id = ''] = ADDRESS.exec(address) ?? [];
  const name = clipped(stringAt(reference, 'display').trim(), 100);
  return name || id ? [{ type, address: id ? address : '', name }] : [];
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
    .flatMap((one) => valuesAt(one, 'item').flatMap(itemOf)),
);

/** The items of a document that refer to a record. */
const documentItems = kept((document: Resource): Item[] =>
  [...entriesOf(document)].flatMap(itemOf).filter(({ address }) => address !== ''),
);

/** The records that a search has found; it is made where that costs no request. */
export function foundBy(query: string, store: ChartStore): readonly Resource[] {
  return store.source.name === 'session' && !store.answers.has(query) ? [] : store.found(query);
}

/** Returns sentences about the records of a section that lists and documents name but the chart lacks. */
export function namedElsewhere({ id, queries }: Pick<Section, 'id' | 'queries'>, store: ChartStore): string[] {
  const types = queries.flatMap(typesOf);
  if (queries.some((query) => store.loadInTime(query).is !== 'loaded')) return [];
  const isLacking =
    (of: Resource) =>
    ({ type, address }: Item): boolean =>
      address === ''
        ? placeOfList(of) === id && (!type || types.includes(type))
        : types.includes(type) && !store.find(address);
  const sentence = (of: Resource, items: Item[]): string[] => {
    if (items.length === 0) return [];
    const lacking = items.filter(isLacking(of));
    if (lacking.length === 0) return [];
    const names = [...new Set(lacking.flatMap(({ name }) => name || []))];
    const rest = names.length - MAX;
    const told = [
      ...names.slice(0, MAX),
      ...withoutEmpty(rest > 0 && t('{n} more', { n: rest })),
      ...[
        ...Map.groupBy(
          lacking.filter(({ name }) => !name),
          ({ type }) => type,
        ),
      ].map(
        ([type, of]) =>
          `${typeWords(words(), type)}\u00a0(${words().number(new Set(of.map(({ address }) => address)).size)})`,
      ),
    ];
    const title = meaningOf(words(), of).what ?? typeWords(words(), of.resourceType);
    return [t('“{list}” names what is not in this chart: {names}.', { list: title, names: words().listed(told) })];
  };
  const documents = foundBy(DOCUMENTS, store);
  const replaced = replacedDocuments(documents);
  return [
    ...foundBy(LISTS, store)
      .filter(isCurrentList)
      .flatMap((one) => sentence(one, listItems(one))),
    ...documents
      .filter((one) => !isEnteredInError(one) && !replaced.has(one))
      .flatMap((one) => sentence(one, documentItems(one))),
  ];
}
