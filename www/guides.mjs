// Converts the guides, which are the files of docs/ for users of the server, to sections of HTML for the app. Files for
// contributors are left out, and links to them become text.

import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { GUIDES } from './src/views/developers/guide-list.ts';

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

/// Returns the address in the app for a link in a guide, or `undefined` if it leads to another file of the repository.
export function addressOf(href, guide) {
  if (/^https?:\/\//.test(href)) return href;
  const [, file = `${guide}.md`, section = ''] = /^([^#]+)?(?:#(.*))?$/.exec(href) ?? [];
  const name = file.replace(/^\.\//, '').replace(/\.md$/, '');
  if (!NAMES.has(name)) return undefined;
  return `/#/guides/${name}${section ? `/${section}` : ''}`;
}

const markdown = (guide) =>
  new Marked({
    gfm: true,
    renderer: {
      // Markup in the documents is shown as text. Comments are removed.
      html: ({ text }) => escaped(text.replace(/<!--[\s\S]*?-->\n?/g, '')),
      image: ({ text }) => escaped(text),
      link({ href, tokens }) {
        const content = named(tokens, this.parser.parseInline(tokens));
        const address = addressOf(href, guide);
        if (!address) return content;
        return `<a href="${escaped(address)}"${address.startsWith('http') ? ' rel="noreferrer"' : ''}>${content}</a>`;
      },
    },
  });

const titleOf = (name) => readFileSync(`docs/${name}.md`, 'utf8').match(/^# (.*)$/m)[1];

/// Returns the text of a link. The name of a file is replaced by the title of the guide, or by the path of the file.
function named(tokens, content) {
  const [, name] = /^([\w-]+)\.md$/.exec(tokens.map(({ raw }) => raw).join('')) ?? [];
  if (!name) return content;
  return NAMES.has(name) ? escaped(titleOf(name)) : `<code>docs/${name}.md</code>`;
}

/// Returns whether a token is the table of contents. The page of a guide has its own.
const isContents = ({ type, items }) =>
  type === 'list' && items.every(({ text }) => /^\[[^\]]*\]\(#[^)]*\)$/.test(text));

/// Returns a guide by name: {name, title, sections}. The first section may have no heading.
export function guide(name) {
  const marked = markdown(name);
  const tokens = marked.lexer(readFileSync(`docs/${name}.md`, 'utf8').replace(DECISION, ''));
  let title = name;
  const sections = [{ id: '', title: '', level: 2, tokens: [] }];
  const seen = new Map();
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === 1) title = plain(marked, token);
    else if (token.type === 'heading') {
      const text = plain(marked, token);
      const slug = slugOf(text);
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      sections.push({ id: times ? `${slug}-${times}` : slug, title: text, level: token.depth, tokens: [] });
    } else if (!isContents(token)) sections.at(-1).tokens.push(token);
  }
  return {
    name,
    title,
    sections: sections
      .map(({ tokens: own, ...rest }) => ({ ...rest, html: marked.parser(own).trim() }))
      .filter(({ id, html }) => id !== '' || html !== ''),
  };
}

/// Returns the text of a heading without markup.
const plain = (marked, { text }) =>
  marked
    .parseInline(text)
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]);
