//! Checks of refusals of the FHIR interface.

import { issuesOf } from '#reading/fhir/text.ts';
import { t } from '../language/message.ts';
import { BASE } from '../smart/server.ts';
import { authenticate, isOutcome, passIf, type ServerCheck, withToken } from './check.ts';

export const refusals: ServerCheck[] = [
  {
    title: 'Without a token: 401 with a Bearer challenge and an OperationOutcome',
    why: 'RFC 6750; FHIR',
    async run(ask) {
      const answer = await ask(`${BASE}/Observation?patient=amara-okafor`);
      return passIf(
        answer.status === 401 &&
          /^Bearer/.test(authenticate(answer)) &&
          !/error=/.test(authenticate(answer)) &&
          isOutcome(answer),
        authenticate(answer),
        `HTTP ${answer.status}, ${authenticate(answer) || t('no challenge')}.`,
      );
    },
  },
  {
    title: 'A made-up token: 401, invalid_token',
    why: 'RFC 6750, section 3.1',
    async run(ask) {
      const answer = await ask(`${BASE}/Patient/amara-okafor`, {
        headers: { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
      });
      return passIf(
        answer.status === 401 && /error="invalid_token"/.test(authenticate(answer)) && isOutcome(answer),
        authenticate(answer),
        `HTTP ${answer.status}, ${authenticate(answer) || t('no challenge')}.`,
      );
    },
  },
  {
    title: 'What may not be seen is answered as what does not exist',
    why: 'Otherwise ids could be guessed',
    run: withToken(async (ask) => {
      const answer = await ask(`${BASE}/Observation/no-such-observation`);
      return passIf(
        answer.status === 404 && isOutcome(answer),
        t('404 with an OperationOutcome.'),
        `HTTP ${answer.status}.`,
      );
    }),
  },
  {
    title: 'An unknown parameter is refused, and the refusal says what the type takes',
    why: 'A search that ignores a filter finds too much',
    run: withToken(async (ask, patient) => {
      const answer = await ask(`${BASE}/Observation?patient=${patient}&colour=red`);
      const [issue] = issuesOf(answer.body);
      return passIf(
        answer.status === 400 && Boolean(issue?.expression?.some((path) => path.includes('colour'))),
        issue?.details?.text ?? '',
        `HTTP ${answer.status}.`,
      );
    }),
  },
];
