// Takes the pictures of the README: node tools/screenshots.mjs   (after `make worker app native`)

import { mkdirSync } from 'node:fs';
import { loaded, open } from './server/app.mjs';

const OUT = 'www/screenshots';
mkdirSync(OUT, { recursive: true });
const stage = await open();

async function picture(name, path, { size, theme, before = async () => undefined }) {
  const person = await stage.person({ size, theme });
  const page = await person.page();
  await page.setViewportSize(size === 'phone' ? { width: 360, height: 740 } : { width: 1180, height: 780 });
  await page.goto(path);
  await loaded(page);
  await before(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${OUT}/${name}.png` });
  await person.close();
}

try {
  await picture('chart', '/#/sample/chart/amara-okafor', { theme: 'light' });
  await picture('trend', '/#/sample/chart/amara-okafor/trend/2160-0', { theme: 'dark' });
  await picture('search', '/#/search', {
    theme: 'light',
    before: async (page) => {
      await page.getByRole('button', { name: /backend token/ }).click();
      await page.getByText('Asked with the sandbox').waitFor();
      await page.getByRole('button', { name: 'Run both' }).click();
      await page.locator('.difference').waitFor();
      await page.locator('#understood').evaluate((heading) => heading.scrollIntoView({ block: 'start' }));
    },
  });
  await picture('phone', '/#/sample/chart/jordan-ellis', { size: 'phone', theme: 'light' });
} finally {
  await stage.close();
}
