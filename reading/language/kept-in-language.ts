import { kept } from '../kept.ts';
import { type Language, language } from './words.ts';

/** A function like `kept`, whose answers have words: they are made anew in another language. */
export function keptInLanguage<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<Language, (key: K) => V>();
  return (key) => {
    const now = language();
    const known = made.get(now) ?? kept(make);
    made.set(now, known);
    return known(key);
  };
}
