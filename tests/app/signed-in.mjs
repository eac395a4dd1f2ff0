// A tab with a session, as a launch leaves it.

import { show } from './browser.mjs';

export const PATIENT = 'amara-okafor';
const TYPES = ['Patient', 'AllergyIntolerance', 'Condition', 'Observation'];
const SCOPE = `launch/patient openid ${TYPES.map((type) => `patient/${type}.read`).join(' ')}`;

/// A session as a launch leaves it, for a token.
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

/// A session as a launch leaves it, with a real token, in a tab that shows its chart. `ownClock`: the tab has a clock
/// that the test can put forward.
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

/// A server whose OpenID configuration names no log-out.
export const noLogOut = [
  '**/.well-known/*-configuration',
  async (route) => {
    const response = await route.fetch();
    const { end_session_endpoint: _, ...body } = await response.json();
    await route.fulfill({ response, json: body });
  },
];
/// Refuses a token.
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
