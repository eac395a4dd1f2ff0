// The charts of the sample, without a login: jumps within the page, layout shifts, Back, counts, raw codes, trends,
// units, phones and printing.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { addShifts, frames, loaded, open, says, shiftOf, show, text, unfoldLists } from './browser.mjs';
import { madeUp } from './made-up-server.mjs';
import { countMarks } from './marks.mjs';
import { pagesOf } from './pdf.mjs';

const AMARA = '/#/sample/chart/amara-okafor';
const PATIENTS = readFileSync('sample/Patient.ndjson', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).id);
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

const stage = await open({ data: [] });
after(() => stage.close());

const visit = (path, options) => stage.visit(path, { viewport: DESK, ...options });
const current = (page) => page.locator('.index a[aria-current="location"] span:first-child').textContent();

/// Texts that are not meant for readers: UCUM's brackets, LOINC's phrases for laboratories, UUIDs.
const RAW = /\[Hg\]|10\*\d|\{[a-z#]+\}|children optional|\[(?:Mass|Moles|#)\/|beats\/minute|[0-9a-f]{8}-[0-9a-f]{4}-/gi;

/// Opens every chart of the sample. Returns for each the sum of its layout shifts, the counts in its index and
/// sections, and its raw texts.
async function tour(viewport) {
  const person = await stage.person({ viewport });
  await addShifts(person.context);
  const page = await person.page();
  const seen = [];
  for (const patient of PATIENTS) {
    for (const view of ['', '/timeline']) {
      await page.goto('about:blank');
      await show(page, `/#/sample/chart/${patient}${view}`);
      await frames(page);
      const counts = await page.locator('.index a').evaluateAll((links) =>
        links.map((link) => {
          const id = link.getAttribute('href').slice(1);
          return [
            id,
            link.querySelector('.brief').textContent,
            document.getElementById(id).querySelector('.count')?.textContent ?? '',
          ];
        }),
      );
      const shift = await shiftOf(page);
      await unfoldLists(page);
      seen.push({
        chart: patient + view,
        shift,
        counts,
        raw: (await page.locator('main').textContent()).match(RAW),
      });
    }
  }
  await person.close();
  return seen;
}
const tours = new Map();
const toured = (viewport) => {
  if (!tours.has(viewport)) tours.set(viewport, tour(viewport));
  return tours.get(viewport);
};

for (const [name, viewport] of [
  ['desk', DESK],
  ['phone', PHONE],
]) {
  test(`the layout of no chart shifts by 0.05 while it loads, ${name}`, async (t) => {
    const seen = await toured(viewport);
    assert.equal(seen.length, 2 * PATIENTS.length);
    assert.deepEqual(
      seen.filter(({ shift }) => shift >= 0.05).map(({ chart, shift }) => `${chart}: ${shift}`),
      [],
    );
    t.diagnostic(`the largest shift: ${Math.max(...seen.map(({ shift }) => shift)).toFixed(4)}`);
  });
}

test('a notice of what is left out that comes after the chart is drawn moves nothing, and stays in sight', async () => {
  for (const viewport of [DESK, PHONE]) {
    const { promise: isToAnswer, resolve: answer } = Promise.withResolvers();
    const given = { reference: 'Patient/iria' };
    const { person, page } = await madeUp(stage, {
      ...{ patient: 'iria', scope: 'patient/*.rs patient/Immunization.rs', viewport },
      answer: async (type, id) => {
        if (id) return { resourceType: 'Patient', id, name: [{ family: 'Vidal' }] };
        if (type === 'Immunization') await isToAnswer;
        const list = {
          Immunization: [
            { resourceType: 'Immunization', id: 'i', status: 'completed', patient: given, doseQuantity: true },
          ],
          Condition: [{ resourceType: 'Condition', id: 'c', code: { text: 'Asthma' }, subject: given }],
        };
        return {
          resourceType: 'Bundle',
          type: 'searchset',
          entry: (list[type] ?? []).map((resource) => ({ resource })),
        };
      },
    });
    await addShifts(page);
    await page.goto('/#/chart/iria');
    await says(page, '#glance-problems', /Asthma/);
    await frames(page);
    assert.equal(await page.locator('.chart-notice').count(), 0);
    const before = await shiftOf(page);
    answer();
    await says(page, '.late-notice', /Left out of this chart: 1 record with fields that could not be read/);
    await loaded(page);
    await frames(page);
    const moved = (await shiftOf(page)) - before;
    assert.ok(moved < 0.05, `moved by ${moved} at ${viewport.width}`);
    const box = await page.locator('.late-notice').boundingBox();
    assert.ok(box.y > 0 && box.y + box.height <= viewport.height + 1, JSON.stringify(box));
    await person.close();
  }
});

test('no chart shows UCUM brackets, phrases for laboratories or UUIDs', async () => {
  assert.deepEqual(
    (await toured(DESK)).filter(({ raw }) => raw),
    [],
  );
});

const STATES = 'unclear|on hold|given|planned|past|not to be done|not given|not done|devices?';
const UNCOUNTED = new RegExp(`^(?:([1-9]\\d*), )?(?:and in words|[1-9]\\d* (?:${STATES}))$`);

test('index and section show the same number on every chart', async () => {
  for (const { chart, counts } of (await toured(DESK)).filter(({ chart }) => !chart.endsWith('/timeline'))) {
    assert.equal(counts.length, 19, chart);
    for (const [id, index, section] of counts) {
      // Entries that are not counted in the number follow it, or replace it if it is 0.
      const [, counted = ''] = UNCOUNTED.exec(index) ?? [];
      if (!/^\d+$/.test(index) && !UNCOUNTED.test(index))
        assert.match(index, /^(none known|not asked|\d+ goals?)$/, `${chart} ${id}`);
      assert.equal(
        section.split(/,? /)[0],
        /^[1-9]\d*$/.test(index) ? index : counted,
        `${chart} ${id}: ${index} in the index, "${section}" at the section`,
      );
    }
  }
});

for (const viewport of [DESK, { width: 800, height: 900 }, PHONE, { width: 320, height: 640 }]) {
  test(`each link of the index scrolls its heading into view, below the bar, ${viewport.width} px`, async () => {
    const { page } = await visit(AMARA, { viewport });
    const links = await page
      .locator('.index a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href').slice(1)));
    assert.equal(links.length, 19);
    for (const id of [...links, ...links.toReversed()]) {
      await page.locator(`.index a[href="#${id}"]`).click();
      await page.locator(`.index a[href="#${id}"][aria-current="location"]`).waitFor();
      await frames(page);
      const { top, bottom, covered, height, bar, end } = await page.evaluate((name) => {
        const heading = document.getElementById(`${name}-title`);
        const box = heading.getBoundingClientRect();
        const above = document.elementFromPoint(box.left + 4, box.top + box.height / 2);
        const root = document.documentElement;
        return {
          top: box.top,
          bottom: box.bottom,
          height: innerHeight,
          bar: parseFloat(getComputedStyle(root).scrollPaddingTop),
          end: Math.ceil(scrollY + innerHeight) >= root.scrollHeight,
          covered: !(above && (heading.contains(above) || above.contains(heading))),
        };
      }, id);
      assert.ok(bottom <= height && (end || Math.abs(top - bar) < 4), `${id} is at ${top}, the bar ends at ${bar}`);
      assert.equal(covered, false, `${id} is not covered`);
      assert.equal(await page.evaluate(() => document.activeElement.id), `${id}-title`);
    }
  });
}

test('the index follows the scroll', async () => {
  const { page } = await visit(AMARA);
  assert.equal(await current(page), 'Allergies and intolerances');
  for (const id of ['medications', 'labs', 'team']) {
    await page.evaluate(
      (name) => scrollTo(0, document.getElementById(name).getBoundingClientRect().top + scrollY - 60),
      id,
    );
    await frames(page);
    assert.equal(await page.locator('.index a[aria-current="location"]').getAttribute('href'), `#${id}`);
  }
  assert.equal(await page.locator('.whose').getAttribute('data-shown'), 'true');
  assert.match(
    await text(page, '.whose'),
    /^Amara Chidinma Okafor 62.y · Female · 19.Aug.1964 Allergies: Allergy to penicillin \(high risk\) · lisinopril$/,
  );
});

test('a list of events shows its newest three, and all at a press, which a trend does not undo', async () => {
  const { page } = await visit(AMARA);
  const rows = page.locator('#visits .row');
  assert.equal(await rows.count(), 3);
  const button = page.locator('#visits').getByRole('button', { name: 'Show all 11 Visits', expanded: false });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('#visits').getByRole('button', { name: 'Show fewer Visits', expanded: true }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.matches('#visits .unfold')), true, 'the focus stays');
  assert.equal(await rows.count(), 11);
  assert.equal(await page.locator('#reports > .rows .row').count(), 3, 'other lists stay as they are');
  const oldest = (await rows.last().locator('.title button').textContent()).trim();
  await page.locator('#labs th a').first().click();
  await page.locator('#trend-title').waitFor();
  await page.goBack();
  await page.locator('#visits').waitFor();
  assert.equal(await rows.count(), 11);
  await page.locator('#visits .unfold').click();
  await frames(page);
  assert.equal(await rows.count(), 3);
  // Find opens a record whose row is not shown.
  await page.getByLabel('Find in this chart').fill(oldest);
  await page
    .locator('.found button', { hasText: /^\s*Visit/ })
    .last()
    .click();
  await says(page, '#drawer-title', /^Visit: /);
  await page.keyboard.press('Escape');
  // What is so now is never folded.
  assert.equal(await page.locator(':is(#allergies, #problems, #medications, #vitals, #labs) .unfold').count(), 0);
  assert.equal(await page.locator('#medications > .rows .row').count(), 7);
});

test('Back from a trend restores position and focus; a reload restores the position', async () => {
  for (const viewport of [DESK, PHONE]) {
    const { person, page } = await visit(AMARA, { viewport });
    // An opened summary above is closed after Back. The link must be at the same position nevertheless.
    await page.locator('#medications .folded summary').click();
    const link = page.locator('#labs th a', { hasText: 'Hemoglobin A1c' });
    await link.scrollIntoViewIfNeeded();
    const from = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 200);
    // The wheel scrolls in steps: wait until the page stands still.
    await page.waitForFunction(
      (seen) => {
        seen.still = seen.y === scrollY ? seen.still + 1 : 0;
        seen.y = scrollY;
        return scrollY > seen.from && seen.still > 10;
      },
      { from, still: 0 },
    );
    const before = await link.evaluate((one) => one.getBoundingClientRect().top);
    await link.click();
    await says(page, '#trend-title', /^Hemoglobin A1c$/);
    await page.waitForFunction(() => scrollY === 0 && document.activeElement?.matches('main h1'));
    await page.goBack();
    await page.waitForFunction(
      () => document.activeElement?.textContent === 'Hemoglobin A1c' && document.activeElement.closest('#labs'),
    );
    assert.ok(Math.abs((await link.evaluate((one) => one.getBoundingClientRect().top)) - before) < 2);
    // The page stores its position in the history after it has been still for a while.
    await page.waitForFunction(() => Math.abs((history.state?.position?.y ?? Number.NaN) - scrollY) < 1);
    const y = await page.evaluate(() => scrollY);
    await page.reload();
    await page.waitForFunction((place) => Math.abs(scrollY - place) < 2, y);
    await person.close();
  }
});

test('drafts, plans and medications on hold are not among the current ones', async () => {
  const { page } = await visit(AMARA);
  assert.equal(await text(page, '#medications .count'), '6 current');
  const planned = page.locator('#medications h3', { hasText: 'Planned, not ordered' });
  assert.match(
    await planned.evaluate((heading) => heading.nextElementSibling.textContent.replace(/\s+/g, ' ')),
    /insulin glargine.*Draft/,
  );
  assert.doesNotMatch(await page.locator('#medications > .rows').first().textContent(), /insulin|Draft|Plan/);
  assert.match(await page.locator('#medications > .rows').first().textContent(), /aspirin.*Reported by\s*the patient/s);
  await page.goto('/#/sample/chart/priya-raman');
  await says(page, '#medications', /On hold.*Sumatriptan/s);
  assert.doesNotMatch(await page.locator('#medications > .rows').first().textContent(), /Sumatriptan/);
});

test('an unknown patient gets one message', async () => {
  const { page } = await visit('/#/sample/chart/nobody-of-that-name');
  await says(page, 'main', /No such patient in the sample.*nobody-of-that-name/s);
  assert.equal(await page.locator('.section, .index, .tabs').count(), 0);
  assert.doesNotMatch(await text(page, 'main'), /No data/);
  await page.getByRole('link', { name: 'Patients of the sample' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.people-list li').length === 11);
});

test('old addresses lead to the sample, incomplete ones to its patients, unknown ones to a message', async () => {
  const { page } = await visit('/#/chart/amara-okafor/trend/4548-4');
  await says(page, '#trend-title', /^Hemoglobin A1c$/);
  assert.equal(new URL(page.url()).hash, '#/sample/chart/amara-okafor/trend/4548-4');
  for (const address of ['/#/chart/', '/#/chart', '/#/patients', '/#/sample/chart/']) {
    await page.goto('about:blank');
    await page.goto(address);
    await says(page, 'main h1', /^Patients$/);
    assert.equal(new URL(page.url()).hash, '#/sample/patients', address);
  }
  for (const address of ['/#/nonsense', '/#/sample', '/#/sample/chart/amara-okafor/nonsense', '/#/search/nonsense']) {
    await page.goto(address);
    await says(page, 'main', /There is no such page.*may be mistyped/s);
  }
});

test('the letters of a plot are as large on a tablet as on a phone and a desk', async () => {
  for (const width of [390, 768, 1280]) {
    const { person, page } = await visit(`${AMARA}/trend/4548-4`, { viewport: { width, height: 900 } });
    const scale = await page
      .locator('.plot')
      .first()
      .evaluate((plot) => plot.getScreenCTM().a);
    // The font size of the labels is 12 px.
    assert.ok(scale > 0.9 && scale < 1.2, `${width}: ${scale}`);
    await person.close();
  }
});

test('the trend of a test that the chart does not have is a message', async () => {
  const { page } = await visit(`${AMARA}/trend/0000-0`);
  await says(page, 'main', /There is no result of this test here/);
});

const luminance = ([r, g, b]) =>
  [r, g, b]
    .map((part) => {
      const s = part / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    })
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].toSorted((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};
const colour = (page, selector, property) =>
  page.evaluate(
    ([where, name]) =>
      getComputedStyle(document.querySelector(where))
        [name].match(/[\d.]+/g)
        .slice(0, 3)
        .map(Number),
    [selector, property],
  );

for (const theme of ['light', 'dark']) {
  test(`a trend draws its range with enough contrast, and its second series in its own colour, ${theme}`, async () => {
    const { page } = await visit(`${AMARA}/trend/4548-4`, { theme });
    const [edge, band, sheet] = [
      await colour(page, '.plot .edge', 'stroke'),
      await colour(page, '.plot .band', 'fill'),
      await colour(page, '.figure', 'backgroundColor'),
    ];
    assert.ok(contrast(edge, sheet) >= 3, `edge on sheet ${contrast(edge, sheet)}`);
    assert.ok(contrast(edge, band) >= 3, `edge on band ${contrast(edge, band)}`);
    assert.deepEqual(await page.locator('.edge-value').allTextContents(), ['4.0', '5.6']);
    await page.goto(`${AMARA}/trend/85354-9`);
    await says(page, '#trend-title', /^Blood pressure$/);
    const [one, two] = [
      await colour(page, '.plot .mark[data-n="0"]', 'fill'),
      await colour(page, '.plot .mark[data-n="1"]', 'fill'),
    ];
    assert.notDeepEqual(one, two);
    assert.deepEqual(two, await colour(page, '.plot .line[data-n="1"]', 'stroke'));
    assert.ok(contrast(two, sheet) >= 3);
  });
}

test('a trend has a legend, and marks values far out of range and its own tab', async () => {
  const { page } = await visit(`${AMARA}/trend/85354-9`);
  assert.equal(await text(page, 'figcaption'), 'Systolic blood pressure, mmHg Diastolic blood pressure, mmHg');
  assert.equal(await page.locator('.band, .edge, .band-key').count(), 0);
  assert.equal(await text(page, '.tabs [aria-current="page"]'), 'Trend: Blood pressure');
  await page.goto(`${AMARA}/trend/4548-4`);
  await says(
    page,
    'figcaption',
    /^% Reference range 4\.0–5\.6% ▲ outside the range ▲▲ far outside it ○ only a bound \(< or >\)$/,
  );
  await loaded(page);
  const rows = await page
    .locator('.results tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [
        parseFloat(row.querySelector('.number').textContent),
        row.querySelector('.flags').textContent.trim(),
        row.querySelector('.range').textContent,
      ]),
    );
  // A value above 8.4, which is 1.5 times the upper limit, is far above. The first value has no range.
  for (const [value, flag, range] of rows) {
    assert.equal(flag, range && value > 8.4 ? '▲▲ Far above' : value > 5.6 || !range ? '▲ High' : '', `${value}`);
  }
  const far = await countMarks(page, '.far');
  assert.equal(far, rows.filter(([, flag]) => flag.startsWith('▲▲')).length);
  assert.ok(far > 0);
});

test('a unit never breaks, and a phone shows results as stacked rows', async () => {
  for (const width of [320, 390, 800, 1280]) {
    const { person, page } = await visit(AMARA, { viewport: { width, height: 844 } });
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll('main .unit, main .nowrap')]
        .filter((one) => one.getClientRects().length > 1)
        .map((one) => one.textContent),
    );
    assert.deepEqual(broken, []);
    assert.ok((await page.locator('.unit').count()) > 15);
    const { scrolls, row, name, value } = await page.evaluate(() => {
      const [frame, first] = [document.querySelector('#labs .table-frame'), document.querySelector('#labs tbody tr')];
      const box = (selector) => {
        const { left, right, top, bottom } = first.querySelector(selector).getBoundingClientRect();
        return { left, right, top, bottom };
      };
      return {
        scrolls: frame.scrollWidth > frame.clientWidth,
        row: getComputedStyle(first).display,
        name: box('th'),
        value: box('.flags'),
      };
    });
    if (width <= 390) {
      assert.deepEqual([scrolls, row], [false, 'grid']);
      assert.ok(value.top >= name.bottom - 1, 'the flag stands below the name');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    } else assert.equal(row, 'table-row');
    if (width === 1280) {
      assert.equal(
        await page.evaluate(() => document.querySelector('#labs table').clientWidth),
        await page.evaluate(() => document.querySelector('#labs').clientWidth),
      );
    }
    await person.close();
  }
});

test('a phone has one header row with a menu, and section links that stay in view', async () => {
  const { page } = await visit(AMARA, { viewport: PHONE });
  assert.ok((await page.locator('header.top').boundingBox()).height <= 60);
  const menu = page.getByRole('button', { name: 'Menu' });
  assert.equal(await page.getByRole('link', { name: 'Developers' }).isVisible(), false);
  const expanded = (is) =>
    page.waitForFunction(
      (wanted) => document.querySelector('.menu-button').getAttribute('aria-expanded') === wanted,
      is,
    );
  await menu.click();
  await expanded('true');
  assert.equal(await page.getByRole('link', { name: 'Developers' }).isVisible(), true);
  await page.keyboard.press('Escape');
  await expanded('false');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Menu');
  await page.locator('.index a[href="#visits"]').click();
  await frames(page);
  const chip = await page.locator('.index a[href="#visits"]').boundingBox();
  assert.ok(
    chip.y >= 0 && chip.y < 100 && chip.x >= 0 && chip.x + chip.width <= 390,
    'the chip of what is read is in sight',
  );
  await menu.scrollIntoViewIfNeeded();
  await menu.click();
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.waitForURL(/#\/developers/);
  await expanded('false');
});

test('a print is light, complete, without buttons, names the patient on each page, and fills its pages', async () => {
  for (const [path, least] of [
    [AMARA, 6],
    [`${AMARA}/timeline`, 3],
    [`${AMARA}/trend/4548-4`, 2],
  ]) {
    const { person, page } = await visit(path, { theme: 'dark' });
    const pages = await pagesOf(await page.pdf({ format: 'A4', printBackground: true }));
    assert.ok(pages.length >= least, `${pages.length} pages`);
    for (const [i, one] of pages.entries()) {
      assert.match(
        one.text,
        /Amara Chidinma Okafor · born 19.Aug.1964 · Medical record number JH-001964/,
        `page ${i + 1} of ${path}`,
      );
      assert.match(one.text, new RegExp(`\\b${i + 1} of ${pages.length}\\b`));
      assert.match(one.text, /Sample record, a synthetic person · printed \d{1,2}.\w{3}.\d{4}, \d\d:\d\d/);
      if (i < pages.length - 1) {
        assert.ok(one.filled > 0.7, `page ${i + 1} of ${path} is filled to ${one.filled.toFixed(2)}`);
      }
    }
    const all = pages.map((one) => one.text).join('\n');
    assert.doesNotMatch(all, /\b(Request|Requests|Print|Log out|Earlier|Compare with|Other patients|Menu|Show)\b/);
    if (path === AMARA) {
      // Folded entries at a glance are printed too, without the words "… more".
      assert.match(all, /Rides to medical appointments/);
      assert.doesNotMatch(all, /\d more\b/);
      for (const folded of [
        'Latex allergy',
        'Diabetic foot ulcer',
        'Glipizide',
        'Acute bronchitis',
        'Emergency department patient visit',
      ]) {
        assert.match(all, new RegExp(folded), `${folded} was folded away`);
      }
    }
    assert.equal(await page.locator('main details[open]').count(), 0, 'and is folded again afterwards');
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(await colour(page, 'html', 'backgroundColor'), [255, 255, 255]);
    assert.ok(contrast(await colour(page, '.patient h1', 'color'), [255, 255, 255]) > 12);
    assert.equal(await page.locator('.glance .spark:visible').count(), 0, 'no curve lies over a value');
    assert.equal(await page.locator('main button:not(.record):visible, header.top:visible, .index:visible').count(), 0);
    await person.close();
  }
});
