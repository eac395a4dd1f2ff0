// A visitor with a made-up session at a made-up server.

import { sessionOf } from './signed-in.mjs';

/// Opens a page with a session for a patient. `answer` returns the body for a type and an id.
export async function madeUp(stage, { patient, scope, answer, ...options }) {
  const session = sessionOf(stage, { scope, patient, accessToken: 'made-up' });
  const person = await stage.person(options);
  await person.context.addInitScript((text) => {
    try {
      sessionStorage.setItem('edgechart.session', text);
    } catch {
      /* about:blank has none */
    }
  }, JSON.stringify(session));
  const page = await person.page();
  await page.route('**/fhir/r4/**', async (route) => {
    const [type, id] = new URL(route.request().url()).pathname.split('/').slice(3);
    const body = JSON.stringify(await answer(type, id));
    await route.fulfill({ status: 200, contentType: 'application/fhir+json', body });
  });
  return { person, page };
}
