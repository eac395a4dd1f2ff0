// Waits until a server is ready, then prints its addresses and a first request.

import { setTimeout as sleep } from 'node:timers/promises';

export async function hello(origin) {
  for (let tries = 0; tries < 600; tries += 1) {
    const up = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) break;
    await sleep(200);
  }
  console.log(`
  the app        ${origin}/
  the FHIR base  ${origin}/fhir/r4

  a token, and a first search:

  TOKEN=$(curl -s ${origin}/oauth/token -u backend-basic:sandbox-basic-secret \\
    -d grant_type=client_credentials -d scope='system/*.read' | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
  curl -s "${origin}/fhir/r4/Observation?patient=amara-okafor&category=laboratory&_count=2&_pretty=true" \\
    -H "Authorization: Bearer $TOKEN"
`);
}

if (process.argv[1] === import.meta.filename) await hello(process.argv[2]);
