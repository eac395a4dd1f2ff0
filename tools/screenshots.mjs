// Takes the screenshots for the README: node tools/screenshots.mjs   (after `make worker app native`)

import { mkdirSync } from 'node:fs';
import { open, show } from './server/app.mjs';

const OUT = 'docs/pictures';
const SIZES = { chart: { width: 1180, height: 960 }, search: { width: 1180, height: 1330 } };
mkdirSync(OUT, { recursive: true });
const stage = await open();

async function picture(name, path, before = async () => undefined) {
  const person = await stage.person({ theme: 'light' });
  const page = await person.page();
  await page.setViewportSize(SIZES[name]);
  await show(page, path);
  await before(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${OUT}/${name}.png` });
  await person.close();
}

try {
  await picture('chart', '/#/sample/chart/amara-okafor');
  await picture('search', '/#/search', async (page) => {
    await page.getByRole('button', { name: /backend token/ }).click();
    await page.getByText('Asked with the sandbox').waitFor();
    // The first answers of a server take longer than later ones.
    for (let time = 0; time < 4; time += 1) {
      await page.getByRole('button', { name: 'Run both' }).click();
      await page.waitForTimeout(1_000);
      await page.locator('.difference').waitFor();
    }
    // A run scrolls to its answers.
    await page.evaluate(() => scrollTo(0, 0));
  });
} finally {
  await stage.close();
}
