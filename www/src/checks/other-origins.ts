//! Checks of CORS, for pages of other origins.

import { t } from '../language/message.ts';
import { BASE } from '../smart/server.ts';
import { passIf, type ServerCheck } from './check.ts';

export const otherOrigins: ServerCheck[] = [
  {
    title: 'CORS: the records may be asked from any origin, without cookies',
    why: 'Browser apps live elsewhere',
    async run(ask) {
      const { answerHeaders } = await ask(`${BASE}/metadata`);
      const origin = answerHeaders['access-control-allow-origin'];
      return passIf(
        origin === '*' && !('access-control-allow-credentials' in answerHeaders),
        t('Access-Control-Allow-Origin: *, no credentials.'),
        `Access-Control-Allow-Origin: ${origin ?? t('absent')}.`,
      );
    },
  },
  {
    title: 'The preflight names Authorization',
    why: 'An asterisk does not cover it',
    async run(ask) {
      const answer = await ask(`${BASE}/Patient`, { method: 'OPTIONS' });
      const allowed = answer.answerHeaders['access-control-allow-headers'] ?? '';
      return passIf(
        answer.status === 204 && /authorization/i.test(allowed),
        allowed,
        `HTTP ${answer.status}, ${allowed || t('nothing allowed')}.`,
      );
    },
  },
];
