//! Large parts of a page that take no work while they are out of sight (`content-visibility` in `settle.css`).

/** The elements of a page that a browser takes long to look through. A shorter one is laid out, and copied, whole. */
const LARGE = 10_000;

/**
 * Settles the children of an element that has very many elements. They were laid out: a browser knows their heights,
 * and skips what is out of sight. One that still grows is left out, and the last one unless all are there.
 */
export function settle(around: Element | null, isWhole: boolean): void {
  if (!around || around.getElementsByTagName('*').length < LARGE) return;
  const growing = isWhole ? null : around.lastElementChild;
  for (const child of around.children) {
    if (child === growing || child.matches('.settled, [aria-busy]') || child.querySelector('[aria-busy]')) continue;
    child.classList.add('settled');
  }
}
