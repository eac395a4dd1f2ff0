//! The text of a page by its lines: blocks on lines of their own, and the cells of a row parted by tabs.

const BLOCKS = /^(?:P|DIV|LI|TR|H[1-6]|BR|HR|DT|DD|TABLE|UL|OL|DL|PRE|BLOCKQUOTE|CAPTION)$/;
const CELLS = /^T[DH]$/;
/** The most letters that are looked at: what a page is about stands at its beginning. */
const MOST = 20_000;

/** The first lines of a page. */
export function linesOf(page: Node): string {
  const parts: string[] = [];
  let length = 0;
  const walk = (node: Node, depth: number): void => {
    if (length > MOST || depth > 100) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const text = (node.nodeValue ?? '').replace(/\s+/g, ' ');
      length += text.length;
      parts.push(text);
      return;
    }
    const isBlock = BLOCKS.test(node.nodeName);
    if (isBlock) parts.push('\n');
    for (const child of node.childNodes) walk(child, depth + 1);
    if (isBlock) parts.push('\n');
    else if (CELLS.test(node.nodeName)) parts.push('\t');
  };
  walk(page, 0);
  return parts.join('').replace(/ *([\n\t]) */g, '$1');
}
