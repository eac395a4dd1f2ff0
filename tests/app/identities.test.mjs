// Signing in at a hospital's identity provider, which completes a SMART launch in the browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../tools/server/app.mjs';
import { startProvider } from '../../tools/server/provider.mjs';
import { violations } from './axe.mjs';
import { allow, launchButton, loaded, text } from './browser.mjs';

test('ip05 a sign-in at an identity provider completes the launch, and only of a registered account', async (t) => {
  const stage = await open({ providers: startProvider });
  t.after(stage.close);
  const { provider, server } = stage;
  const person = await stage.person();
  person.elsewhere.push(provider.issuer);
  const page = await person.page();

  provider.who.subject = 'somebody';
  await page.goto('/#/launch/patient');
  await launchButton(page).click();
  await page.locator('input[type="password"]').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'Sign in with the hospital' }).click();
  await page.getByRole('button', { name: /^Sign in as/ }).click();
  await page.locator('[role="alert"]').waitFor();
  assert.match(await text(page, '[role="alert"]'), /not registered here/);

  // After a failure the page asks the provider for another sign-in.
  server.register([
    {
      username: 'amara',
      fhirUser: 'Patient/amara-okafor',
      patients: ['amara-okafor'],
      identities: [{ issuer: provider.issuer, subject: 'sub-amara' }],
    },
  ]);
  provider.who.subject = 'sub-amara';
  await page.getByRole('link', { name: 'Sign in with the hospital' }).click();
  await page.getByRole('button', { name: /^Sign in as/ }).click();
  await allow(page);
  await page.waitForURL(/#\/session\/chart\//);
  await loaded(page);
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
  assert.equal(provider.who.logins, 2);
});
