// Builds the app into www/dist: hashed bundles, the pages, the sample as one compressed file, the guides, the service
// worker, and the widgets that assistants show.
//   node www/build.mjs           builds, and prints the sizes against the budget
//   node www/build.mjs --watch   builds whenever a source changes, without type checks: use `tsc -p www`

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { guide, titleOf } from './guides.mjs';
import { spanishWords } from './src/language/es/catalogue.ts';
import { GUIDES, guideUrl } from './src/views/developers/guide-list.ts';

const OUT = 'www/dist';
/// The budget of the first page in bytes, without the wasm module: see `sizes`.
const BUDGET = 120 * 1024;
const WIDGETS = ['overview', 'trend'];
const WATCH = process.argv.includes('--watch');
/// The font, at an address without a hash, since the pages of the Worker use it too.
const FONT = '/fonts/hyperlegible.woff2';
const FONT_FOLDER = 'node_modules/@fontsource-variable/atkinson-hyperlegible-next/files';
const FONT_FILE = `${FONT_FOLDER}/atkinson-hyperlegible-next-latin-wght-normal.woff2`;
const PAGES = {
  'index.html': 'edgechart',
  'callback.html': 'Signing in',
  'check.html': 'Check an answer',
  'launch.html': 'Launch',
  'sandbox.html': 'Sandbox',
  'link.html': 'Shared record',
  'other.html': 'Another server',
};

const asset = (name, extension, bytes) => {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const path = `/assets/${name}.${hash}.${extension}`;
  writeFileSync(OUT + path, bytes);
  return path;
};

/// Returns the text of a module without the comments that begin with `//!`, which esbuild would keep as licences.
const sourceOf = (path) => readFileSync(path, 'utf8').replaceAll(/^\/\/!.*$/gm, '');
const withoutComments = {
  name: 'without-comments',
  setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: sourceOf(path), loader: 'ts' })),
};

const usual = {
  bundle: true,
  format: 'esm',
  target: 'es2023',
  minify: true,
  metafile: true,
  sourcemap: 'linked',
  legalComments: 'eof',
  loader: { '.woff2': 'file' },
  external: ['/fonts/*'],
  assetNames: 'assets/[name].[hash]',
  outdir: OUT,
  publicPath: '/',
  logLevel: 'warning',
  plugins: [withoutComments],
};

/// Tells esbuild that the whole first page is loaded before any dynamic import. The first page then becomes one file,
/// instead of one file for each part that later chunks share.
const firstPageFirst = {
  name: 'first-page-first',
  setup({ onResolve, onLoad, resolve: find }) {
    const later = new Set();
    onResolve({ filter: /\.ts$/ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === firstPageFirst) return undefined;
      const found = await find(path, { kind, resolveDir, pluginData: firstPageFirst });
      later.add(found.path);
      return found;
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!later.has(path)) return undefined;
      const contents = `${sourceOf(path)}\nimport ${JSON.stringify(resolve('www/src/main.ts'))};`;
      return { contents, loader: 'ts' };
    });
  },
};

async function all() {
  // A development server serves this folder, so old files are kept while watching.
  if (!WATCH) rmSync(OUT, { recursive: true, force: true });
  for (const folder of ['assets', 'guides']) mkdirSync(`${OUT}/${folder}`, { recursive: true });

  const wasm = asset('edgechart', 'wasm', readFileSync('www/pkg/edgechart_bg.wasm'));
  const sample = asset('sample', 'ndjson.gz', gzipSync(sampleText(), { level: 9 }));
  const records = gzipSync(readFileSync('www/example-records.ndjson'), { level: 9 });
  const exampleRecords = asset('example-records', 'ndjson.gz', records);
  const examples = asset('examples', 'json', JSON.stringify(JSON.parse(readFileSync('www/examples.json', 'utf8'))));
  const engine = await build({
    ...usual,
    entryPoints: { engine: 'www/src/engine/worker.ts' },
    entryNames: 'assets/[name].[hash]',
    define: {
      WASM_URL: JSON.stringify(wasm),
      SAMPLE_URL: JSON.stringify(sample),
      EXAMPLE_RECORDS_URL: JSON.stringify(exampleRecords),
    },
  });
  const app = await build({
    ...usual,
    entryPoints: { main: 'www/src/main.ts', style: 'www/src/style.css' },
    splitting: true,
    plugins: [firstPageFirst, withoutComments],
    entryNames: 'assets/[name].[hash]',
    chunkNames: 'assets/[name].[hash]',
    define: {
      ENGINE_URL: JSON.stringify(outputOf(engine, 'worker.ts')),
      EXAMPLES_URL: JSON.stringify(examples),
      GUIDE_TITLES: JSON.stringify(Object.fromEntries(GUIDES.map(({ name }) => [name, titleOf(name)]))),
    },
  });

  const script = outputOf(app, 'main.ts');
  // Without preloads, the browser would discover the chunks one import at a time.
  const chunks = importedBy(app, script);
  const preloads = chunks.map((path) => `<link rel="modulepreload" href="${path}">`).join('\n');
  const style = outputOf(app, 'style.css');
  cpSync(FONT_FILE, OUT + FONT);
  const shell = readFileSync('www/index.html', 'utf8');
  // The icon is inline: a browser may fetch an icon at each change of the address, even while a user's files are open.
  const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync('www/public/icon.svg', 'utf8'))}`;
  const pageOf = (title, text = shell) =>
    text
      .replaceAll('{{title}}', title)
      .replaceAll('{{script}}', script)
      .replaceAll('{{chunks}}', preloads)
      .replaceAll('{{style}}', style)
      .replaceAll('{{icon}}', icon)
      .replaceAll('{{font}}', FONT);
  for (const [page, title] of Object.entries(PAGES)) writeFileSync(`${OUT}/${page}`, pageOf(title));
  const guides = GUIDES.map(({ name }) => [guideUrl(name), pageOf(titleOf(name), guideShell(shell, guide(name)))]);
  for (const [url, text] of guides) writeFileSync(OUT + url, text);
  cpSync('www/public', OUT, { recursive: true });

  // All files that the service worker caches, so that the app starts offline after the first visit.
  const files = [
    '/',
    FONT,
    // The command line writes it beside the app.
    '/openapi.json',
    ...readdirSync('www/public')
      .filter((name) => !name.startsWith('_'))
      .map((name) => `/${name}`),
    ...Object.keys(PAGES).map((page) => `/${page}`),
    ...guides.map(([url]) => url),
    ...readdirSync(`${OUT}/assets`)
      .filter((name) => !name.endsWith('.map'))
      .map((name) => `/assets/${name}`),
  ];
  const version = createHash('sha256')
    .update(files.join())
    .update(shell)
    .update(guides.join())
    .update(readFileSync('www/public/theme.js'))
    .digest('hex')
    .slice(0, 12);
  await build({
    ...usual,
    sourcemap: false,
    entryPoints: { sw: 'www/src/sw.ts' },
    format: 'iife',
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
  });
  await widgets();
  return { scripts: [script, ...chunks], style };
}

/// Replaces the Spanish catalogue.
const withTexts = (texts) => ({
  name: 'with-texts',
  setup({ onLoad }) {
    const contents = `export const spanishWords = ${JSON.stringify(texts)};`;
    onLoad({ filter: /www\/src\/language\/es\/catalogue\.ts$/ }, () => ({ contents }));
  },
});

/// Writes each widget as one file that loads nothing. It has the texts that occur in its script.
async function widgets() {
  mkdirSync(`${OUT}/widgets`, { recursive: true });
  const built = async (source, texts) => {
    const options = { sourcemap: false, legalComments: 'none', write: false, charset: 'utf8', format: 'iife' };
    const { outputFiles } = await build({ ...usual, ...options, entryPoints: [source], plugins: [withTexts(texts)] });
    return outputFiles[0].text.trim();
  };
  const style = await built('www/src/widgets/widgets.css');
  for (const name of WIDGETS) {
    const source = `www/src/widgets/${name}.ts`;
    const untranslated = await built(source, {});
    const used = Object.entries(spanishWords).filter(([message]) => untranslated.includes(message));
    const script = await built(source, Object.fromEntries(used));
    const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>edgechart</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body><script>${script}</script></body>
</html>`;
    writeFileSync(`${OUT}/widgets/${name}.html`, text);
  }
}

/// Returns a page without script for the content of a guide.
const guideShell = (shell, content) =>
  shell.replace(/<script type="module".*\n\{\{chunks\}\}\n/, '').replace(
    /<body>[\s\S]*<\/body>/,
    () => `<body>
<header class="top"><a class="brand" href="/#/guides">edgechart</a></header>
<main class="view guide">
${content}</main>
</body>`,
  );

/// Returns the address of esbuild's output for a source.
function outputOf({ metafile }, source) {
  const [path] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source));
  return path.slice(OUT.length);
}

/// Returns the addresses of the chunks that a script imports statically, including indirect imports.
function importedBy({ metafile }, script) {
  const needed = new Set();
  const visit = (path) => {
    for (const { path: next, kind } of metafile.outputs[path].imports) {
      if (kind !== 'import-statement' || needed.has(next)) continue;
      needed.add(next);
      visit(next);
    }
  };
  visit(OUT + script);
  return [...needed].map((path) => path.slice(OUT.length));
}

function sampleText() {
  const files = readdirSync('sample')
    .filter((name) => name.endsWith('.ndjson'))
    .sort();
  return files.map((name) => readFileSync(`sample/${name}`, 'utf8')).join('');
}

/// Prints the sizes, and throws if the first page is over its budget. The first page is its HTML, style, font, script,
/// and every chunk that the script imports statically.
function sizes({ scripts, style }) {
  const first = ['index.html', ...[...scripts, style, FONT].map((path) => path.slice(1))];
  const gzip = (name) =>
    name.endsWith('.woff2')
      ? statSync(`${OUT}/${name}`).size
      : gzipSync(readFileSync(`${OUT}/${name}`), { level: 9 }).length;
  const total = first.reduce((sum, name) => sum + gzip(name), 0);
  const kib = (bytes) => `${(bytes / 1024).toFixed(1).padStart(7)} KiB`;
  for (const name of first) console.log(`  ${kib(gzip(name))}  ${name}`);
  console.log(`  ${kib(total)}  the first page, of ${BUDGET / 1024} KiB (gzip; the font as it is)`);
  const rest = readdirSync(`${OUT}/assets`)
    .map((name) => `assets/${name}`)
    .filter((name) => !first.includes(name) && !name.endsWith('.map'))
    .concat(WIDGETS.map((name) => `widgets/${name}.html`));
  for (const name of rest)
    console.log(
      `  ${kib(name.endsWith('.gz') ? statSync(`${OUT}/${name}`).size : gzip(name))}  ${name}, when it is needed`,
    );
  if (total > BUDGET) throw new Error('the first page is over its budget');
}

if (!WATCH) sizes(await all());
else {
  let soon;
  const again = () => {
    clearTimeout(soon);
    soon = setTimeout(
      () =>
        all().then(
          () => console.log('· built the app again'),
          (error) => console.error(error.message),
        ),
      100,
    );
  };
  for (const folder of ['www/src', 'www/public', 'www/pkg', 'docs', 'reading'])
    watch(folder, { recursive: true }, again);
  watch('www/index.html', again);
}
