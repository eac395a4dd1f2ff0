import { loaded, open } from './server/app.mjs';

const stage = await open({ data: [] });
for (const [theme, w, h] of [
  ['light', 1280, 900],
  ['dark', 360, 780],
]) {
  const person = await stage.person({ theme });
  const page = await person.page();
  await page.setViewportSize({ width: w, height: h });
  await page.goto('/#/sample/chart/amara-okafor');
  await loaded(page);
  await page.getByLabel('Find in this chart').fill('metf');
  await page.waitForTimeout(700);
  await page.screenshot({ path: `/tmp/s3-${theme}-${w}.png` });
  console.log(person.complaints);
  await person.close();
}
await stage.close();
