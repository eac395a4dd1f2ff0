//! The words for descriptions of the interface in other languages than English, in which the server gives them. They
//! are fetched when the reference is opened.

import { signal } from '@preact/signals-core';
import { language } from '../../../language/language.ts';

export interface OpenApiWords {
  /** Whole texts, and sentences of them. */
  texts: Readonly<Record<string, string>>;
  /** Sentences with names in them. */
  patterns: readonly (readonly [RegExp, string])[];
}

const spanish = signal<OpenApiWords | undefined>(undefined);

/** Fetches the words for the language of the page. Without them descriptions are in English. */
export async function loadOpenApiWords(): Promise<void> {
  if (language() !== 'es' || spanish.value) return;
  spanish.value = await import('../../../language/es/openapi.ts').then(
    ({ openApi }) => openApi,
    () => undefined,
  );
}

export const openApiWords = (): OpenApiWords | undefined => (language() === 'es' ? spanish.value : undefined);
