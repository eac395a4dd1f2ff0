// Signing in: every launch through the pages of the server, refusal of one scope and of all, tampered answers, refresh
// by two tabs that share a session, log-out, and the checks and the playground with a token.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { open as openAnother } from '../../tools/server/app.mjs';
import { defaultScopes } from '../../www/src/smart/scopes.ts';
import { passwordOf } from '../server/browser.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { testThemes, violations } from './axe.mjs';
import {
  allow,
  beginLaunch,
  changeAnswer,
  choosePatient,
  launchButton,
  loaded,
  notedSteps,
  noteSteps,
  open,
  says,
  show,
  signIn,
  text,
} from './browser.mjs';
import { PATIENT, signedInAt } from './signed-in.mjs';

// No search uses a chart without a check of the store.
const stage = await open({ vars: { FRESH_SECONDS: '0' } });
after(() => stage.close());

const inChart = async (page) => {
  await page.waitForURL(/#\/session\/chart\//);
  await page.waitForFunction(() =>
    document.querySelector('.patient .facts, .patient .state.withheld, .patient .state.failed'),
  );
  await loaded(page);
};
/// Launches the app as a patient.
const asPatient = async ({ without, scopes = [], person: given } = {}) => {
  const person = given ?? (await stage.person());
  const page = await person.page();
  await page.goto('/#/launch/patient');
  await launchButton(page).waitFor();
  if (scopes.length) await page.locator('summary', { hasText: 'What is asked for' }).click();
  for (const scope of scopes) await page.locator('.choice', { hasText: scope }).locator('input').uncheck();
  await launchButton(page).click();
  await signIn(page, 'amara');
  await allow(page, { without });
  return { person, page };
};
/// Begins a launch, and signs a user in at the server.
const begun = async (launch, user) => {
  const { page } = await stage.visit(`/#/launch/${launch}`);
  await launchButton(page).click();
  await signIn(page, user);
  return page;
};
/// Runs all checks of the checks page. None may fail.
const runChecks = async (page) => {
  await page.goto('/#/checks');
  await page.getByRole('button', { name: /^Run \d+ checks/ }).click();
  await says(page, 'main [role="status"]', /\d+ passed, \d+ failed, \d+ skipped\.$/);
  assert.deepEqual(await page.locator('.checks li[data-ok="false"]').allTextContents(), []);
};
const stored = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('edgechart.session')));

test('as a patient: consent, checks of the answer, the chart, and tokens that verify in this browser', async () => {
  const person = await stage.person();
  await noteSteps(person);
  const { page } = await asPatient({ person });
  const steps = [
    'The state is one that this tab made',
    'issuer',
    'The server gave a code',
    'PKCE verifier',
    'identity token is for this app',
  ];
  await inChart(page);
  const { search } = await notedSteps(page, new RegExp(steps.join('.*'), 's'));
  assert.equal(search, '', 'the code is out of the address');
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
  await says(page, 'header.top .menu .chip', /^Signed in as Amara Chidinma Okafor Log out$/);
  assert.equal(await page.getByRole('link', { name: 'Other patients' }).count(), 0, 'a patient has no others');
  assert.match(await text(page, '#labs .count'), /^264 results/);
  assert.equal(await page.locator('.state.failed').count(), 0);
  await page.goto('/#/session');
  await page.waitForFunction(() => document.querySelectorAll('section .steps').length === 2);
  const failed = await page.locator('.steps li[data-ok="false"]').allTextContents();
  assert.deepEqual(failed, [], 'every check of both tokens passes');
  assert.match(await text(page, 'section:has(#access) .steps'), /signature/);
  assert.match(await text(page, 'section:has(#identity) .steps'), /WebCrypto/);
  assert.deepEqual(await violations(page), []);
});

test('a type that was denied at consent is marked as not granted, and not requested', async () => {
  const { page } = await asPatient({ without: ['patient/Immunization.read', 'patient/Observation.read'] });
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await inChart(page);
  for (const section of ['#immunizations', '#vitals', '#labs']) {
    assert.match(await text(page, section), /Not granted\./);
    assert.doesNotMatch(await text(page, section), /No data/);
  }
  assert.deepEqual(await violations(page), []);
  assert.ok(asked.some((url) => url.includes('/AllergyIntolerance?')));
  assert.ok(!asked.some((url) => /\/(?:Immunization|Observation)\?/.test(url)));
  await page.goto('/#/session');
  await page.waitForFunction(() => /Denied/.test(document.querySelector('table.plain tbody')?.textContent ?? ''));
  const row = page.locator('tr', { has: page.locator('th code:text-is("patient/Immunization.read")') });
  assert.match(await row.textContent(), /Denied/);
});

test('a group is left out by one box, and of what is told elsewhere the chart says that it is a part', async () => {
  const page = await begun('patient', 'amara');
  const group = page.locator('form details', { hasText: 'Results and vital signs' });
  await group.locator('summary').click();
  await group.getByLabel('Leave out all of this').check();
  assert.match(await group.locator('summary em:visible').textContent(), /^left out$/);
  for (const type of ['MedicationRequest', 'MedicationStatement']) {
    const box = page.locator(`input[value="patient/${type}.read"]`);
    if (!(await box.isVisible())) await page.locator('details', { has: box }).locator('summary').click();
    await box.uncheck();
  }
  await page.locator('button[value="allow"]').click();
  await inChart(page);
  assert.doesNotMatch((await stored(page)).scope, /Observation|DiagnosticReport|MedicationRequest/);
  for (const section of ['#labs', '#vitals', '#reports']) assert.match(await text(page, section), /Not granted\./);
  // The notice counts the areas, and its list says what is left out of each area.
  assert.match(
    await text(page, '.chart-notice'),
    /Left out of this chart: \d areas left out when access was given, or parts Show the list$/,
  );
  await page.locator('.chart-notice').getByRole('button', { name: 'Show the list' }).click();
  await says(
    page,
    'dialog',
    /Medications: Left out when access was given: .*Laboratory results: Left out when access/s,
  );
  await says(page, 'dialog', /To share it too, log out, and sign in again\./);
  await page.keyboard.press('Escape');
  // Of the medications, only the fills are shown. Each place says that the list is incomplete.
  assert.ok((await page.locator('#medications .row').count()) > 0);
  assert.match(await text(page, '#glance-medications'), /Not everything that belongs here can be shown/);
  assert.match(await text(page, '.index li:has(a[href="#medications"])'), /not all shown/);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline', /Not everything can be shown: .*Medications/);
  assert.doesNotMatch(await text(page, '.timeline'), /Not granted, and not shown here: [^.]*Medications/);
});

test('types that the app did not ask for are named at the end of the record, once it is in sight', async () => {
  const { page } = await asPatient();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await inChart(page);
  await says(page, '#other', /Not loaded yet\./);
  const notice = await page.locator('.chart-notice').count();
  await page.locator('#other').scrollIntoViewIfNeeded();
  await says(page, '#other', /This app did not ask for: .* further types\./);
  assert.doesNotMatch(await text(page, '#other'), /Not granted|No record of another type/);
  assert.equal(await page.locator('#other .incomplete').count(), 0, 'nothing is wrong');
  assert.equal(await page.locator('.chart-notice').count(), notice, 'no notice comes above what is read');
  assert.ok(!asked.some((url) => /\/(?:Task|Basic|ChargeItem)\?/.test(url)));
});

test('other records of a server are asked for when their part is in sight, and not before', async () => {
  const person = await stage.person();
  await person.context.addInitScript(() => {
    // The initial blank page has no storage.
    if (!location.protocol.startsWith('http')) return;
    const key = 'edgechart.session';
    const now = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (now) sessionStorage.setItem(key, JSON.stringify({ ...now, scope: `${now.scope} patient/Task.read` }));
  });
  const { page } = await asPatient({ person });
  const asked = [];
  await page.route('**/fhir/r4/Task?**', (route) => {
    asked.push(route.request().url());
    const task = { resourceType: 'Task', id: 't', status: 'requested', intent: 'order', description: 'Call back' };
    const json = { resourceType: 'Bundle', type: 'searchset', entry: [{ resource: task, search: { mode: 'match' } }] };
    return route.fulfill({ headers: { 'content-type': 'application/fhir+json' }, json });
  });
  await inChart(page);
  await page.reload();
  await inChart(page);
  await says(page, '#other', /Not loaded yet\./);
  assert.deepEqual(asked, []);
  await page.locator('#other').scrollIntoViewIfNeeded();
  await says(page, '#other', /Call back/);
  assert.equal(asked.length, 1);
});

test('the person who is signed in finds what was allowed, until when, and the ways to end it', async () => {
  const { page } = await asPatient({ without: ['patient/Immunization.read'] });
  await inChart(page);
  await page.locator('header.top .menu .chip a').click();
  await says(page, 'main h1', /^Your access$/);
  await says(page, 'main', /may read health records\. It cannot change anything/);
  await says(page, '.facts', /Who signed in\s*Amara Chidinma Okafor.*Until you log out, or withdraw it at the server/);
  await says(page, 'main', /Left out when access was given: Immunizations\./);
  assert.doesNotMatch(await text(page, 'main'), /patient\/|\.read|eyJ/, 'no scopes, no tokens');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'What apps may do, at the server' }).click();
  await says(page, 'main', /What apps may do\s*You are signed in as amara\..*Of the patient Amara Chidinma Okafor\./s);
  await page.getByRole('button', { name: /^Withdraw/ }).click();
  await says(page, 'main', /You are still signed in here/);
  await page.getByRole('link', { name: 'Go to edgechart' }).click();
  await says(page, 'main h1', /Read a patient’s whole record/);
});

test('a user who declines everything comes back to a page that says so', async () => {
  const page = await begun('patient', 'amara');
  await page.locator('button[value="deny"]').click();
  await page.waitForURL(/callback\.html/);
  await says(page, 'main', /^You declined Nothing was shared.*access_denied: the user denied it/s);
  assert.equal(await stored(page), null);
  assert.equal(await page.locator('main .steps, main [data-ok]').count(), 0, 'nothing went wrong');
  await page.reload();
  await says(page, 'main', /^You declined Nothing was shared/);
  // The sign-in at the server continues, and this page has a link to end it.
  await says(page, 'main', /At the server you are still signed in\. Sign out there/);
  await page.getByRole('link', { name: 'Sign out there' }).click();
  await says(page, 'main', /You are signed in as amara/);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${stage.origin}/`);
  await page.goto('/oauth/manage');
  await page.locator('input[type="password"]').waitFor();
  await page.goto('/#/sample/chart/amara-okafor');
  await page.waitForFunction(() => /Okafor/.test(document.querySelector('main h1')?.textContent ?? ''));
});

/// Counts a person's clicks and key presses.
async function counted({ context }) {
  const done = { presses: 0, keys: 0 };
  await context.exposeBinding('noted', (_, what) => {
    done[what] += 1;
  });
  await context.addInitScript(() => {
    const note = (what) => (event) => event.isTrusted && globalThis.noted(what);
    addEventListener('click', note('presses'), true);
    addEventListener('keydown', note('keys'), true);
  });
  return done;
}

test('a chart is two presses away for a patient, and three from an EHR or for who chooses a patient', async () => {
  const ways = {
    patient: async (page) => {
      await page.getByRole('button', { name: 'Sign in as Amara' }).click();
      return page;
    },
    practitioner: async (page) => {
      await page.getByRole('button', { name: 'Sign in as Samuel' }).click();
      await page.getByRole('button', { name: /^Amara/ }).click();
      return page;
    },
    ehr: async (page, { context }) => {
      await page.getByRole('link', { name: 'From an EHR' }).click();
      const [app] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('button', { name: 'Start the app in a new tab' }).click(),
      ]);
      return app;
    },
  };
  const presses = {};
  for (const [name, way] of Object.entries(ways)) {
    const person = await stage.person();
    const done = await counted(person);
    const page = await person.page();
    await page.goto('/');
    const app = await way(page, person);
    await app.getByRole('button', { name: 'Allow' }).click();
    await inChart(app);
    presses[name] = done.presses;
    assert.equal(done.keys, 0, name);
    await person.close();
  }
  assert.deepEqual(presses, { patient: 2, practitioner: 3, ehr: 3 });
});

test('the sign-in page of a sandbox signs a user in by the button beside the password', async () => {
  const { page } = await stage.visit('/#/launch/patient');
  await launchButton(page).click();
  await page.locator('input[type="password"]').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Sign in as amara' }).click();
  await allow(page);
  await inChart(page);
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
});

test('in production nothing is filled in, and nobody is named', async (t) => {
  const scopes = defaultScopes('patient').join(' ');
  const app = (origin) => ({
    client_id: 'demo-app',
    kind: 'public',
    redirect_uris: [`${origin}/callback.html`],
    scopes,
  });
  const production = await openAnother({ vars: { ENVIRONMENT: 'production' }, apps: (origin) => [app(origin)] });
  t.after(production.close);
  const { person, page } = await production.visit('/');
  person.expected.push(/404/);
  await page.locator('.card.launch').first().getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Password').waitFor();
  assert.deepEqual(
    await page.locator('input:not([type="hidden"])').evaluateAll((all) => all.map(({ value }) => value)),
    ['', ''],
  );
  assert.equal(await page.locator('.note, [name="sign_in_as"]').count(), 0);
});

for (const [what, change, expected] of [
  [
    'who may see no such patient',
    { error_description: 'the user may see no such patient' },
    /access_denied.*the user may see no such patient.*Nobody declined/s,
  ],
  ['whose server broke', { error: 'server_error', error_description: 'x' }, /server_error.*did not work/s],
  ['who would have to sign in', { error: 'login_required', error_description: 'x' }, /login_required.*must sign in/s],
]) {
  test(`“You declined” is not said to a user ${what}`, async () => {
    const page = await (await stage.person()).page();
    await changeAnswer(page, (query) => {
      for (const [name, value] of Object.entries(change)) query.set(name, value);
    });
    await beginLaunch(page, 'practitioner', 'samuel');
    await choosePatient(page);
    await page.locator('button[value="deny"]').click();
    await page.waitForURL(/callback\.html/);
    await says(page, 'main', expected);
    assert.doesNotMatch(await text(page, 'main'), /You declined/);
    assert.equal(
      await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'),
      '/#/launch/practitioner',
    );
  });
}

/// The pages of the server in the order of a sign-in: the name of each, and the function that leads to the next. A
/// click resolves before the next page is loaded.
const STEPS = [
  [
    'sign-in',
    async (page) => {
      await signIn(page, 'samuel', 'wrong');
      await says(page, 'main', /do not belong together/);
    },
  ],
  [
    'sign-in after a wrong password',
    async (page) => {
      await signIn(page, 'samuel');
      await page.locator('button[name="patient"]').first().waitFor();
    },
  ],
  [
    'choice of a patient',
    async (page) => {
      await choosePatient(page, 'dana-begay');
      await page.locator('button[value="allow"]').waitFor();
    },
  ],
  [
    'question for consent',
    async (page) => {
      for (const group of await page.locator('summary').all()) await group.click();
    },
  ],
  [
    'question for consent, unfolded',
    async (page) => {
      await page.locator('input[value="user/Condition.read"]').uncheck();
    },
  ],
  [
    'question for consent, in part',
    async (page) => {
      await page.locator('button[value="allow"]').click();
      await page.waitForURL(/chart/);
      await page.goto('/oauth/manage');
    },
  ],
  ['overview of apps', async (page) => page.goto('/sandbox/launch')],
  ['simulator', async () => undefined],
];
/// The background colour of the pages of the server in each theme.
const GROUNDS = { dark: 'rgb(16, 23, 26)', light: 'rgb(245, 246, 243)' };
for (const size of ['desktop', 'phone']) {
  testThemes(`axe finds nothing on the pages of the server, ${size}`, async (inspect) => {
    const page = await (await stage.person({ size })).page();
    const look = inspect(page);
    await page.goto('/#/launch/practitioner');
    await launchButton(page).click();
    for (const [name, goOn] of STEPS) {
      await page.locator('main h1').waitFor();
      await page.waitForFunction(
        () => location.pathname.startsWith('/oauth/') || location.pathname.startsWith('/sandbox/'),
      );
      // At other positions, the sticky bar may cover half of a checkbox.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await look(name);
      for (const [theme, ground] of Object.entries(GROUNDS)) {
        await page.emulateMedia({ colorScheme: theme });
        const seen = await page.evaluate(async () => {
          await document.fonts.ready;
          const { backgroundColor, fontFamily } = getComputedStyle(document.body);
          return {
            wide: document.documentElement.scrollWidth - innerWidth,
            backgroundColor,
            face: /^Hyperlegible/.test(fontFamily) && [...document.fonts].some(({ status }) => status === 'loaded'),
          };
        });
        assert.deepEqual(seen, { wide: 0, backgroundColor: ground, face: true }, `${name}, ${theme}`);
      }
      await goOn(page);
    }
  });
}

const shown = (page, selector) =>
  page.locator(selector).evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    const over = document.elementFromPoint(innerWidth / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && over !== null;
  });
for (const [name, user, launch] of [
  ['patient', 'amara', 'patient'],
  ['practitioner', 'samuel', 'practitioner'],
]) {
  test(`launch and consent of a ${name} fit on a screen, and on a phone Allow and Deny stay in view`, async () => {
    const page = await (await stage.person()).page();
    await page.setViewportSize({ width: 1280, height: 800 });
    // Measure the page after its styles and its font are loaded.
    const height = async () => {
      await page.waitForLoadState();
      return page.evaluate(() => document.fonts.ready.then(() => document.documentElement.scrollHeight));
    };
    await page.goto(`/#/launch/${launch}`);
    await launchButton(page).waitFor();
    assert.ok((await height()) <= 800, 'the form');
    await launchButton(page).click();
    await page.locator('input[type="password"]').waitFor();
    assert.ok((await height()) <= 800, 'the sign-in');
    await signIn(page, user);
    if (launch === 'practitioner') {
      assert.ok(await shown(page, 'button[name="patient"]:first-of-type'), 'the first patient');
      await choosePatient(page);
    }
    await page.locator('button[value="allow"]').waitFor();
    assert.ok((await height()) <= 800, `consent is ${await height()} px high`);
    assert.ok((await page.locator('details').count()) <= 7 && (await page.locator('details[open]').count()) === 0);
    assert.equal((await text(page, 'main')).split(' records of ').length, 2, 'whose records they are is said once');
    await page.setViewportSize({ width: 390, height: 844 });
    const inView = async () => [await shown(page, 'button[value="allow"]'), await shown(page, 'button[value="deny"]')];
    assert.deepEqual(await inView(), [true, true]);
    for (const group of await page.locator('summary').all()) await group.click();
    for (const at of [0, 400, 900]) {
      await page.evaluate((top) => scrollTo(0, top), at);
      assert.deepEqual(await inView(), [true, true], `scrolled to ${at}`);
    }
    // The focused checkbox is visible above the buttons, for keyboard users.
    await page.locator('input[type="checkbox"]').last().focus();
    const [box, bar] = await Promise.all(
      ['input[type="checkbox"]:focus', 'form .actions'].map((one) => page.locator(one).boundingBox()),
    );
    assert.ok(box.y + box.height <= bar.y);
  });
}

test('going back and reloading sends no form again', async () => {
  const page = await (await stage.person()).page();
  const posts = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.isNavigationRequest()) posts.push(new URL(request.url()).pathname);
  });
  await beginLaunch(page, 'practitioner', 'samuel', 'wrong');
  await says(page, 'main', /do not belong together/);
  assert.equal(await page.getByLabel('Name').inputValue(), 'samuel');
  await page.reload();
  await says(page, 'main', /do not belong together/);
  await signIn(page, 'samuel');
  await choosePatient(page, 'dana-begay');
  await says(page, 'main', /Allow edgechart demo\?.*Dana/s);
  assert.deepEqual(posts, ['/oauth/login', '/oauth/login', '/oauth/patient']);
  await page.reload();
  await says(page, 'main', /Allow edgechart demo\?.*Dana/s);
  await page.getByRole('link', { name: 'Another patient' }).click();
  await choosePatient(page, 'kai-nakamura');
  await says(page, 'main', /Allow edgechart demo\?.*Kai/s);
  for (let step = 0; step < 6 && new URL(page.url()).pathname !== '/'; step += 1) {
    const answer = await page.goBack();
    assert.ok(answer === null || (answer.request().method() === 'GET' && answer.status() === 200), page.url());
    await page.locator('main h1').waitFor();
  }
  assert.equal(new URL(page.url()).pathname, '/');
  assert.equal(posts.length, 4);
});

test('the pages of the server work without script', async () => {
  const person = await stage.person();
  const first = await person.page();
  await first.goto('/#/launch/patient');
  await first.locator('summary', { hasText: 'parameter by parameter' }).click();
  const rows = await first.locator('.launch-form .plain tbody tr').all();
  const asked = await Promise.all(
    rows.map(async (row) => [await row.locator('th').textContent(), await row.locator('td').first().textContent()]),
  );
  await person.close();
  const plain = await stage.person({ javaScriptEnabled: false });
  const page = await plain.page();
  await page.goto(`/oauth/authorize?${new URLSearchParams(asked)}`);
  await signIn(page, 'amara');
  await page.locator('summary', { hasText: 'Medications' }).click();
  await page.locator('input[value="patient/Immunization.read"]').uncheck();
  await page.locator('summary', { hasText: 'Medications' }).click();
  assert.match(await page.locator('summary', { hasText: 'Medications' }).innerText(), /not all of it/);
  const back = page.waitForRequest(/callback\.html\?code=/);
  await page.locator('button[value="allow"]').click();
  assert.match((await back).url(), /code=[\w-]{20,}/);
  await page.goto('/oauth/manage');
  await page.locator('main section summary').first().click();
  await page.locator('main section li', { hasText: 'Conditions and allergies: ' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
});

test('as a practitioner: the patient is chosen on the server’s page, the chart is read with user scopes', async () => {
  const page = await begun('practitioner', 'samuel');
  await choosePatient(page, 'jordan-ellis');
  await allow(page);
  await inChart(page);
  assert.equal(await text(page, '.patient h1'), 'Jordan Ellis');
  await says(page, 'header.top .menu .chip', /^Signed in as .*Samuel/);
  assert.equal(await page.getByRole('link', { name: 'Other patients' }).count(), 1);
  assert.match(await text(page, '#screening'), /PHQ-9/);
});

/// Returns the patients that a field offers, whatever their age is by now.
const namesIn = async (field) =>
  (await field.locator('option').allTextContents()).map((name) => name.replace(/\d+\s(?=y$)/, 'N '));

test('from the EHR: the simulator starts the app in a new tab, with the patient whose chart was open', async () => {
  const person = await stage.person({ developer: true });
  const page = await person.page();
  await page.goto('/#/ehr');
  await page.getByLabel('Practitioner at work').selectOption('grace');
  await page.getByLabel('Chart that is open').selectOption('dana-begay');
  assert.deepEqual(
    await page
      .getByLabel('App to start')
      .locator('option')
      .evaluateAll((all) => all.map(({ value }) => value)),
    ['demo-app'],
    'no app that would not start',
  );
  assert.deepEqual(await namesIn(page.getByLabel('Chart that is open')), [
    'Amara Chidinma Okafor, N y',
    'Dana Rose Begay, N y',
    'Priya Raman, N y',
    'Jordan Ellis, N y',
  ]);
  await says(page, '.ehr', /The chart shows breast cancer in remission, .*; an entry in error\./);
  await says(page, '.ehr', new RegExp(`signs you in as grace, whose password is ${passwordOf('grace')}`));
  await page.getByRole('button', { name: 'Prepare the launch' }).click();
  const link = page.getByRole('link', { name: /launch\.html/ });
  await link.waitFor();
  assert.match(await link.getAttribute('href'), /launch\.html\?iss=.*&launch=/);
  const [app] = await Promise.all([person.context.waitForEvent('page'), link.click()]);
  await allow(app);
  await inChart(app);
  assert.match(await text(app, '.patient h1'), /Begay/);
});

test('a launch from an EHR that has ended says to begin again there', async () => {
  const page = await (await stage.person()).page();
  await page.goto(`/launch.html?iss=${encodeURIComponent(`${stage.origin}/fhir/r4`)}&launch=ended`);
  await page.waitForURL(/callback\.html/);
  await says(page, 'main', /Not signed in.*Start the app in the record system again/s);
  assert.equal(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/#/ehr');
});

for (const [what, change, expected] of [
  [
    'an unknown state',
    (query) => query.set('state', 'A'.repeat(43)),
    /used before, is old, or belongs to another tab.*unknown state/s,
  ],
  ['another issuer', (query) => query.set('iss', 'https://evil.example.org'), /wrong issuer.*not sent anywhere/s],
  ['no issuer', (query) => query.delete('iss'), /wrong issuer/s],
  ['another code', (query) => query.set('code', `${query.get('code').slice(0, -4)}AAAA`), /invalid_grant/s],
]) {
  test(`an answer with ${what} is refused`, async () => {
    const page = await (await stage.person()).page();
    let tokens = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/oauth/token')) tokens += 1;
    });
    await changeAnswer(page, change);
    await beginLaunch(page, 'patient', 'amara');
    await allow(page);
    await page.waitForURL(/callback\.html/);
    await says(page, 'main', expected);
    assert.equal(await stored(page), null);
    if (what !== 'another code') assert.equal(tokens, 0, 'the code went nowhere');
  });
}

test('an answer is used once', async () => {
  const person = await stage.person();
  const seen = [];
  person.context.on('request', (request) => {
    if (/callback\.html\?/.test(request.url())) seen.push(request.url());
  });
  const { page } = await asPatient({ person });
  await inChart(page);
  assert.equal(seen.length, 1);
  // Go back to the server's page, and then to the answer again. Each says what happened, and how to go on.
  await page.goBack();
  await page.waitForURL(/\/oauth\//);
  await says(page, 'main h1', /^This request has ended$/);
  await says(page, 'main', /answered already.*If you allowed the app, go back to it and go on/s);
  assert.deepEqual(await violations(page), []);
  await page.goto(seen[0]);
  await says(page, 'main', /^This sign-in is over The answer that came here was used before.*unknown state/s);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'Open the chart' }).click();
  await inChart(page);
});

test('a refresh gives new tokens, and the view stays', async () => {
  const { page } = await asPatient();
  await inChart(page);
  const before = await stored(page);
  await page.goto('/#/session');
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await says(page, 'main', /New tokens came/);
  const later = await stored(page);
  assert.notEqual(later.refreshToken, before.refreshToken);
  assert.notEqual(later.accessToken, before.accessToken);
  assert.equal(later.generation, 1);
  await page.waitForFunction(() => document.querySelectorAll('.steps li[data-ok="true"]').length > 10);
  assert.deepEqual(await page.locator('.steps li[data-ok="false"]').allTextContents(), []);
});

test('two tabs of one session: when the token has expired, one refresh serves both', async () => {
  const { person, page } = await asPatient();
  await inChart(page);
  let refreshes = 0;
  person.context.on('requestfinished', (request) => {
    if (request.url().endsWith('/oauth/token') && /refresh_token/.test(request.postData() ?? '')) refreshes += 1;
  });
  // A reload aborts the requests of a tab, so hold the requests back until both tabs are loaded.
  const { promise: loaded, resolve: go } = Promise.withResolvers();
  await person.context.route('**/oauth/token', async (route) => {
    await loaded;
    await route.continue().catch(() => undefined);
  });
  // The token must be expired in both tabs, so set the time before the second tab copies the session.
  await page.evaluate(() => {
    const session = JSON.parse(sessionStorage.getItem('edgechart.session'));
    sessionStorage.setItem('edgechart.session', JSON.stringify({ ...session, expiresAt: Date.now() - 1000 }));
  });
  await page.goto('/#/session');
  const [second] = await Promise.all([
    person.context.waitForEvent('page'),
    page.evaluate(() => {
      globalThis.open('/#/session');
    }),
  ]);
  await second.waitForLoadState();
  await Promise.all([page.reload(), second.reload()]);
  go();
  await Promise.all([page.goto('/#/chart/amara-okafor'), second.goto('/#/chart/amara-okafor')]);
  await Promise.all([inChart(page), inChart(second)]);
  assert.equal(refreshes, 1);
  assert.equal((await stored(page)).generation, 1);
  assert.equal((await stored(second)).refreshToken, (await stored(page)).refreshToken);
  assert.equal(await second.locator('.state.failed').count(), 0);
  // A log-out in one tab ends the session in both.
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await says(second, 'body', /You logged out, or the session ended, in another tab/);
  assert.equal(await stored(second), null);
});

test('a practitioner without a patient in context sees the patients of all pages', async () => {
  const { page } = await stage.visit('/#/launch/practitioner');
  await launchButton(page).waitFor();
  await page.locator('summary', { hasText: 'What is asked for' }).click();
  await page.locator('.choice', { hasText: 'launch/patient' }).locator('input').uncheck();
  await launchButton(page).click();
  await signIn(page, 'samuel');
  await allow(page);
  await page.waitForURL(/#\/session\/patients/);
  const people = page.locator('.people-list li');
  await people.first().waitFor();
  const all = await people.allTextContents();
  let pages = 0;
  await page.route('**/fhir/r4/Patient?*', (route) => {
    pages += 1;
    return route.continue({ url: route.request().url().replace('_count=200', '_count=2') });
  });
  await page.reload();
  await people.first().waitFor();
  assert.deepEqual(await people.allTextContents(), all);
  // Two more searches ask for patients whose sex is not known.
  assert.equal(pages, Math.ceil(all.length / 2) + 2);
  assert.ok(pages > 2);
});

test('revoking an access token ends its whole grant, and the app says that the session is over', async () => {
  const { page } = await asPatient();
  await inChart(page);
  await page.goto('/#/session');
  const { accessToken, refreshToken } = await stored(page);
  await page.getByRole('button', { name: 'Revoke the access token' }).click();
  await says(page, 'body', /You are signed out\. Its access token was revoked: the whole grant has ended\./);
  assert.equal(await stored(page), null);
  const read = await fetch(`${stage.origin}/fhir/r4/Patient/amara-okafor`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  assert.equal(read.status, 401);
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: 'demo-app',
  });
  assert.equal((await fetch(`${stage.origin}/oauth/token`, { method: 'POST', body })).status, 400);
});

test('without offline_access there is no refresh, and the session says so', async () => {
  const { page } = await asPatient({ scopes: ['offline_access'] });
  await inChart(page);
  await page.goto('/#/session');
  await says(page, 'main', /There is no refresh token/);
  assert.equal(await page.getByRole('button', { name: 'Refresh', exact: true }).isDisabled(), true);
});

test('tampered requests get the server’s refusals', async () => {
  const { page } = await asPatient();
  await inChart(page);
  await page.goto('/#/session');
  for (const [name, status] of [
    ['No token', '401'],
    ['A changed signature', '401'],
    ['Somebody else’s patient', '401'],
    ['A type that no scope opens', '401'],
    ['An id that is not ours to see', '404'],
  ]) {
    const answer = page.waitForResponse(/\/fhir\/r4\/(?:Observation|Coverage)/);
    await page.getByRole('button', { name }).click();
    assert.equal(`${(await answer).status()}`, status, name);
    await says(page, 'section:has(#tamper) .exchange .status', new RegExp(`^${status}$`));
  }
});

test('every check of the checks page passes', async () => {
  const { page } = await stage.visit('/');
  await runChecks(page);
  assert.match(await text(page, 'main [role="status"]'), /0 failed, 0 skipped/);
});

test('on the server and in this browser: no difference on any saved example', async () => {
  const { page } = await stage.visit('/#/search');
  await page.getByRole('button', { name: 'Take the sandbox’s backend token' }).click();
  await says(page, '.authority', /backend token: system/);
  await page.locator('#q').fill('Observation?patient=amara-okafor&code=http://loinc.org|4548-4&_count=10&_sort=date');
  await page.getByRole('button', { name: 'Run both' }).click();
  await says(page, '.difference', /The same 10 resources, in the same order\./);
  await says(page, '.difference', /Their texts are equal\./);
  assert.match(await text(page, '.costs'), /Rows read in the databasenone\d+ Exchanges with the databasenone1 Size/);
  await page.getByRole('button', { name: /^Run all \d+/ }).click();
  await page.waitForFunction(
    () =>
      /same on the server and in this browser/.test(
        document.querySelector('section:has(#sweep) [role=status]')?.textContent ?? '',
      ),
    undefined,
    { timeout: 120_000 },
  );
  const [, same, all, different] = /(\d+) of (\d+) the same on the server and in this browser, (\d+) different/.exec(
    await text(page, 'section:has(#sweep) [role=status]'),
  );
  assert.deepEqual([same, different], [all, '0']);
});

test('the sandbox shows what the server says', async () => {
  const { page } = await stage.visit('/sandbox.html');
  await says(page, 'section:has(#users)', new RegExp(`${passwordOf('amara')}.*samuel.*every patient`, 's'));
  await says(page, 'section:has(#apps)', /demo-app/);
});

test('over other data than the sample, everything that is offered works', async (t) => {
  const file = join(temporaryFolder(), 'own.ndjson');
  const patient = (id, given) =>
    JSON.stringify({ resourceType: 'Patient', id, birthDate: '1970-02-03', name: [{ family: 'Own', given: [given] }] });
  writeFileSync(file, `${patient('own-1', 'Ona')}\n${patient('own-2', 'Oto')}\n`);
  const own = await openAnother({ data: [file] });
  t.after(own.close);
  const person = await own.person();
  const page = await person.page();
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in as Samuel' }).waitFor();
  assert.equal(
    await page.getByRole('button', { name: /^Sign in/ }).count(),
    1,
    'there is no patient who could sign in',
  );
  assert.doesNotMatch(await text(page, 'main'), /as a patient/i);
  // A launch works for each patient and app that the simulator offers.
  await page.goto('/#/ehr');
  const chart = page.getByLabel('Chart that is open');
  await chart.waitFor();
  assert.deepEqual(
    await page
      .getByLabel('Practitioner at work')
      .locator('option')
      .evaluateAll((all) => all.map(({ value }) => value)),
    ['samuel'],
  );
  assert.deepEqual(await namesIn(chart), ['Ona Own, N y', 'Oto Own, N y']);
  await chart.selectOption('own-2');
  const [app] = await Promise.all([
    person.context.waitForEvent('page'),
    page.getByRole('button', { name: 'Start the app in a new tab' }).click(),
  ]);
  await allow(app);
  await inChart(app);
  assert.match(await text(app, '.patient h1'), /Oto Own/);
  // The patients on the sandbox page have no links to the sample.
  await page.goto('/sandbox.html');
  await says(page, 'section:has(#patients)', /Ona Own.*own-1/s);
  assert.equal(await page.locator('section:has(#patients) a').count(), 0);
  await runChecks(page);
});

test('a chart that is opened again is confirmed by the server, which does not send its records again', async () => {
  const { page } = await signedInAt(stage, { path: '/#/', scope: 'launch/patient patient/*.rs' });
  /// Opens the chart, and resolves to the status and the bytes of each answer with records.
  const opened = async () => {
    const answers = [];
    // Answers about the chart that was left may still come.
    const note = (answer) => answer.url().includes(PATIENT) && answers.push(answer);
    page.on('response', note);
    await show(page, `/#/session/chart/${PATIENT}`);
    page.off('response', note);
    const sizes = answers.map((one) => (one.status() === 200 ? one.body().then(({ length }) => length) : 0));
    return { statuses: answers.map((one) => one.status()), bytes: (await Promise.all(sizes)).reduce((a, b) => a + b) };
  };
  const first = await opened();
  const shown = await text(page, 'main');
  // The page keeps one chart.
  await show(page, '/#/session/chart/nobody');
  const again = await opened();
  assert.equal(await text(page, 'main'), shown);
  const confirmed = again.statuses.filter((status) => status === 304).length;
  assert.ok(first.statuses.length > 10 && confirmed >= 0.9 * again.statuses.length, `${again.statuses}`);
  assert.ok(again.bytes <= 0.05 * first.bytes, `${again.bytes} of ${first.bytes} bytes`);
});
