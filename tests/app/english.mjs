// Finds English sentences on a page in Spanish by words that do not exist in Spanish. Skips text that is marked as
// English, code, and typed text. Not for pages with records, which are in the language of their source.

const WORDS = 'the|of|and|is|are|was|were|with|from|what|which|whose|without|not|this|that|these|for|its|by|it|as|to';
/// Elements that are skipped. An `option` may be a saved example of a search, which is a query.
const LEFT_OUT = '[lang="en"], code, pre, script, style, textarea, option, .language';
/// A text of the contract, which is in English in every language of the app.
const KNOWN = /no Route matched with those values/;

/// Returns the texts and the spoken attributes of a page: {said, name, isLeftOut}. `name` is that of the attribute.
export const textsOf = (page, leftOut = LEFT_OUT) =>
  page.evaluate((skipped) => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      found.push({ said: textContent.replace(/\s+/g, ' ').trim(), isLeftOut: parentElement.closest(skipped) !== null });
    }
    for (const name of ['aria-label', 'title', 'placeholder']) {
      for (const element of document.querySelectorAll(`[${name}]`))
        found.push({ said: element.getAttribute(name), name, isLeftOut: element.closest(skipped) !== null });
    }
    return found;
  }, leftOut);

/// Returns the texts and the spoken attributes of a page that contain at least one of the English words.
export async function englishSentences(page) {
  const english = new RegExp(`(?<![\\p{L}/_.:-])(?:${WORDS})(?![\\p{L}/_:-])`, 'iu');
  return (await textsOf(page))
    .filter(({ said, isLeftOut }) => !isLeftOut && english.test(said))
    .map(({ said, name }) => `${name ? `${name}: ` : ''}${said.slice(0, 120)}`)
    .filter((said) => !KNOWN.test(said));
}
