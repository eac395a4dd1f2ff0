//! Checks of refusals of the authorization server.

import * as oauth from 'oauth4webapi';
import { isShaped, object, string } from '#reading/shape.ts';
import type { Exchange } from '../http/exchange.ts';
import { t } from '../language/message.ts';
import { BASE, CLIENT_ID, REDIRECT } from '../smart/server.ts';
import { passIf, type SendRequest, type ServerCheck } from './check.ts';

const oauthError = object({ error: string });

/** The authorization endpoint, asked as a browser's navigation would; a redirect is not followed. */
async function authorize(ask: SendRequest, change: (parameters: URLSearchParams) => void): Promise<Exchange> {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    scope: 'launch/patient patient/Patient.read',
    state: oauth.generateRandomState(),
    aud: BASE,
    code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
    code_challenge_method: 'S256',
  });
  change(parameters);
  return ask(`/oauth/authorize?${parameters}`);
}

export const signIn: ServerCheck[] = [
  {
    title: 'A public app without PKCE gets no sign-in page',
    why: 'RFC 9700: PKCE for public clients',
    async run(ask) {
      const answer = await authorize(ask, (p) => {
        p.delete('code_challenge');
        p.delete('code_challenge_method');
      });
      // A redirect back with an error is opaque to a page: that it is one is what can be seen.
      return passIf(
        answer.status === 0 || answer.status >= 300,
        answer.status
          ? t('Refused with {status}.', { status: answer.status })
          : t('Sent back with an error; a page cannot read where to.'),
        t('HTTP {status}: it went on.', { status: answer.status }),
      );
    },
  },
  {
    title: 'A redirect address that is not registered: no redirect at all',
    why: 'RFC 6749, 4.1.2.1: never send an answer to a stranger',
    async run(ask) {
      const answer = await authorize(ask, (p) => p.set('redirect_uri', `${REDIRECT}/else`));
      return passIf(
        answer.status === 400,
        t('A page with 400, and no redirect.'),
        answer.status ? `HTTP ${answer.status}.` : t('It redirected.'),
      );
    },
  },
  {
    title: 'A made-up code: 400, invalid_grant',
    why: 'RFC 6749, 5.2',
    async run(ask) {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'made-up',
        redirect_uri: REDIRECT,
        client_id: CLIENT_ID,
        code_verifier: oauth.generateRandomCodeVerifier(),
      });
      const answer = await ask('/oauth/token', { method: 'POST', body });
      const error = isShaped(oauthError, answer.body) ? answer.body.error : undefined;
      return passIf(
        answer.status === 400 &&
          error === 'invalid_grant' &&
          /no-store/.test(answer.answerHeaders['cache-control'] ?? ''),
        '400, invalid_grant, no-store.',
        `HTTP ${answer.status}, ${error ?? answer.text.slice(0, 60)}.`,
      );
    },
  },
];
