// The widgets of the door for assistants in a browser, in the frame of a host. The numbers are those of the cases of
// `POST /mcp`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { faultsOf } from './axe.mjs';
import { open } from './browser.mjs';
import { PATIENT } from './signed-in.mjs';
import { called } from './tool-call.mjs';
import { fileOf, hosted, officialHost, skip } from './widget-host.mjs';

const WIDGETS = ['overview', 'trend'];
let stage;
before(async () => {
  stage = await open();
});
after(() => stage.close());

/// Calls a tool of the server as a host does.
const call = (...asked) => called(stage, ...asked);
const told = async (...asked) => (await call(...asked)).structuredContent;
const resultOf = (structuredContent, text = 'words') => ({ content: [{ type: 'text', text }], structuredContent });

/// Shows a result in a widget, and resolves to {frame, page, calls, requests}: `calls` are those of the widget.
async function shown(widget, result, { person, answer = call, ...more } = {}) {
  const page = await (await stage.person(person)).page();
  const [calls, requests] = [[], []];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const noted = (...asked) => {
    calls.push(asked);
    return answer(...asked);
  };
  const frame = await hosted(page, { widget, result, call: noted, ...more });
  await frame.locator('h1[tabindex]').waitFor();
  return { frame, page, calls, requests };
}

const flat = (text) => text.replace(/\s+/g, ' ').trim();
const textOf = async (frame, selector = 'main') => flat(await frame.locator(selector).first().textContent());
/// Returns the texts of the children of elements.
const partsOf = (locator) =>
  locator.evaluateAll((all) =>
    all.map(({ children }) => [...children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())),
  );

const fact = (what, more = {}) => ({ ref: 'Condition/a@2', url: 'https://here.example/a', what, ...more });
const section = (name, facts, more = {}) => ({ name, shown: facts.length, total: facts.length, facts, ...more });
const NONE =
  'No current allergies among the AllergyIntolerance records that this app may see, which does not mean none.';
/// An overview with every member that a result may have.
const FULL = {
  now: '2026-07-01T00:00:00Z',
  who: { quoted: { name: 'Please read this' }, born: '1980-01', gender: 'female' },
  caution: 'An entry says that no allergies are known, beside entries that name some.',
  in_error: 2,
  sections: [
    section('allergies', [], { none: NONE }),
    section(
      'problems',
      [
        fact('Condition', {
          when: '2024',
          state: 'Recurrence',
          caution: 'refuted',
          quoted: { what: 'Obey', by: 'Moor' },
        }),
      ],
      { total: 3, past: [fact('Gout', { url: 'http://here.example/b', when: '2019-05' })] },
    ),
    section('results', [fact('Sodium', { url: 'javascript:alert(1)', value: '7.10', unit: 'mmol/L', flag: 'High' })]),
    section('vitals', [fact('Heart rate', { url: 'https://', value: '70' })]),
  ],
  complete: false,
  shown: 3,
  total: 5,
  left_out: ['Not open to this app: Patient.', 'A warning of the server.'],
};
const LAST = { value: '1.50', unit: 'ng/mL', when: '2025', flag: 'Far above', state: 'amended' };
const TREND = {
  now: FULL.now,
  measure: 'Troponin, code 6598-7',
  series: [
    {
      name: 'Troponin',
      apart: 'Blood',
      codes: ['6598-7'],
      unit: 'ng/mL',
      ...{ n: 5, undated: 1, in_error: 2, bounds: 1, outside: 3, periods_left_out: 4, without_period: 1 },
      last: fact('Troponin', LAST),
      mean: '1.025',
      change: { way: 'down', by: '0.20', since: '2024-06' },
      usual: '0.1–0.4 ng/mL',
      periods: [{ period: '2024', n: 3, lowest: '0.50', highest: '1.70', mean: '1.100' }],
      points: [
        { when: '2023', value: '0.2' },
        { when: '2024-01', value: '<5' },
        { when: '2024-06', value: '1.70', flag: 'High' },
        { when: '2025', value: '1.50', flag: 'Far above' },
      ],
    },
    { name: 'Troponin', unit: 'pg/mL', points: [{ when: '2024', value: '7' }] },
  ],
  complete: true,
  shown: 5,
  total: 5,
  left_out: [],
};

test('mcp99 a widget is one file without addresses, of at most 60 KB', () => {
  for (const name of WIDGETS) {
    const text = readFileSync(fileOf(name), 'utf8');
    assert.ok(gzipSync(text, { level: 9 }).length <= 60 * 1024, name);
    assert.doesNotMatch(text, /url\(|@import|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|localStorage|<link|src=/);
  }
});

test('mcp99 hostile texts are texts, and no request leaves the frame', async () => {
  const evil =
    '<img src="//evil.example/p" onerror="parent.postMessage(1)"><script>document.title="x"</script>![](//evil)';
  const spoiled = (value, key) => {
    if (typeof value === 'string') return key === 'url' ? 'https://evil.example/' : `${value}${evil}`;
    if (Array.isArray(value)) return value.map((one) => spoiled(one));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoiled(one, name)]));
  };
  const variables = {
    '--color-text-primary': 'url(//evil.example/c)',
    '--color-text-secondary': 'var(--none, url(//evil.example/c))',
    '--color-background-primary': '#fffffe',
  };
  const context = { styles: { variables }, locale: '"><script>', theme: evil };
  for (const [widget, result] of [
    ['overview', await told('overview')],
    ['overview', FULL],
    ['trend', await told('trend', { measure: '4548-4' })],
    ['trend', TREND],
  ]) {
    const { frame, page, requests } = await shown(widget, resultOf(spoiled(result)), { context });
    assert.ok((await textOf(frame)).includes(evil), widget);
    assert.equal(await frame.locator('main :is(img, script, a, iframe, link, [src], [href])').count(), 0);
    assert.equal(await frame.title(), 'edgechart');
    const style = await frame.locator('html').getAttribute('style');
    assert.match(style, /--sheet: ?rgb\(255, 255, 254\)/);
    assert.doesNotMatch(style, /evil/);
    assert.deepEqual(requests, ['/host.html', '/host.js', '/widget.html']);
    const sent = await page.evaluate(() => globalThis.sent.filter(({ method }) => !/size-changed$/.test(method)));
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['ui/initialize', 'ui/notifications/initialized'],
    );
  }
});

const SIGNS = { High: '▲', Low: '▼', 'Far above': '▲▲', 'Far below': '▼▼' };
/// Returns what a row says of a fact, without white space.
const rowOf = ({
  what,
  value = '',
  unit = '',
  flag,
  caution = '',
  state = '',
  when,
  quoted: { by, ...texts } = {},
}) => ({
  says: [what, value, unit, flag ? (SIGNS[flag] ?? '◆') + flag : '', caution, state].join('').replace(/\s/g, ''),
  when: when ?? '',
  quoted: Object.values(texts),
  by: by ? `by ${by}` : '',
});
const rowsIn = (frame, name) =>
  frame.locator(`[data-section="${name}"] .fact`).evaluateAll((rows) =>
    rows.map((row) => {
      const texts = (selector) => [...row.querySelectorAll(selector)].map(({ textContent }) => textContent);
      const [says, by] = [texts('.entry-title, .entry-value').join('').replace(/\s/g, ''), texts('.by').join('')];
      return { says, when: row.querySelector('time')?.dateTime ?? '', quoted: texts('q'), by };
    }),
  );

test('mcp100 an overview shows exactly the facts of its result', async () => {
  for (const result of [await told('overview'), FULL]) {
    const { frame } = await shown('overview', resultOf(result));
    for (const { name, facts, past = [] } of result.sections)
      assert.deepEqual(await rowsIn(frame, name), [...facts, ...past].map(rowOf));
    const text = await textOf(frame);
    for (const one of [...result.left_out, ...result.sections.flatMap(({ none }) => none ?? []), result.caution ?? ''])
      assert.ok(text.includes(one), one);
    assert.match(text, new RegExp(`Not complete · ${result.shown} of ${result.total} shown · As of `));
    if (result !== FULL) continue;
    assert.match(text, /^Patient born Jan 1980 · female Quoted · Name Please read this/);
    assert.match(text, /Problems 1 of 3 .* 2 records were entered in error and are not shown/);
    assert.equal(await frame.locator('.open').count(), 1, 'only an https address is opened');
  }
});

test('mcp100 a trend shows exactly what was computed, and a bound as text', async () => {
  const { frame } = await shown('trend', resultOf(TREND));
  assert.equal(await frame.locator('.series svg.plot').count(), 2, 'another unit is another picture');
  const first = frame.locator('.series').first();
  const drawn = (selector) =>
    first.locator(selector).evaluateAll((all) => all.map((one) => one.getAttribute('d')).join(''));
  assert.deepEqual(await first.locator('.bound-value').allTextContents(), ['<5']);
  assert.equal(
    (await drawn('.mark:not(.chosen)')).match(/M/g).length,
    4,
    'one, one and two outlines, none for the bound',
  );
  assert.equal((await drawn('.line')).match(/M/g).length, 2, 'a gap at the bound');
  assert.deepEqual(await first.locator('.edge-value').allTextContents(), ['0.1', '0.4']);
  assert.deepEqual(await partsOf(first.locator('.figures > div')), [
    ['Latest ↗', '1.50 ng/mL ▲▲ Far above amended 2025'],
    ['Change', '↓ down 0.20 ng/mL since Jun 2024'],
    ['Usual range', '0.1–0.4 ng/mL'],
    ['Mean', '1.025 ng/mL'],
  ]);
  assert.deepEqual(await partsOf(first.locator('tbody tr')), [
    ['2024', '3', '0.50', '1.100', '1.70'],
    ['2025', '1.50 ng/mL', '▲▲ Far above'],
    ['Jun 2024', '1.70 ng/mL', '▲ High'],
    ['Jan 2024', '<5 ng/mL', ''],
    ['2023', '0.2 ng/mL', ''],
  ]);
  const text = await textOf(frame);
  for (const one of [
    'Troponin Blood · ng/mL · 6598-7',
    '5 values · 3 outside of the range · 1 only a bound · 1 without a date · 2 entered in error',
    '4 older periods are left out. 1 value is of no period.',
    'Complete · 5 of 5 shown · As of 1 Jul 2026, 00:00 UTC',
  ])
    assert.ok(text.includes(one), `${one} in ${text}`);
  const real = await told('trend', { measure: '4548-4' });
  const other = await shown('trend', resultOf(real));
  assert.deepEqual(
    (await partsOf(other.frame.locator('.values tbody tr'))).map(([, value, flag]) => [value, flag]),
    real.series[0].points.toReversed().map(({ value, flag }) => [`${value} %`, `${SIGNS[flag]} ${flag}`]),
  );
});

test('mcp100 widgets are narrow, in both themes and languages, and axe finds nothing', async () => {
  for (const [widget, result] of [
    ['overview', await told('overview')],
    ['overview', FULL],
    ['trend', await told('trend', { measure: '4548-4', every: 'year' })],
    ['trend', TREND],
  ]) {
    const { frame, page } = await shown(widget, resultOf(result), { person: { size: 'phone' } });
    await frame.locator('details').evaluateAll((all) => {
      for (const one of all) one.open = true;
    });
    for (const params of [{ theme: 'light' }, { theme: 'dark', locale: 'es-ES' }]) {
      const message = { method: 'ui/notifications/host-context-changed', params };
      await page.evaluate((one) => globalThis.tell(one), message);
      await frame.locator(`html[data-theme="${params.theme}"]`).waitFor();
      assert.equal(await frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme), params.theme);
      assert.deepEqual(await faultsOf(frame), [], params.theme);
    }
    const text = await textOf(frame);
    assert.doesNotMatch(text, /complete|shown|Latest|Open|does not mean|did not fit|may see|\d\.\d% | Aug /);
    assert.match(text, widget === 'overview' ? /Problemas .*Resultados/ : /Último .*Intervalo habitual.*Media\d+,\d+/);
  }
});

test('mcp100 a result leads to its trend and back by keyboard', async () => {
  const result = await call('overview');
  const { frame, page, calls } = await shown('overview', result, { input: { patient: PATIENT } });
  const asked = { measure: 'Creatinine', patient: PATIENT };
  await frame.getByRole('button', { name: /^Creatinine/ }).focus();
  await page.keyboard.press('Enter');
  await frame.locator('svg.plot').first().waitFor();
  assert.equal(await frame.evaluate(() => document.activeElement.localName), 'h1');
  const press = async (name) => {
    await frame.getByRole('button', { name }).press('Enter');
    await frame.locator('[aria-busy="false"] [aria-pressed="true"]', { hasText: name }).waitFor();
  };
  await press('By year');
  await press('5 years');
  assert.match(calls.at(-1)[1].since, /^20\d\d-\d\d-\d\d$/);
  await press('All years');
  assert.deepEqual(
    calls.map(([name, { since: _, ...rest }]) => [name, rest]),
    [['trend', asked], ...Array(3).fill(['trend', { ...asked, every: 'year' }])],
  );
  await frame.getByRole('button', { name: 'Back' }).press('Enter');
  assert.match(await frame.evaluate(() => document.activeElement.textContent), /^ *Creatinine/);
  assert.equal(await frame.locator('svg').count(), 0);
});

test('a cursor leads to more, and a host that calls no tools has no buttons for them', async () => {
  const result = resultOf({ ...FULL, next: 'abc' });
  const { frame, calls } = await shown('overview', result, { answer: () => ({ isError: true, ...resultOf() }) });
  await frame.getByRole('button', { name: 'More' }).click();
  await frame.getByText('words').waitFor();
  assert.deepEqual(calls, [['overview', { cursor: 'abc' }]]);
  const none = await shown('overview', result, { abilities: {} });
  assert.equal(await none.frame.getByRole('button').count(), 0);
});

test('mcp101 the bridge of the official package plays a widget', { skip }, async () => {
  const host = await officialHost();
  const { frame, page, calls } = await shown('overview', resultOf(FULL), { host, context: { theme: 'dark' } });
  assert.deepEqual(await page.evaluate(() => globalThis.bridge.getAppVersion()), { name: 'edgechart', version: '1' });
  await frame.getByRole('button', { name: /^Heart rate/ }).click();
  await frame.locator('svg.plot').waitFor();
  assert.deepEqual(calls, [['trend', { measure: 'Heart rate' }]]);
  await frame.getByRole('button', { name: 'Back' }).click();
  await frame.getByRole('button', { name: 'Open the record: Condition' }).click();
  await page.waitForFunction(() => globalThis.opened.includes('https://here.example/a'));
  await page.evaluate(() => globalThis.bridge.setHostContext({ theme: 'light', locale: 'es' }));
  await frame.locator('html[data-theme="light"][lang="es"]').waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.bridge.teardownResource({})), {});
});

test('mcp101 what is refused, unknown or of another shape is words, and nothing is drawn', { skip }, async () => {
  const host = await officialHost();
  for (const widget of WIDGETS)
    for (const result of [
      { isError: true, ...resultOf(undefined, 'Several measures fit: <b>a</b>; b.') },
      resultOf({ facts: [] }, 'the result of another tool'),
      resultOf({ sections: [{ name: 7 }], series: 'x' }),
    ]) {
      const { frame } = await shown(widget, result, { host });
      assert.equal(await textOf(frame, '.words'), result.content[0].text);
      assert.equal(await frame.locator('main :is(svg, .glance, button, b)').count(), 0);
    }
  const answer = () => {
    throw new Error('there is no such tool');
  };
  const { frame } = await shown('trend', resultOf(TREND), { host, answer });
  await frame.getByRole('button', { name: 'By month' }).click();
  await frame.getByText('there is no such tool').waitFor();
  assert.equal(await frame.locator('svg:visible').count(), 0);
  await frame.getByRole('button', { name: 'Back' }).click();
  assert.equal(await frame.locator('svg.plot:visible').count(), 2);
});
