//! Sentences that come in English from the engine or a server, in the language of the page. They are known by
//! templates such as `{type} has no search parameter "{name}".`, whose places stand for any text. A sentence of no
//! template stays as it is.

import { own } from '#reading/own.ts';

/** Templates of sentences with their translations, which have the same places. */
export type Sentences = Readonly<Record<string, string>>;

interface Pattern {
  /** The words around the places. */
  words: string[];
  names: string[];
  translation: string;
  /** The number of characters outside of the places. */
  weight: number;
}

const PLACE = /\{(\w+)\}/;
const compiled = new WeakMap<Sentences, Pattern[]>();

function patternsOf(sentences: Sentences): Pattern[] {
  const known = compiled.get(sentences);
  if (known) return known;
  const patterns = Object.entries(sentences)
    .filter(([template]) => PLACE.test(template))
    .map(([template, translation]): Pattern => {
      const parts = template.split(PLACE);
      const words = parts.filter((_, at) => at % 2 === 0);
      return { words, names: parts.filter((_, at) => at % 2 === 1), translation, weight: words.join('').length };
    })
    // A place stands for any text: the template with the most words of its own is tried first.
    .sort((a, b) => b.weight - a.weight);
  compiled.set(sentences, patterns);
  return patterns;
}

/**
 * The texts between these words, in a text that has them in this order from its beginning to its end; nothing for
 * another. Each place is as short as it can be, so that no word is looked for twice.
 */
function textsBetween([first = '', ...words]: readonly string[], text: string): string[] | undefined {
  const last = words.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const found: string[] = [];
  let from = first.length;
  for (const word of words) {
    const at = text.indexOf(word, from);
    if (at < 0) return undefined;
    found.push(text.slice(from, at));
    from = at + word.length;
  }
  const end = text.length - last.length;
  return from <= end ? [...found, text.slice(from, end)] : undefined;
}

/** A text in the words of these sentences: as a whole, or else sentence by sentence. */
export function inWordsOf(sentences: Sentences, text: string): string {
  const whole = translatedSentence(sentences, text);
  if (whole !== undefined) return whole;
  const parts = sentencesOf(text);
  return parts.length < 2 ? text : parts.map((one) => translatedSentence(sentences, one) ?? one).join(' ');
}

/** The sentences of a text. A point between other characters ends none. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=\.) (?=[A-Z`$]|\d{3} )/);

function translatedSentence(sentences: Sentences, text: string): string | undefined {
  const known = own(sentences, text);
  if (known !== undefined) return known;
  for (const { words, names, translation } of patternsOf(sentences)) {
    const found = textsBetween(words, text);
    if (!found || found.some((value) => /\. [A-Z]/.test(value))) continue;
    const values = new Map(names.map((name, at) => [name, found[at] ?? '']));
    return translation.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values.get(name) ?? '';
      return translatedSentence(sentences, value) ?? value;
    });
  }
  return undefined;
}
