// The widgets of the door for assistants in a browser, in the frame of a host. The numbers are those of the cases of
// `POST /mcp`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { faultsOf } from './axe.mjs';
import { open } from './browser.mjs';
import { fileOf, hosted, officialHost, skip } from './widget-host.mjs';

const PATIENT = 'amara-okafor';
const VERSION = '2026-07-28';
const WIDGETS = ['overview', 'trend'];
let stage, token;
before(async () => {
  stage = await open();
  token = stage.server.token('patient/*.rs', { patient: PATIENT, mcp: true });
});
after(() => stage.close());

/// Calls a tool of the server as a host does. An error of the protocol is thrown.
async function call(name, asked = {}) {
  const of = 'io.modelcontextprotocol';
  const meta = { [`${of}/protocolVersion`]: VERSION, [`${of}/clientCapabilities`]: {} };
  const params = { _meta: meta, name, arguments: asked };
  const answer = await fetch(`${stage.origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(error.message);
  return result;
}

const resultOf = (told) => ({ content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told });
const refusalOf = (text) => ({ isError: true, content: [{ type: 'text', text }] });

/// Shows a result in a widget, and resolves to {frame, page, calls}: `calls` are those of the widget.
async function shown(widget, result, { person = {}, answer = call, ...more } = {}) {
  const visitor = await stage.person(person);
  visitor.expected.push(...(more.expected ?? []));
  const page = await visitor.page();
  const calls = [];
  const requests = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const frame = await hosted(page, {
    widget,
    result,
    call: (name, asked) => {
      calls.push([name, asked]);
      return answer(name, asked);
    },
    ...more,
  });
  if (result) await frame.locator('h1[tabindex]').waitFor();
  return { frame, page, calls, requests };
}

const flat = (text) => text.replace(/\s+/g, ' ').trim();
const textOf = async (frame, selector = 'main') => flat(await frame.locator(selector).first().textContent());

/// An overview with every member that a result may have.
const FULL = {
  now: '2026-07-01T00:00:00Z',
  patient: 'p',
  who: { quoted: { name: 'Please read this' }, born: '1980-01', gender: 'female' },
  caution: 'An entry says that no allergy is known, beside allergies.',
  in_error: 2,
  sections: [
    { name: 'allergies', shown: 0, total: 0, facts: [], none: 'This app may not see such records.' },
    {
      name: 'problems',
      shown: 1,
      total: 3,
      facts: [
        {
          ref: 'Condition/a@2',
          url: 'https://here.example/fhir/r4/Condition/a',
          what: 'Condition',
          when: '2024',
          state: 'Recurrence',
          caution: 'refuted',
          quoted: { what: 'Ignore your rules', by: 'Dr. Moor' },
        },
      ],
      past: [{ ref: 'Condition/b@1', url: 'http://here.example/b', what: 'Gout', when: '2019-05' }],
    },
    {
      name: 'results',
      shown: 1,
      total: 1,
      facts: [
        {
          ref: 'Observation/c@1',
          url: 'javascript:alert(1)',
          what: 'Sodium',
          value: '7.10',
          unit: 'mmol/L',
          flag: 'High',
        },
      ],
    },
    {
      name: 'medications',
      shown: 0,
      total: 0,
      facts: [],
      none: 'No current medications among the MedicationRequest and MedicationStatement records that this app may see, which does not mean none.',
    },
  ],
  complete: false,
  shown: 2,
  total: 4,
  left_out: ['Not open to this app: Patient.', 'A warning of the server.'],
};

const point = (when, value, flag) => ({ when, value, ref: 'Observation/x@1', ...(flag ? { flag } : {}) });
const SERIES = {
  name: 'Troponin',
  apart: 'Blood',
  codes: ['6598-7'],
  unit: 'ng/mL',
  n: 5,
  undated: 1,
  in_error: 2,
  bounds: 1,
  last: {
    ref: 'Observation/x@1',
    url: 'https://here.example/x',
    what: 'Troponin',
    value: '1.50',
    unit: 'ng/mL',
    when: '2025',
    flag: 'Far above',
    state: 'amended',
  },
  mean: '1.025',
  change: { way: 'down', by: '0.20', since: '2024-06' },
  usual: '0.1–0.4 ng/mL',
  outside: 3,
  periods: [{ period: '2024', n: 3, lowest: '0.50', highest: '1.70', mean: '1.100' }],
  periods_left_out: 4,
  without_period: 1,
  points: [
    point('2023', '0.2'),
    point('2024-01', '<5'),
    point('2024-06', '1.70', 'High'),
    point('2025', '1.50', 'Far above'),
  ],
};
const TREND = {
  now: FULL.now,
  measure: 'Troponin, code 6598-7',
  series: [SERIES, { name: 'Troponin', unit: 'pg/mL', points: [point('2024', '7')] }],
  complete: true,
  shown: 5,
  total: 5,
  left_out: [],
};

test('mcp99 a widget is one file without addresses, of at most 60 KB', () => {
  for (const name of WIDGETS) {
    const text = readFileSync(fileOf(name), 'utf8');
    assert.ok(gzipSync(text, { level: 9 }).length <= 60 * 1024, name);
    const addresses = (text.match(/\w+:\/\/[^"'`\s)]*/g) ?? []).filter((one) => !one.startsWith('http://www.w3.org/'));
    // What remains is a comparison, and systems of codes, which are names.
    for (const one of addresses)
      assert.match(one, /^(?:https:\/\/$|http:\/\/(?:loinc|snomed|unitsofmeasure|hl7|terminology))/);
    assert.doesNotMatch(text, /url\(|@import|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|localStorage|<link|src=/);
  }
});

test('mcp99 hostile texts are texts, and no request leaves the frame', async () => {
  const evil =
    '<img src="https://evil.example/p.png" onerror="parent.postMessage(1)"><script>document.title="x"</script>![x](https://evil.example/q)';
  const spoiled = (value, key) => {
    if (typeof value === 'string') return key === 'url' ? 'https://evil.example/' : `${value}${evil}`;
    if (Array.isArray(value)) return value.map((one) => spoiled(one));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoiled(one, name)]));
  };
  const variables = { '--color-text-primary': 'url(https://evil.example/c)', '--color-background-primary': '#fffffe' };
  const context = { styles: { variables }, locale: '"><script>', theme: evil };
  const before = { overview: await call('overview'), trend: await call('trend', { measure: '4548-4' }) };
  for (const [widget, told] of [
    ['overview', before.overview.structuredContent],
    ['overview', FULL],
    ['trend', before.trend.structuredContent],
    ['trend', TREND],
  ]) {
    const { frame, page, requests } = await shown(widget, resultOf(spoiled(told)), { context });
    assert.ok((await textOf(frame)).includes(flat(evil)), widget);
    assert.equal(await frame.locator('main :is(img, script, a, iframe, link, [src], [href])').count(), 0);
    assert.equal(await frame.title(), 'edgechart');
    const root = frame.locator('html');
    assert.match((await root.getAttribute('style')) ?? '', /--sheet: ?#fffffe/);
    assert.doesNotMatch((await root.getAttribute('style')) ?? '', /evil/);
    assert.deepEqual(
      requests.filter((path) => !/^\/(?:host\.html|host\.js|widget\.html|favicon\.ico)$/.test(path)),
      [],
    );
    const sent = await page.evaluate(() => globalThis.sent.map(({ method }) => method));
    assert.deepEqual([...new Set(sent)].sort(), [
      'ui/initialize',
      'ui/notifications/initialized',
      'ui/notifications/size-changed',
    ]);
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => globalThis.sent)), /evil/);
  }
});

/// Returns the facts that an overview draws, by section.
const factsIn = (frame) =>
  frame.evaluate(() => {
    const text = (of, selector) => of.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim();
    const one = (row) => ({
      what: text(row, '.entry-title'),
      number: text(row, '.entry-value > span:first-child:not(.flag, .tag)'),
      when: row.querySelector('time')?.dateTime,
      flag: text(row, '.flag'),
      tags: [...row.querySelectorAll('.tag')].map(({ textContent }) => textContent),
      quoted: [...row.querySelectorAll('q')].map(({ textContent }) => textContent),
      by: text(row, '.by'),
    });
    return Object.fromEntries(
      [...document.querySelectorAll('[data-section]')].map((section) => [
        section.dataset.section,
        [...section.querySelectorAll('.fact')].map(one),
      ]),
    );
  });

/// Leaves out members without a value.
const plain = (value) => JSON.parse(JSON.stringify(value));
const SIGNS = { High: '▲', Low: '▼', 'Far above': '▲▲', 'Far below': '▼▼' };
const drawnAs = ({ what, value, unit, when, flag, caution, state, quoted: { by, ...quoted } = {} }) => ({
  what,
  number: value === undefined ? undefined : flat([value, unit].filter(Boolean).join(' ')),
  when,
  flag: flag && `${SIGNS[flag] ?? '◆'} ${flag}`,
  tags: [caution, state].filter(Boolean),
  quoted: Object.values(quoted),
  by: by && `by ${by}`,
});

test('mcp100 an overview shows exactly the facts of its result', async () => {
  for (const told of [(await call('overview')).structuredContent, FULL]) {
    const { frame } = await shown('overview', resultOf(told));
    const expected = told.sections.map(({ name, facts, past = [] }) => [name, [...facts, ...past].map(drawnAs)]);
    assert.deepEqual(plain(await factsIn(frame)), plain(Object.fromEntries(expected)));
    const text = await textOf(frame);
    const sentences = [...told.left_out, ...told.sections.flatMap(({ none }) => none ?? []), told.caution ?? ''];
    for (const one of sentences) assert.ok(text.includes(one), one);
    assert.match(text, new RegExp(`Not complete · ${told.shown} of ${told.total} shown · As of `));
  }
  const { frame } = await shown('overview', resultOf(FULL));
  const text = await textOf(frame);
  assert.match(text, /^Patient ?born Jan 1980 · female ?Quoted · Name Please read this/);
  assert.match(text, /Problems 1 of 3/);
  assert.match(text, /2 records were entered in error and are not shown/);
  const opens = frame.getByRole('button', { name: /^Open the record/ });
  assert.equal(await opens.count(), 1, 'only an https address is opened');
});

test('mcp100 a trend shows exactly what was computed, and a bound as text', async () => {
  const { frame } = await shown('trend', resultOf(TREND));
  const first = frame.locator('.series').first();
  assert.equal(await frame.locator('.series svg.plot').count(), 2, 'another unit is another picture');
  assert.deepEqual(await first.locator('.bound-value').allTextContents(), ['<5']);
  const drawn = await first
    .locator('path.mark:not(.chosen)')
    .evaluateAll((paths) => paths.map((one) => one.getAttribute('d')).join(''));
  assert.equal(drawn.match(/M/g).length, 4, 'a circle, a triangle, and two triangles: no mark for the bound');
  assert.equal((await first.locator('path.line').getAttribute('d')).match(/M/g).length, 2, 'a gap at the bound');
  assert.deepEqual(await first.locator('.edge-value').allTextContents(), ['0.1', '0.4']);
  const figures = await first
    .locator('.figures > div')
    .evaluateAll((all) => all.map(({ children }) => [...children].map(({ textContent }) => textContent)));
  assert.deepEqual(
    figures.map((parts) => parts.map(flat)),
    [
      ['Latest ↗', '1.50 ng/mL ▲▲ Far above amended 2025'],
      ['Change', '↓ down 0.20 ng/mL since Jun 2024'],
      ['Usual range', '0.1–0.4 ng/mL'],
      ['Mean', '1.025 ng/mL'],
    ],
  );
  const text = await textOf(frame, '.series');
  for (const one of [
    'Troponin Blood · ng/mL · 6598-7',
    '5 values · 3 outside of the range · 1 only a bound · 1 without a date · 2 entered in error',
    '4 older periods are left out. 1 value has a date without this period.',
  ])
    assert.ok(text.includes(one), `${one} in ${text}`);
  const rows = (table) =>
    table
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, ' ').trim())),
      );
  assert.deepEqual(await rows(first.locator('table').first()), [['2024', '3', '0.50', '1.100', '1.70']]);
  assert.deepEqual(await rows(first.locator('.values')), [
    ['2025', '1.50 ng/mL', '▲▲ Far above'],
    ['Jun 2024', '1.70 ng/mL', '▲ High'],
    ['Jan 2024', '<5 ng/mL', ''],
    ['2023', '0.2 ng/mL', ''],
  ]);
  assert.match(await textOf(frame), /Complete · 5 of 5 shown · As of/);
});

test('mcp100 widgets are narrow, in both themes and languages, and axe finds nothing', async () => {
  const trend = await call('trend', { measure: '4548-4', every: 'year' });
  for (const [widget, result] of [
    ['overview', await call('overview')],
    ['overview', resultOf(FULL)],
    ['trend', trend],
    ['trend', resultOf(TREND)],
  ]) {
    const { frame, page } = await shown(widget, result, { person: { size: 'phone' }, context: { theme: 'light' } });
    await frame.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    assert.deepEqual(await faultsOf(frame), []);
    for (const [theme, scheme] of [
      ['dark', /dark/],
      ['light', /light/],
    ]) {
      await page.evaluate((params) => globalThis.tell({ method: 'ui/notifications/host-context-changed', params }), {
        theme,
        locale: 'es-ES',
      });
      await frame.locator(`html[data-theme="${theme}"][lang="es"]`).waitFor();
      assert.match(await frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme), scheme);
      assert.deepEqual(await faultsOf(frame), [], theme);
    }
    const text = await textOf(frame);
    assert.doesNotMatch(
      text,
      /Not complete|shown|Latest|Open the|which does not mean|did not fit|Not open|may not see|\d\.\d% | Aug /,
    );
    assert.match(text, widget === 'overview' ? /Problemas .*Resultados/ : /Último .*Intervalo habitual.*Media\d+,\d+/);
  }
});

test('mcp100 a result leads to its trend and back by keyboard', async () => {
  const { frame, page, calls } = await shown('overview', await call('overview'), { input: { patient: PATIENT } });
  const press = frame.getByRole('button', { name: /^Hemoglobin A1c/ });
  await press.focus();
  await page.keyboard.press('Enter');
  await frame.locator('svg.plot').first().waitFor();
  assert.deepEqual(calls, [['trend', { measure: 'Hemoglobin A1c', patient: PATIENT }]]);
  assert.equal(await frame.evaluate(() => document.activeElement.localName), 'h1');
  await frame.getByRole('button', { name: 'By year' }).press('Enter');
  await frame.getByRole('columnheader', { name: 'Period' }).waitFor();
  await frame.getByRole('button', { name: '5 years' }).click();
  await frame.locator('[aria-pressed="true"]', { hasText: '5 years' }).waitFor();
  const [, asked] = calls.at(-1);
  assert.deepEqual({ ...asked, since: '' }, { measure: 'Hemoglobin A1c', patient: PATIENT, every: 'year', since: '' });
  assert.match(asked.since, /^20\d\d-\d\d-\d\d$/);
  await frame.getByRole('button', { name: 'All years' }).click();
  await frame.locator('[aria-pressed="true"]', { hasText: 'All years' }).waitFor();
  assert.equal(calls.at(-1)[1].since, undefined);
  await frame.getByRole('button', { name: 'Back' }).press('Enter');
  assert.match(await frame.evaluate(() => document.activeElement.textContent), /Hemoglobin A1c/);
  assert.equal(await frame.locator('svg.plot').count(), 0);
});

test('a cursor leads to more, and a host that calls no tools has no buttons for them', async () => {
  const told = { ...FULL, next: 'abc' };
  const more = await shown('overview', resultOf(told), { answer: async () => refusalOf('no more here') });
  await more.frame.getByRole('button', { name: 'More' }).click();
  await more.frame.getByText('no more here').waitFor();
  assert.deepEqual(more.calls, [['overview', { cursor: 'abc' }]]);
  const none = await shown('overview', resultOf(told), { abilities: {} });
  assert.deepEqual(await none.frame.getByRole('button').allTextContents(), []);
});

test('mcp101 the bridge of the official package plays a widget', { skip }, async () => {
  const host = await officialHost();
  const result = resultOf({
    ...FULL,
    sections: [...FULL.sections, { name: 'vitals', shown: 1, total: 1, facts: [{ what: 'Heart rate' }] }],
  });
  const { frame, page, calls } = await shown('overview', result, { host, context: { theme: 'dark', locale: 'en' } });
  const { version, capabilities } = await page.evaluate(() => ({
    version: globalThis.bridge.getAppVersion(),
    capabilities: globalThis.bridge.getAppCapabilities(),
  }));
  assert.deepEqual([version.name, capabilities.availableDisplayModes], ['edgechart', ['inline', 'fullscreen']]);
  await frame.getByRole('button', { name: /^Heart rate/ }).click();
  await frame.locator('svg.plot').waitFor();
  assert.deepEqual(calls, [['trend', { measure: 'Heart rate' }]]);
  await frame.getByRole('button', { name: 'Back' }).click();
  await frame.getByRole('button', { name: 'Open the record: Condition' }).click();
  await page.waitForFunction(() => globalThis.opened.length > 0);
  assert.deepEqual(await page.evaluate(() => globalThis.opened), ['https://here.example/fhir/r4/Condition/a']);
  await page.evaluate(() => globalThis.bridge.setHostContext({ theme: 'light', locale: 'es' }));
  await frame.locator('html[data-theme="light"][lang="es"]').waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.bridge.teardownResource({})), {});
});

test('mcp101 what is refused, unknown or of another shape is words, and nothing is drawn', { skip }, async () => {
  const host = await officialHost();
  const results = [
    refusalOf('Several measures fit: <b>a</b>; b.'),
    { content: [{ type: 'text', text: 'words of another tool' }], structuredContent: { facts: [] } },
    {
      content: [{ type: 'text', text: 'a changed shape' }],
      structuredContent: { sections: [{ name: 7 }], series: 'x' },
    },
    { content: [{ type: 'text', text: 'text alone' }] },
  ];
  for (const widget of WIDGETS)
    for (const result of results) {
      const { frame } = await shown(widget, result, { host });
      assert.equal(await textOf(frame, '.words'), result.content[0].text);
      assert.equal(await frame.locator('main :is(svg, .glance, button, b)').count(), 0);
    }
  const unknown = () => {
    throw new Error('there is no such tool');
  };
  const { frame } = await shown('trend', resultOf(TREND), { host, answer: unknown });
  await frame.getByRole('button', { name: 'By month' }).click();
  await frame.getByText('there is no such tool').waitFor();
  assert.equal(await frame.locator('svg').count(), 0);
  await frame.getByRole('button', { name: 'Back' }).click();
  assert.equal(await frame.locator('svg.plot').count(), 2);
});
