// Signing in at a hospital's identity provider, and with a passkey. Each completes a SMART launch in the browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../tools/server/app.mjs';
import { startProvider } from '../../tools/server/provider.mjs';
import { violations } from './axe.mjs';
import { allow, launchButton, loaded, says, signIn, text } from './browser.mjs';

const begin = async (page) => {
  await page.goto('/#/launch/patient');
  await launchButton(page).click();
  await page.locator('input[type="password"]').waitFor();
};
/// Signs out at the server. Its page then asks for the password.
const signOut = async (page) => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('input[type="password"]').waitFor();
};
const inChart = async (page) => {
  await page.waitForURL(/#\/session\/chart\//);
  await loaded(page);
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
};

test('ip05 a sign-in at an identity provider completes the launch, and only of a registered account', async (t) => {
  const stage = await open({ providers: startProvider });
  t.after(stage.close);
  const { provider, server } = stage;
  const person = await stage.person();
  person.elsewhere.push(provider.issuer);
  const page = await person.page();

  provider.who.subject = 'somebody';
  await begin(page);
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
  await inChart(page);
  assert.equal(provider.who.logins, 2);
});

test('pk02 pk04 a user adds a passkey, completes a launch with it, and removes it', async (t) => {
  const stage = await open();
  t.after(stage.close);
  const person = await stage.person();
  const page = await person.page();
  const devtools = await person.context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });

  await page.goto('/oauth/manage');
  await signIn(page, 'amara');
  await page.getByLabel('Name of the new passkey').fill('My phone');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.locator('[role="status"]').waitFor();
  assert.match(await text(page, 'main'), /The passkey was added.*My phone/s);
  await signOut(page);

  await begin(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await allow(page);
  await inChart(page);

  // Without user verification, the browser makes no assertion that the server accepts.
  await page.goto('/oauth/manage');
  await signOut(page);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await begin(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('[role="alert"]').waitFor();
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });

  // A copy of the authenticator has a lower signature counter.
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
  const [{ backupEligibility, backupState, ...copy }] = credentials;
  await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: { ...copy, signCount: 0 } });
  await begin(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('main > [role="alert"]').waitFor();
  assert.match(await text(page, '[role="alert"]'), /This passkey did not work/);

  await page.goto('/oauth/manage');
  await signIn(page, 'amara');
  await says(page, 'main', /may have been copied/);
  await page.getByRole('button', { name: 'Remove the passkey My phone' }).click();
  await says(page, 'main', /The passkey was removed.*You have no passkey/s);
});
