// English sentences on a page in Spanish: texts with words that Spanish does not have. What is marked as English, code,
// and what was typed is left out, and so are the records of patients, which are in the language of their source.

const WORDS = 'the|of|and|is|are|was|were|with|from|what|which|whose|without|not|this|that|these|for|its|by|it|as|to';
/// The saved examples of searches are queries, and begin with the rows of the contract.
const LEFT_OUT = '[lang="en"], code, pre, script, style, textarea, option, .language';
/// A text of the contract, which is English everywhere.
const KNOWN = /no Route matched with those values/;

/// The texts of a page that have at least one English word of that kind, and the spoken ones of its attributes.
export async function englishSentences(page) {
  const found = await page.evaluate(
    ([words, leftOut]) => {
      const isEnglish = (said) => new RegExp(`(?<![\\p{L}/_.:-])(?:${words})(?![\\p{L}/_:-])`, 'iu').test(said);
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { textContent, parentElement } = walker.currentNode;
        const said = textContent.replace(/\s+/g, ' ').trim();
        if (said && isEnglish(said) && !parentElement.closest(leftOut)) found.push(said.slice(0, 120));
      }
      for (const name of ['aria-label', 'title', 'placeholder'])
        for (const element of document.querySelectorAll(`[${name}]`)) {
          const said = element.getAttribute(name);
          if (isEnglish(said) && !element.closest(leftOut)) found.push(`${name}: ${said.slice(0, 120)}`);
        }
      return found;
    },
    [WORDS, LEFT_OUT],
  );
  return found.filter((said) => !KNOWN.test(said));
}
