//! What this server promises to strangers, as checks that run against it, live. Each keeps the raw exchanges that it made.

import * as oauth from 'oauth4webapi';
import { issuesOf } from '../fhir/text.ts';
import type { Bundle } from '../fhir/types.ts';
import { backendToken } from '../smart/backend.ts';
import { sandboxData } from '../smart/sandbox.ts';
import { BASE, CLIENT_ID, ORIGIN, REDIRECT } from '../smart/server.ts';
import { session } from '../smart/session.ts';
import { exchange, type Sent } from '../source/http.ts';
import type { Exchange } from '../source/source.ts';

export interface Verdict {
  ok: boolean | undefined;
  says: string;
}
export interface Check {
  group: string;
  title: string;
  why: string;
  run(ask: (path: string, sent?: Sent) => Promise<Exchange>): Promise<Verdict>;
}

const yes = (says: string): Verdict => ({ ok: true, says });
const no = (says: string): Verdict => ({ ok: false, says });
const skip = (says: string): Verdict => ({ ok: undefined, says });
const when = (ok: boolean, good: string, bad: string): Verdict => (ok ? yes(good) : no(bad));

const authenticate = ({ answerHeaders }: Exchange): string => answerHeaders['www-authenticate'] ?? '';
const isOutcome = ({ body }: Exchange): boolean => issuesOf(body).length > 0;

/** A token of whatever kind there is: the session's, else the sandbox's. */
async function anyToken(): Promise<{ token: string; patient: string } | undefined> {
  const now = session.value;
  if (now?.patient) return { token: now.accessToken, patient: now.patient };
  return Promise.all([backendToken(), sandboxData()]).then(
    ([
      { token },
      {
        patients: [first],
      },
    ]) => (first ? { token, patient: first.id } : undefined),
    () => undefined,
  );
}

/** The authorization endpoint, asked as a browser's navigation would; a redirect is not followed. */
async function authorize(
  ask: (path: string, sent?: Sent) => Promise<Exchange>,
  change: (parameters: URLSearchParams) => void,
): Promise<Exchange> {
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

export const CHECKS: Check[] = [
  {
    group: 'Discovery',
    title: 'The SMART configuration names what an app needs',
    why: 'SMART App Launch 2.2, conformance',
    async run(ask) {
      const { status, body } = await ask(`${BASE}/.well-known/smart-configuration`);
      const missing = [
        'issuer',
        'jwks_uri',
        'authorization_endpoint',
        'token_endpoint',
        'revocation_endpoint',
        'capabilities',
        'code_challenge_methods_supported',
      ].filter((name) => !(name in ((body as object) ?? {})));
      return when(
        status === 200 && missing.length === 0,
        'All there.',
        `HTTP ${status}, missing: ${missing.join(', ')}.`,
      );
    },
  },
  {
    group: 'Discovery',
    title: 'PKCE: S256 is offered, plain is not',
    why: 'RFC 7636; SMART forbids plain',
    async run(ask) {
      const methods =
        (
          (await ask(`${BASE}/.well-known/smart-configuration`)).body as
            | { code_challenge_methods_supported?: string[] }
            | undefined
        )?.code_challenge_methods_supported ?? [];
      return when(
        methods.includes('S256') && !methods.includes('plain'),
        methods.join(', '),
        `It offers ${methods.join(', ') || 'nothing'}.`,
      );
    },
  },
  {
    group: 'Discovery',
    title: 'The issuer is one string everywhere',
    why: 'RFC 8414, OpenID Discovery, SMART: compared exactly',
    async run(ask) {
      const documents = [
        `${BASE}/.well-known/smart-configuration`,
        `${ORIGIN}/.well-known/openid-configuration`,
        `${ORIGIN}/.well-known/oauth-authorization-server`,
      ];
      const issuers = await Promise.all(
        documents.map(async (url) => ((await ask(url)).body as { issuer?: string } | undefined)?.issuer),
      );
      return when(
        new Set(issuers).size === 1 && issuers[0] === ORIGIN,
        String(issuers[0]),
        `They say ${issuers.join(', ')}.`,
      );
    },
  },
  {
    group: 'Discovery',
    title: 'The CapabilityStatement is FHIR R4 and needs no token',
    why: 'FHIR RESTful API, capabilities',
    async run(ask) {
      const { status, body, answerHeaders } = await ask(`${BASE}/metadata`);
      const { resourceType, fhirVersion } = (body ?? {}) as { resourceType?: string; fhirVersion?: string };
      return when(
        status === 200 &&
          resourceType === 'CapabilityStatement' &&
          fhirVersion === '4.0.1' &&
          (answerHeaders['content-type'] ?? '').startsWith('application/fhir+json'),
        `FHIR ${fhirVersion}, ${answerHeaders['content-type']}.`,
        `HTTP ${status}, ${resourceType} ${fhirVersion}.`,
      );
    },
  },
  {
    group: 'Discovery',
    title: 'The published keys hold nothing private',
    why: 'RFC 7517',
    async run(ask) {
      const keys =
        ((await ask('/oauth/jwks.json')).body as { keys?: Record<string, unknown>[] } | undefined)?.keys ?? [];
      const leaks = keys.filter((key) => ['d', 'p', 'q', 'k'].some((name) => name in key));
      return when(
        keys.length > 0 && leaks.length === 0,
        `${keys.length} public keys: ${keys.map(({ alg }) => String(alg)).join(', ')}.`,
        keys.length ? 'A private member is published.' : 'No keys.',
      );
    },
  },
  {
    group: 'Refusals',
    title: 'Without a token: 401 with a Bearer challenge and an OperationOutcome',
    why: 'RFC 6750; FHIR',
    async run(ask) {
      const answer = await ask(`${BASE}/Observation?patient=amara-okafor`);
      return when(
        answer.status === 401 &&
          /^Bearer/.test(authenticate(answer)) &&
          !/error=/.test(authenticate(answer)) &&
          isOutcome(answer),
        authenticate(answer),
        `HTTP ${answer.status}, ${authenticate(answer) || 'no challenge'}.`,
      );
    },
  },
  {
    group: 'Refusals',
    title: 'A made-up token: 401, invalid_token',
    why: 'RFC 6750, section 3.1',
    async run(ask) {
      const answer = await ask(`${BASE}/Patient/amara-okafor`, {
        headers: { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
      });
      return when(
        answer.status === 401 && /error="invalid_token"/.test(authenticate(answer)) && isOutcome(answer),
        authenticate(answer),
        `HTTP ${answer.status}, ${authenticate(answer) || 'no challenge'}.`,
      );
    },
  },
  {
    group: 'Refusals',
    title: 'What may not be seen is answered as what does not exist',
    why: 'Otherwise ids could be guessed',
    async run(ask) {
      const found = await anyToken();
      if (!found) return skip('There is no token to ask with: sign in.');
      const headers = { Authorization: `Bearer ${found.token}` };
      const answer = await ask(`${BASE}/Observation/no-such-observation`, { headers });
      return when(
        answer.status === 404 && isOutcome(answer),
        '404 with an OperationOutcome.',
        `HTTP ${answer.status}.`,
      );
    },
  },
  {
    group: 'Refusals',
    title: 'An unknown parameter is refused, and the refusal says what the type takes',
    why: 'A search that ignores a filter finds too much',
    async run(ask) {
      const found = await anyToken();
      if (!found) return skip('There is no token to ask with: sign in.');
      const answer = await ask(`${BASE}/Observation?patient=${found.patient}&colour=red`, {
        headers: { Authorization: `Bearer ${found.token}` },
      });
      const [issue] = issuesOf(answer.body);
      return when(
        answer.status === 400 && Boolean(issue?.expression?.some((path) => path.includes('colour'))),
        issue?.details?.text ?? '',
        `HTTP ${answer.status}.`,
      );
    },
  },
  {
    group: 'Refusals',
    title: 'A method that changes something: 405 with Allow',
    why: 'This server is for reading',
    async run(ask) {
      const answer = await ask(`${BASE}/Observation/x`, { method: 'DELETE' });
      return when(
        answer.status === 405 && isOutcome(answer),
        `405, Allow: ${answer.answerHeaders.allow ?? '(not readable here)'}.`,
        `HTTP ${answer.status}.`,
      );
    },
  },
  {
    group: 'Refusals',
    title: 'An unknown route: 404 in the contract’s words',
    why: '“no Route matched with those values”',
    async run(ask) {
      const found = await anyToken();
      if (!found) return skip('There is no token to ask with: sign in.');
      const answer = await ask(`${BASE}/Nonsense/of/many/parts`, {
        headers: { Authorization: `Bearer ${found.token}` },
      });
      return when(
        answer.status === 404 && isOutcome(answer) && /no Route matched with those values/.test(answer.text),
        issuesOf(answer.body)[0]?.details?.text ?? '404',
        `HTTP ${answer.status}: ${answer.text.slice(0, 80)}`,
      );
    },
  },
  {
    group: 'Answers',
    title: 'Pages: links are followed to the end, nothing twice, nothing missing',
    why: 'FHIR paging; the order is stable',
    async run(ask) {
      const found = await anyToken();
      if (!found) return skip('There is no token to ask with: sign in.');
      const headers = { Authorization: `Bearer ${found.token}` };
      const ids: string[] = [];
      let pages = 0;
      let total: number | undefined;
      for (
        let next: string | undefined =
          `${BASE}/Observation?patient=${found.patient}&category=laboratory&_count=60&_total=accurate`;
        next && pages < 12;
        pages += 1
      ) {
        if (!next.startsWith(BASE)) return no(`A link leads elsewhere: ${next}.`);
        const answer: Exchange = await ask(next, { headers });
        if (answer.status !== 200)
          return answer.status === 401
            ? skip('This session may not search laboratory results.')
            : no(`HTTP ${answer.status}.`);
        const bundle = answer.body as Bundle;
        total = bundle.total ?? total;
        ids.push(...(bundle.entry ?? []).map(({ resource }) => resource?.id ?? ''));
        next = bundle.link?.find(({ relation }) => relation === 'next')?.url;
      }
      return when(
        new Set(ids).size === ids.length && (total === undefined || total === ids.length),
        `${ids.length} resources on ${pages} pages, total ${total}.`,
        `${ids.length} ids, ${new Set(ids).size} different, total ${total}.`,
      );
    },
  },
  {
    group: 'Answers',
    title: 'An answer about a patient is never stored',
    why: 'Cache-Control: no-store',
    async run(ask) {
      const found = await anyToken();
      if (!found) return skip('There is no token to ask with: sign in.');
      const { status, answerHeaders } = await ask(`${BASE}/Patient/${found.patient}`, {
        headers: { Authorization: `Bearer ${found.token}` },
      });
      return status === 401
        ? skip('This session may not read Patient.')
        : when(
            status === 200 && /no-store/.test(answerHeaders['cache-control'] ?? ''),
            answerHeaders['cache-control'] ?? '',
            `HTTP ${status}, ${answerHeaders['cache-control'] ?? 'nothing said'}.`,
          );
    },
  },
  {
    group: 'Answers',
    title: 'ETag on a read, and 304 only after authorization',
    why: 'FHIR conditional read',
    async run(ask) {
      const found = await anyToken();
      if (!found) return skip('There is no token to ask with: sign in.');
      const url = `${BASE}/Patient/${found.patient}`;
      const headers = { Authorization: `Bearer ${found.token}` };
      const first = await ask(url, { headers });
      if (first.status === 401) return skip('This session may not read Patient.');
      const tag = first.answerHeaders.etag ?? '';
      const [again, without] = [
        await ask(url, { headers: { ...headers, 'If-None-Match': tag } }),
        await ask(url, { headers: { 'If-None-Match': tag } }),
      ];
      return when(
        /^W\//.test(tag) && again.status === 304 && without.status === 401,
        `${tag}; 304 with the token, 401 without.`,
        `${tag || 'no tag'}; ${again.status} and ${without.status}.`,
      );
    },
  },
  {
    group: 'Answers',
    title: 'Every answer has a request id and tells browsers not to guess its type',
    why: 'For support, and against sniffing',
    async run(ask) {
      const { answerHeaders } = await ask(`${BASE}/metadata`);
      return when(
        Boolean(answerHeaders['x-request-id']) && answerHeaders['x-content-type-options'] === 'nosniff',
        `X-Request-Id: ${answerHeaders['x-request-id']}.`,
        `Found: ${Object.keys(answerHeaders).join(', ')}.`,
      );
    },
  },
  {
    group: 'Other origins',
    title: 'CORS: the records may be asked from any origin, without cookies',
    why: 'Browser apps live elsewhere',
    async run(ask) {
      const { answerHeaders } = await ask(`${BASE}/metadata`);
      const origin = answerHeaders['access-control-allow-origin'];
      return when(
        origin === '*' && !('access-control-allow-credentials' in answerHeaders),
        'Access-Control-Allow-Origin: *, no credentials.',
        `Access-Control-Allow-Origin: ${origin ?? 'absent'}.`,
      );
    },
  },
  {
    group: 'Other origins',
    title: 'The preflight names Authorization',
    why: 'An asterisk does not cover it',
    async run(ask) {
      const answer = await ask(`${BASE}/Patient`, { method: 'OPTIONS' });
      const allowed = answer.answerHeaders['access-control-allow-headers'] ?? '';
      return when(
        answer.status === 204 && /authorization/i.test(allowed),
        allowed,
        `HTTP ${answer.status}, ${allowed || 'nothing allowed'}.`,
      );
    },
  },
  {
    group: 'Sign-in',
    title: 'A public app without PKCE gets no sign-in page',
    why: 'RFC 9700: PKCE for public clients',
    async run(ask) {
      const answer = await authorize(ask, (p) => {
        p.delete('code_challenge');
        p.delete('code_challenge_method');
      });
      // A redirect back with an error is opaque to a page: that it is one is what can be seen.
      return when(
        answer.status === 0 || answer.status >= 300,
        answer.status ? `Refused with ${answer.status}.` : 'Sent back with an error; a page cannot read where to.',
        `HTTP ${answer.status}: it went on.`,
      );
    },
  },
  {
    group: 'Sign-in',
    title: 'A redirect address that is not registered: no redirect at all',
    why: 'RFC 6749, 4.1.2.1: never send an answer to a stranger',
    async run(ask) {
      const answer = await authorize(ask, (p) => p.set('redirect_uri', `${REDIRECT}/else`));
      return when(
        answer.status === 400,
        'A page with 400, and no redirect.',
        answer.status ? `HTTP ${answer.status}.` : 'It redirected.',
      );
    },
  },
  {
    group: 'Sign-in',
    title: 'An app that nobody knows: no redirect at all',
    why: 'RFC 6749, 4.1.2.1',
    async run(ask) {
      const answer = await authorize(ask, (p) => p.set('client_id', 'nobody'));
      return when(
        answer.status === 400 || answer.status === 401,
        `A page with ${answer.status}.`,
        answer.status ? `HTTP ${answer.status}.` : 'It redirected.',
      );
    },
  },
  {
    group: 'Sign-in',
    title: 'The sign-in page cannot be framed',
    why: 'Clickjacking',
    async run(ask) {
      const answer = await authorize(ask, () => undefined);
      const policy = answer.answerHeaders['content-security-policy'] ?? '';
      return answer.status === 0
        ? skip('It redirected at once: somebody is signed in there.')
        : when(
            answer.status === 200 && /frame-ancestors 'none'/.test(policy),
            "frame-ancestors 'none'.",
            `HTTP ${answer.status}, ${policy || 'no policy'}.`,
          );
    },
  },
  {
    group: 'Sign-in',
    title: 'A made-up code: 400, invalid_grant',
    why: 'RFC 6749, 5.2',
    async run(ask) {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'made-up',
        redirect_uri: REDIRECT,
        client_id: CLIENT_ID,
        code_verifier: oauth.generateRandomCodeVerifier(),
      }).toString();
      const answer = await ask('/oauth/token', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      });
      const { error } = (answer.body ?? {}) as { error?: string };
      return when(
        answer.status === 400 &&
          error === 'invalid_grant' &&
          /no-store/.test(answer.answerHeaders['cache-control'] ?? ''),
        '400, invalid_grant, no-store.',
        `HTTP ${answer.status}, ${error ?? answer.text.slice(0, 60)}.`,
      );
    },
  },
];

export const asker =
  (kept: Exchange[]) =>
  async (path: string, sent?: Sent): Promise<Exchange> => {
    const one = await exchange(new URL(path, ORIGIN).href, sent);
    kept.push(one);
    return one;
  };
