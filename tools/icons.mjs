// Makes the icons of the installed app from www/public/icon.svg: node tools/icons.mjs   (needs Chromium)
//
// An icon that a system may crop (`maskable`) is filled to its edges, with the drawing in the inner 80 %
// (<https://www.w3.org/TR/appmanifest/#icon-masks>). The page links to none of them: a browser may fetch such an icon
// anew while a user's own files are open, and systems read the manifest.

import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { ARGS, executablePath } from './server/chromium.mjs';

const FOLDER = 'www/public';
const svg = readFileSync(`${FOLDER}/icon.svg`, 'utf8');
/// The drawing without round corners, in the middle of a ground of its colour.
const whole = svg
  .replace('viewBox="0 0 64 64"', 'viewBox="-8 -8 80 80"')
  .replace('<rect width="64" height="64" rx="14"', '<rect x="-8" y="-8" width="80" height="80"');
if (whole.includes('rx=')) throw new Error('the icon is not drawn as expected');

const browser = await chromium.launch({ executablePath, args: ARGS });
try {
  for (const [name, size, drawing] of [
    ['icon-192', 192, svg],
    ['icon-512', 512, svg],
    ['icon-maskable-512', 512, whole],
  ]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`);
    writeFileSync(`${FOLDER}/${name}.png`, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
