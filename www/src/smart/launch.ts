//! The way to the authorization server and back (<https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html>):
//! PKCE with S256 (RFC 7636), 256 random bits of state, `iss` in the answer (RFC 9207), a nonce for the identity token.

import * as oauth from 'oauth4webapi';
import { discover } from './discovery.ts';
import { BASE, CLIENT_ID, REDIRECT } from './server.ts';
import { begin, options, type Session } from './session.ts';

export interface Prepared {
  state: string;
  verifier: string;
  challenge: string;
  nonce: string;
  scope: string;
  launch: Session['launch'];
  url: URL;
}

export interface Wanted {
  scope: string;
  launch: Session['launch'];
  launchToken?: string;
  /** The name of who will probably sign in: the server writes it into its form. */
  user?: string | undefined;
}

/** Makes the secrets of one launch, and the address to go to. Nothing is sent yet. */
export async function prepare({ scope, launch, launchToken, user }: Wanted): Promise<Prepared> {
  const server = await discover();
  if (!server.authorization_endpoint) throw new Error('The server names no authorization endpoint.');
  const [state, verifier, nonce] = [
    oauth.generateRandomState(),
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomNonce(),
  ];
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    scope,
    state,
    aud: BASE,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(/\bopenid\b/.test(scope) ? { nonce } : {}),
    ...(launchToken === undefined ? {} : { launch: launchToken }),
    ...(user ? { login_hint: user } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { state, verifier, challenge, nonce, scope, launch, url };
}

const KEY = 'edgechart.launch.';

export function go({ state, verifier, nonce, scope, launch, url }: Prepared): void {
  sessionStorage.setItem(KEY + state, JSON.stringify({ verifier, nonce, scope, launch }));
  location.assign(url);
}

export interface Step {
  says: string;
  ok: boolean;
}
export interface Landed {
  steps: Step[];
  session?: Session;
  launch?: Session['launch'];
  error?: { code: string; says: string; next: string };
}

/** What our server says of a refusal by the user, and of no other. */
const DECLINED = 'the user denied it';

/** What an error of the authorization server means (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
function meaning(code: string, description: string): string {
  if (code === 'access_denied') {
    return description === DECLINED
      ? 'You declined. Nothing was shared; the offline sample needs no permission.'
      : 'Nobody declined: whoever signed in may not see these records. Sign in as somebody who may.';
  }
  const known: Record<string, string> = {
    invalid_scope: 'The app asked for something that it may not have. Choose other scopes.',
    login_required: 'Somebody must sign in first. Launch again.',
    consent_required: 'Somebody must first say what the app may see. Launch again.',
    interaction_required: 'Somebody must first choose a patient. Launch again.',
    server_error: 'Something at the server did not work. Nothing was shared; launch again in a moment.',
    temporarily_unavailable: 'The server is busy. Launch again in a moment.',
  };
  return known[code] ?? 'The server refused the request itself. Go back and launch again.';
}

/** What came back, checked step by step. Each step is told, also the one that failed. */
export async function land(query: URLSearchParams): Promise<Landed> {
  const steps: Step[] = [];
  const step = (says: string, ok: boolean): boolean => {
    steps.push({ says, ok });
    return ok;
  };
  const state = query.get('state') ?? '';
  const text = sessionStorage.getItem(KEY + state);
  const pending = JSON.parse(text ?? '{}') as Pick<Prepared, 'verifier' | 'nonce' | 'scope' | 'launch'>;
  const failed = (code: string, says: string, next = 'Go back and launch again.'): Landed => ({
    steps,
    launch: pending.launch,
    error: { code, says, next },
  });
  sessionStorage.removeItem(KEY + state);
  if (!step('The state is one that this tab made, and it is used once', text !== null)) {
    return failed(
      'unknown state',
      'This answer belongs to no launch of this tab: it is old, was used before, or was made up. Nothing was sent to the server.',
    );
  }
  const server = await discover();
  const client: oauth.Client = { client_id: CLIENT_ID };
  if (!step(`The answer names its issuer, and it is ${server.issuer}`, query.get('iss') === server.issuer)) {
    return failed(
      'wrong issuer',
      'The answer came from another authorization server than the one that was asked. The code was not sent anywhere.',
    );
  }
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(server, client, query, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      step('The server gave a code', false);
      return failed(error.error, error.error_description ?? '', meaning(error.error, error.error_description ?? ''));
    }
    throw error;
  }
  step('The server gave a code', true);
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      REDIRECT,
      pending.verifier,
      options('code exchange'),
    );
    const openid = /\bopenid\b/.test(pending.scope);
    const granted = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: openid ? pending.nonce : oauth.expectNoNonce,
    });
    step('The code was exchanged with its PKCE verifier', true);
    const claims = oauth.getValidatedIdTokenClaims(granted);
    if (claims) {
      await oauth.validateApplicationLevelSignature(server, answer, options('keys'));
      step('The identity token is for this app, carries our nonce, and its signature is good', true);
    }
    const response = granted as unknown as Record<string, unknown>;
    const word = (name: string): string | undefined =>
      typeof response[name] === 'string' ? response[name] : undefined;
    const fhirUser = (typeof claims?.fhirUser === 'string' ? claims.fhirUser : undefined) ?? word('fhirUser');
    const optional = {
      refreshToken: granted.refresh_token,
      idToken: granted.id_token,
      nonce: openid ? pending.nonce : undefined,
      patient: word('patient'),
      encounter: word('encounter'),
      fhirUser,
    };
    const session: Session = {
      id: oauth.generateRandomState(),
      generation: 0,
      clientId: CLIENT_ID,
      issuer: server.issuer,
      launch: pending.launch,
      requested: pending.scope,
      scope: granted.scope ?? pending.scope,
      accessToken: granted.access_token,
      expiresAt: Date.now() + (granted.expires_in ?? 300) * 1000,
      obtainedAt: Date.now(),
      response,
      ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<Session>),
    };
    begin(session);
    return { steps, session };
  } catch (error) {
    const { code, says } = told(error);
    step('The code was exchanged with its PKCE verifier', false);
    return failed(code, says);
  }
}

function told(error: unknown): { code: string; says: string } {
  if (error instanceof oauth.ResponseBodyError) return { code: error.error, says: error.error_description ?? '' };
  return { code: 'the exchange failed', says: error instanceof Error ? error.message : String(error) };
}
