// Converts the guides, which are the files of docs/ for users of the server, to HTML. Files for contributors are left
// out, and links to them become text.

import { readFileSync } from 'node:fs';
import { Marked, Renderer } from 'marked';
import { GUIDES, guideUrl } from './src/views/developers/guide-list.ts';

const LINK = String.raw`\[[^\]]+\]\(decisions/[\w-]+\.md#[\w-]+\)`;
/// Mentions of a decision, in parentheses or beside another reason. They are for contributors.
export const DECISION = new RegExp(String.raw`\s\(${LINK}\)|,\s${LINK}|${LINK},\s`, 'g');

const NAMES = new Set(GUIDES.map(({ name }) => name));

/// Returns the id that GitHub gives a heading, so that links within the documents also work in the app.
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const escaped = (text) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]);

/// Returns the address for a link in a guide, or `undefined` if it leads to another file of the repository.
export function addressOf(href, guide) {
  if (/^https?:\/\//.test(href)) return href;
  const [, file = `${guide}.md`, section = ''] = /^([^#]+)?(?:#(.*))?$/.exec(href) ?? [];
  const name = file.replace(/^\.\//, '').replace(/\.md$/, '');
  if (!NAMES.has(name)) return undefined;
  return `${guideUrl(name)}${section ? `#${section}` : ''}`;
}

/// The most columns of a table whose rows become blocks on a narrow page.
const MAX_STACKED = 3;

function markdown(guide) {
  let parts = 0;
  /// Returns the attributes of a part that scrolls by itself, also by keyboard.
  const scrolling = (kind) => `tabindex="0" role="region" aria-label="${kind} ${++parts}"`;
  const seen = new Map();
  return new Marked({
    gfm: true,
    renderer: {
      heading({ depth, text, tokens }) {
        const slug = slugOf(text);
        const times = seen.get(slug) ?? 0;
        seen.set(slug, times + 1);
        const id = times ? `${slug}-${times}` : slug;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      code: ({ text }) => `<pre class="code" ${scrolling('Code')}><code>${escaped(text)}</code></pre>`,
      table(token) {
        const frame = token.header.length <= MAX_STACKED ? 'table-frame stacked' : 'table-frame';
        const table = Renderer.prototype.table.call(this, token).replace('<table>', '<table class="plain">');
        return `<div class="${frame}" ${scrolling('Table')}>${table}</div>`;
      },
      // Markup in the documents is shown as text. Comments are removed.
      html: ({ text }) => escaped(text.replace(/<!--[\s\S]*?-->\n?/g, '')),
      image: ({ text }) => escaped(text),
      link({ href, tokens }) {
        const content = linkText(tokens, this.parser.parseInline(tokens));
        const address = addressOf(href, guide);
        if (!address) return content;
        return `<a href="${escaped(address)}"${address.startsWith('http') ? ' rel="noreferrer"' : ''}>${content}</a>`;
      },
    },
  });
}

export const titleOf = (name) => readFileSync(`docs/${name}.md`, 'utf8').match(/^# (.*)$/m)[1];

/// Returns the text of a link. The name of a file is replaced by the title of the guide, or by the path of the file.
function linkText(tokens, content) {
  const [, name] = /^([\w-]+)\.md$/.exec(tokens.map(({ raw }) => raw).join('')) ?? [];
  if (!name) return content;
  return NAMES.has(name) ? escaped(titleOf(name)) : `<code>docs/${name}.md</code>`;
}

/// Returns the content of the page of a guide.
export const guide = (name) => markdown(name).parse(readFileSync(`docs/${name}.md`, 'utf8').replace(DECISION, ''));
