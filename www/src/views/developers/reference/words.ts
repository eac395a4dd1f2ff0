//! The words for descriptions of the interface in other languages than English, in which the server gives them. They
//! are fetched when the reference is opened.

import { signal } from '@preact/signals-core';
import { language } from '#reading/language/words.ts';
import { inWordsOf, type Sentences } from '../../../language/sentences.ts';

const spanish = signal<Sentences | undefined>(undefined);

/** Fetches the words for the language of the page. Without them descriptions are in English. */
export async function loadOpenApiWords(): Promise<void> {
  if (language() !== 'es' || spanish.value) return;
  spanish.value = await import('../../../language/es/openapi.ts').then(
    ({ openApi }) => openApi,
    () => undefined,
  );
}

/** A description in the language of the page, sentence by sentence; as it is where there are no words for it. */
export const inPageLanguage = (text: string): string =>
  language() === 'es' && spanish.value ? inWordsOf(spanish.value, text) : text;
