//! Large parts of a page that take no work while they are out of sight (`content-visibility` in `settle.css`).

/** The elements of a page that a browser takes long to look through. A shorter one is laid out, and copied, whole. */
const LARGE = 10_000;

/**
 * Settles the children of an element that has very many elements. They were laid out: a browser knows their heights,
 * and skips what is out of sight. One that still grows is left out, and the last one unless all are there.
 */
export function settle(around: Element | null, isWhole: boolean): void {
  if (!around || around.getElementsByTagName('*').length < LARGE) return;
  let child = around.lastElementChild;
  if (!isWhole) child = child?.previousElementSibling ?? null;
  // Those before a settled one are settled.
  for (; child && !child.classList.contains('settled'); child = child.previousElementSibling) {
    if (!child.matches('[aria-busy]') && !child.querySelector('[aria-busy]')) child.classList.add('settled');
  }
}
