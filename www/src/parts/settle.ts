//! Large parts of a page that cost no layout while they are out of sight (`content-visibility` in `settle.css`).

/** The number of elements from which layout of a part is slow. A smaller part stays as it is, laid out as a whole. */
const LARGE = 10_000;

/**
 * Settles the children of an element that has very many elements. They have been laid out before, so the browser knows
 * their heights and skips those out of sight. Growing children are left out, and the last one unless all are drawn.
 */
export function settle(around: Element | null, isWhole: boolean): void {
  if (!around || around.getElementsByTagName('*').length < LARGE) return;
  const growing = isWhole ? null : around.lastElementChild;
  for (const child of around.children) {
    if (child === growing || child.matches('.settled, [aria-busy]') || child.querySelector('[aria-busy]')) continue;
    child.classList.add('settled');
  }
}
