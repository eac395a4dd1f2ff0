// Tabs with a session, as after a launch.

import { show } from './browser.mjs';

export const PATIENT = 'amara-okafor';
const TYPES = ['Patient', 'AllergyIntolerance', 'Condition', 'Observation'];
const SCOPE = `launch/patient openid ${TYPES.map((type) => `patient/${type}.read`).join(' ')}`;

/// Returns a session for a token, in the form that a launch stores.
export function sessionOf(stage, { scope, patient, accessToken }) {
  const now = Date.now();
  return {
    id: 'a',
    generation: 0,
    clientId: 'demo-app',
    issuer: stage.origin,
    launch: 'patient',
    requested: scope,
    scope,
    patient,
    accessToken,
    expiresAt: now + 3_600_000,
    obtainedAt: now,
    response: {},
  };
}

/// Opens a tab that shows a chart, with a session as after a launch and a real token. `ownClock`: the test controls the
/// clock of the tab.
export async function signedInAt(
  stage,
  {
    person: given,
    path = `/#/session/chart/${PATIENT}`,
    scope = SCOPE,
    patient = PATIENT,
    routes = [],
    ownClock = false,
    ...more
  } = {},
) {
  const person = given ?? (await stage.person({ developer: true }));
  if (ownClock) await person.context.clock.install();
  const accessToken = stage.server.token(scope, { patient, user: 'amara', client: 'demo-app' });
  const session = { ...sessionOf(stage, { scope, patient, accessToken }), ...more };
  const page = await person.page();
  for (const [address, answer] of routes) await page.route(address, answer);
  await page.goto('/icon.svg');
  await page.evaluate((kept) => sessionStorage.setItem('edgechart.session', JSON.stringify(kept)), session);
  await show(page, path);
  return { person, page, session };
}

/// A route that removes the log-out from the server's OpenID configuration.
export const noLogOut = [
  '**/.well-known/*-configuration',
  async (route) => {
    const response = await route.fetch();
    const { end_session_endpoint: _, ...body } = await response.json();
    await route.fulfill({ response, json: body });
  },
];
/// Answers that the token is invalid.
export const refuse = (route) =>
  /well-known/.test(route.request().url())
    ? route.continue()
    : route.fulfill({
        status: 401,
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
        json: {
          resourceType: 'OperationOutcome',
          issue: [{ code: 'expired', details: { text: 'The token was revoked.' } }],
        },
      });
