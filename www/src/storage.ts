//! Texts in the storage of this browser or of this tab. Where there is none, they last as long as the page.

type Place = 'localStorage' | 'sessionStorage';

export function keptText(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text, or removes the entry. */
export function keepText(place: Place, key: string, text: string | undefined): void {
  try {
    if (text === undefined) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
  } catch {
    // The page has the value itself.
  }
}
