// Plays the host of a widget (MCP Apps, 2026-01-26): a page with the widget in a sandboxed frame, whose policy opens
// nothing. `OWN` is a host of a few lines, and `BRIDGE` that of the official package, if it is here.

import { existsSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

export const fileOf = (widget) => `www/dist/widgets/${widget}.html`;

/// The policy of a resource without `csp`.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
].join('; ');

/// A host, as the source of a module of its page. The tests tell it what it sends.
export const OWN = `
  const { context, abilities, input, result } = await told();
  const frame = document.querySelector('iframe');
  globalThis.sent = [];
  globalThis.tell = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  globalThis.give = (result) => tell({ method: 'ui/notifications/tool-result', params: result });
  const answers = {
    'ui/initialize': () => ({ protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' },
      hostCapabilities: abilities, hostContext: context }),
    'ui/open-link': () => ({}),
    'tools/call': ({ name, arguments: asked }) => called(name, asked),
  };
  addEventListener('message', async ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    sent.push(data);
    const { id, method, params } = data;
    if (method === 'ui/notifications/initialized') {
      tell({ method: 'ui/notifications/tool-input', params: { arguments: input } });
      if (result) give(result);
    }
    if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px';
    if (id === undefined || method === undefined) return;
    try {
      tell({ id, result: await answers[method](params) });
    } catch (error) {
      tell({ id, error: { code: -32602, message: error.message } });
    }
  });
  frame.src = '/widget.html';`;

const PACKAGE = '.wrangler/npm-ext-apps/package/dist/src/app-bridge.js';
export const skip = !existsSync(PACKAGE) && 'npm’s ext-apps is not here: make clients';

const BRIDGE = `
  import { AppBridge, PostMessageTransport } from './${PACKAGE}';
  const { context, abilities, input, result } = await told();
  const frame = document.querySelector('iframe');
  const bridge = new AppBridge(null, { name: 'test', version: '1' }, abilities, { hostContext: context });
  globalThis.bridge = bridge;
  globalThis.opened = [];
  bridge.oncalltool = ({ name, arguments: asked }) => called(name, asked);
  bridge.onopenlink = async ({ url }) => (opened.push(url), {});
  bridge.onsizechange = ({ height }) => { frame.style.height = height + 'px'; };
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = '/widget.html';`;

/// Resolves to the source of a host that is the bridge of the official package.
export async function officialHost() {
  const stdin = { contents: BRIDGE, resolveDir: '.' };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', target: 'es2022', write: false });
  return outputFiles[0].text;
}

/// Shows a widget in a page of the app's origin, and resolves to its frame. `call` answers `tools/call`.
export async function hosted(page, { widget, host = OWN, context = {}, abilities, input = {}, result, call }) {
  const told = { context, input, result, abilities: abilities ?? { serverTools: {}, openLinks: {} } };
  await page.exposeFunction('told', () => told);
  await page.exposeFunction('called', (name, asked) => call(name, asked));
  const answer = (path, body, headers = {}) =>
    page.route(path, (route) =>
      route.fulfill({ contentType: path.endsWith('.js') ? 'text/javascript' : 'text/html', body, headers }),
    );
  await answer('/host.js', host);
  await answer('/widget.html', readFileSync(fileOf(widget), 'utf8'), { 'content-security-policy': POLICY });
  await answer(
    '/host.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>host</title>
      <body style="margin:0"><iframe title="widget" sandbox="allow-scripts" style="border:0;width:100%"></iframe>
      <script type="module" src="/host.js"></script>`,
  );
  await page.goto('/host.html');
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
  await page.frameLocator('iframe').locator('main').waitFor();
  return frame;
}
