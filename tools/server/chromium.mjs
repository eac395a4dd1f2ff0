// A page of a headless Chromium that can import the files of this repository.

import { execSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const TYPES = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PAGE = '<!doctype html><title>edgechart</title>';

/// The path of the browser without windows, else of the whole one. Empty if there is neither.
export const executablePath =
  process.env.CHROMIUM ??
  execSync('command -v chromium-headless-shell || command -v chromium || true', { encoding: 'utf8' }).trim();

/// The arguments of each browser of a test. Letters are as wide as on a screen of a high resolution, whatever the
/// machine does with fonts. Without the GPU's process a page is drawn with less work.
export const ARGS = ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu'];

/// Opens a page. Below `/given/` it finds the files of that folder. Resolves to {page, close}.
export async function open({ given, args = [] } = {}) {
  const server = createServer(({ url }, answer) => {
    const path = normalize(url);
    const file = path.startsWith('/given/') ? join(given, path.slice('/given/'.length)) : join('.', path);
    // Among its own alone, a page has a clock of microseconds.
    answer
      .setHeader('cross-origin-opener-policy', 'same-origin')
      .setHeader('cross-origin-embedder-policy', 'require-corp');
    if (path === '/') return answer.setHeader('content-type', 'text/html').end(PAGE);
    if (!/^\/(given|tests|tools|www\/pkg)\//.test(path) || !existsSync(file)) return answer.writeHead(404).end();
    answer.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain; charset=utf-8');
    return createReadStream(file).pipe(answer);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await chromium.launch({ executablePath, args: [...ARGS, ...args] });
  const page = await browser.newPage();
  // localhost: a secure context, or there is no WebCrypto.
  await page.goto(`http://localhost:${server.address().port}/`);
  const close = async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { page, close };
}
