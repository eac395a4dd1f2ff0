//! What lists and documents of the chart name for a section but the chart lacks.

import { namedWithoutRecord } from '#reading/documents/named-elsewhere.ts';
import { searchOf, typesOf } from '#reading/fhir/other-types.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { DOCUMENTS } from '../summary-document/documents.ts';
import type { Section } from './section.ts';

export const LISTS = searchOf('List');

/** The records that a search has found; it is made where that costs no request. */
export function foundBy(query: string, store: ChartStore): readonly Resource[] {
  return store.source.name === 'session' && !store.answers.has(query) ? [] : store.found(query);
}

/** Returns sentences about the records of a section that lists and documents name but the chart lacks. */
export function namedElsewhere({ id, queries }: Pick<Section, 'id' | 'queries'>, store: ChartStore): string[] {
  const types = queries.flatMap(typesOf);
  if (queries.some((query) => store.loadInTime(query).is !== 'loaded')) return [];
  return namedWithoutRecord(words(), [...foundBy(LISTS, store), ...foundBy(DOCUMENTS, store)], {
    isOf: (place) => place === id,
    hasType: (type) => types.includes(type),
    isKnown: (address) => store.find(address) !== undefined,
  });
}
