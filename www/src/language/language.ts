//! The language of the page: the chosen one, or the first of the browser's languages that the app has. English texts
//! are in the code; those of other languages are in catalogues that are loaded on demand.

import { signal } from '@preact/signals-core';
import { ENGLISH, type Language, type LanguageTexts, Words } from '#reading/language/words.ts';
import { keepText, keptText } from '../storage.ts';

interface PageLanguage {
  tag: Language;
  /** The name of the language in itself. */
  name: string;
  /** Fetches the texts; undefined for English. */
  texts?: () => Promise<Pick<LanguageTexts, 'catalogue'>>;
}

const LANGUAGES: readonly [PageLanguage, ...PageLanguage[]] = [
  { tag: 'en', name: 'English' },
  { tag: 'es', name: 'Español', texts: async () => (await import('./es/catalogue.ts')).texts },
];

const KEY = 'language';

/** The texts of the page's language. Until a language is loaded, the page is in English. */
export const pageLanguage = signal<Words>(ENGLISH);
/** Returns the texts of the page's language. Reading them makes a view depend on the language signal. */
export const words = (): Words => pageLanguage.value;

/** Returns the language that the language button chooses: the next of the list. */
export function otherLanguage(): PageLanguage {
  const at = LANGUAGES.findIndex(({ tag }) => tag === words().language);
  return LANGUAGES[at + 1] ?? LANGUAGES[0];
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
const isLanguage = (text: string | null): text is Language => LANGUAGES.some(({ tag }) => tag === text);

/** Returns the chosen language, or the first available one of `wanted`, or English. */
export function preferred(chosen: string | null, wanted: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return wanted.map(primary).find(isLanguage) ?? 'en';
}

/** Returns the wanted regional tag of a language, such as `es-MX` for Spanish, or the plain tag. */
export const regional = (of: Language, wanted: readonly string[]): string =>
  wanted.find((tag) => primary(tag) === of && tag.includes('-')) ?? of;

/** The loaded texts. Each language has a single object, so that caches by object stay valid. */
const loaded = new Map<Language, Words>();

async function use(next: Language): Promise<void> {
  const texts = await LANGUAGES.find(({ tag }) => tag === next)?.texts?.();
  document.documentElement.lang = next;
  const spoken =
    loaded.get(next) ?? new Words({ language: next, locale: regional(next, navigator.languages), ...texts });
  loaded.set(next, spoken);
  pageLanguage.value = spoken;
}

/** Loads the language of the page. If its catalogue cannot be fetched, the page is in English. */
export async function loadLanguage(): Promise<void> {
  await use(preferred(keptText('localStorage', KEY), navigator.languages)).catch(() => use('en'));
}

/** Changes the language, also for later visits. Rejects, without a change, if its catalogue cannot be fetched. */
export async function chooseLanguage(next: Language): Promise<void> {
  await use(next);
  keepText('localStorage', KEY, next);
}
