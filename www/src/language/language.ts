//! The language of the page. It is the one that was chosen here, or the first of the browser's languages that the app
//! has. English stands in the code, and any other in a catalogue that is loaded when it is needed.

import { signal } from '@preact/signals-core';
import { ENGLISH, type Language, type LanguageTexts, Words } from '#reading/language/words.ts';

interface PageLanguage {
  tag: Language;
  /** The name of the language in itself. */
  name: string;
  /** Fetches the words; nothing for English. */
  texts?: () => Promise<Pick<LanguageTexts, 'catalogue' | 'displays'>>;
}

const LANGUAGES: readonly [PageLanguage, ...PageLanguage[]] = [
  { tag: 'en', name: 'English' },
  { tag: 'es', name: 'Español', texts: async () => (await import('./es/catalogue.ts')).texts },
];

const KEY = 'language';

/** Until a language is loaded, the page is in English. */
export const pageLanguage = signal<Words>(ENGLISH);
/** The words of the page. Each text asks for them, so that a view notes that it depends on the language. */
export const words = (): Words => pageLanguage.value;

/** The language that the page is changed to by a press: the next of the list. */
export function otherLanguage(): PageLanguage {
  const at = LANGUAGES.findIndex(({ tag }) => tag === words().language);
  return LANGUAGES[at + 1] ?? LANGUAGES[0];
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
const isLanguage = (text: string | null): text is Language => LANGUAGES.some(({ tag }) => tag === text);

/** The language for a page: the chosen one, or the first of the wanted ones that there is. English else. */
export function preferred(chosen: string | null, wanted: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return wanted.map(primary).find(isLanguage) ?? 'en';
}

/** The region in which a language is wanted: `es-MX` for Spanish where that is among the wanted ones. */
export const regional = (of: Language, wanted: readonly string[]): string =>
  wanted.find((tag) => primary(tag) === of && tag.includes('-')) ?? of;

function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The words that were loaded: one object for each language, so that what is kept for it is found again. */
const loaded = new Map<Language, Words>();

async function use(next: Language): Promise<void> {
  const texts = await LANGUAGES.find(({ tag }) => tag === next)?.texts?.();
  document.documentElement.lang = next;
  const spoken =
    loaded.get(next) ?? new Words({ language: next, locale: regional(next, navigator.languages), ...texts });
  loaded.set(next, spoken);
  pageLanguage.value = spoken;
}

/** Loads the language of the page. Without its catalogue, out of reach offline, the page is in English. */
export async function loadLanguage(): Promise<void> {
  await use(preferred(chosenLanguage(), navigator.languages)).catch(() => use('en'));
}

/** Changes the language, also for later visits. Rejects where its catalogue is out of reach; nothing changes then. */
export async function chooseLanguage(next: Language): Promise<void> {
  await use(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage it holds for this page.
  }
}
