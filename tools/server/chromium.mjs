// Opens a page of a headless Chromium that can import the files of this repository.

import { execSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const TYPES = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PAGE = '<!doctype html><title>edgechart</title>';

/// The path of the headless browser, or of the full browser. Empty if neither is installed.
export const executablePath =
  process.env.CHROMIUM ??
  execSync('command -v chromium-headless-shell || command -v chromium || true', { encoding: 'utf8' }).trim();

/// The arguments of each test browser. Without hinting, letters have the same width on every machine. Without the GPU
/// process, drawing a page takes less work.
export const ARGS = ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu'];

/// Opens a page. The files of the folder `given` are served below `/given/`. Resolves to {page, close}.
export async function open({ given, args = [] } = {}) {
  const server = createServer(({ url }, answer) => {
    const path = normalize(url);
    const file = path.startsWith('/given/') ? join(given, path.slice('/given/'.length)) : join('.', path);
    // A cross-origin isolated page has a clock with microsecond resolution.
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
  // localhost is a secure context, which WebCrypto needs.
  await page.goto(`http://localhost:${server.address().port}/`);
  const close = async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { page, close };
}
