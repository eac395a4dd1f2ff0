//! Finds the texts in the sources of the app and of `reading/`, for tests of the catalogues. Not part of the app.

import { readdirSync, readFileSync } from 'node:fs';
import { type Node, parse } from 'acorn';
import { transformSync } from 'esbuild';

interface SourceText {
  file: string;
  text: string;
  /** True for literal text in a template, which cannot be translated. */
  inTemplate: boolean;
}

export const SOURCES = { app: 'www/src', reading: 'reading' } as const;
/** Files that are not part of the page, or are catalogues themselves. */
const LEFT_OUT = /\.(?:test|cases)\.ts$|\.d\.ts$|\/language\/(?:es\/|texts\.ts)|\/plain-words\//;

/** Returns the source files of a folder as paths in the repository. */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts') && !LEFT_OUT.test(name))
    .sort();

/** Returns the string literals of a file, and the texts and spoken attributes of its templates. */
export function textsOf(file: string): SourceText[] {
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', target: 'esnext' });
  const found: SourceText[] = [];
  const add = (text: string, inTemplate: boolean): void => {
    if (text !== '') found.push({ file, text, inTemplate });
  };
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, false);
    if (node.type === 'TaggedTemplateExpression' && isHtml(node)) {
      const template = pieces(node.quasi);
      for (const text of shownTexts(template)) add(text, true);
      const expressions = children(node.quasi as SyntaxNode).filter(({ type }) => type !== 'TemplateElement');
      for (const [i, inner] of expressions.entries()) if (!UNSPOKEN.test(template[i] ?? '')) visit(inner);
      return;
    }
    if (isPattern(node)) return;
    if (node.type === 'TemplateLiteral') for (const text of pieces(node)) add(text, false);
    for (const child of children(node)) visit(child);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as SyntaxNode);
  return found;
}

type SyntaxNode = Node & Record<string, unknown>;
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const children = (node: SyntaxNode): SyntaxNode[] => Object.values(node).flat().filter(isNode);

const isHtml = ({ tag }: SyntaxNode): boolean => isNode(tag) && (tag.name === 'html' || tag.name === 'svg');

/** Returns whether a node is a pattern: a template with the tag `String.raw`, or a call of `new RegExp`. */
const isPattern = ({ type, tag, callee }: SyntaxNode): boolean =>
  type === 'NewExpression'
    ? isNode(callee) && callee.name === 'RegExp'
    : isNode(tag) && tag.type === 'MemberExpression' && isNode(tag.property) && tag.property.name === 'raw';

/** Returns the literal pieces of a template. Nested tagged templates are visited separately. */
function pieces(template: unknown): string[] {
  const quasis = isNode(template) && Array.isArray(template.quasis) ? template.quasis : [];
  return quasis.map(({ value }: { value: { cooked: string } }) => value.cooked);
}

/** Matches the end of a piece before the value of an attribute that is not shown. */
const UNSPOKEN = /\s(?:class|style|href|id|d|points|transform|viewBox|data-[\w-]+)=["']?$/;
const PLACE = '\0';
/** Code and keys, which are the same in all languages. */
const SAME_EVERYWHERE = /<(code|kbd|pre)\b[^>]*>[^<]*<\/\1\s*>/g;
const SPOKEN = /\s(?:aria-label|title|placeholder|alt)="([^"]*)"/g;

function shownTexts(template: string[]): string[] {
  const markup = template.join(PLACE).replace(/<!--.*?-->/gs, '');
  const spoken = [...markup.matchAll(SPOKEN)].map(([, text = '']) => text);
  const shown = markup.replace(SAME_EVERYWHERE, PLACE).split(/<[^>]*>|\0/);
  return [...spoken, ...shown].map((text) => text.replace(/\s+/g, ' ').trim());
}
