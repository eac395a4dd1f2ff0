//! Announcements of changes for screen readers.

/** Announces a text. `language` is the language of the text if it differs from that of the page. */
export function announce(text: string, language?: 'en'): void {
  const region = document.getElementById('announcer');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
    if (language) region.lang = language;
    else region.removeAttribute('lang');
  }, 40);
}
