//! The way to the authorization server and back (<https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html>):
//! PKCE with S256 (RFC 7636), 256 random bits of state, `iss` in the answer (RFC 9207), a nonce for the identity token.
//! `discovery.ts` describes the rules for a server that does not name its issuer in the answer.

import * as oauth from 'oauth4webapi';
import { own } from '#reading/own.ts';
import { isShaped, object, parsedAs, type ShapeValue, string } from '#reading/shape.ts';
import { errorText } from '../error-text.ts';
import { type PlainMessage, sentences, t, words } from '../language/message.ts';
import { discover, type SmartConfiguration } from './discovery.ts';
import { oauthOptions, responseMembers } from './oauth.ts';
import { BASE, CLIENT_ID, other, REDIRECT, serverKey } from './server.ts';
import { type LaunchKind, launchKindShape, type Session, session, startSession } from './session.ts';

interface LaunchRequest {
  scope: string;
  launch: LaunchKind;
  /** The `launch` parameter of an EHR. */
  launchToken?: string;
  /** The name of the user who will probably sign in. The server prefills its form with it. */
  user?: string | undefined;
}

/** A launch with its secrets, and the address to go to. */
export interface PreparedLaunch {
  state: string;
  verifier: string;
  nonce: string;
  scope: string;
  launch: LaunchKind;
  url: URL;
}

const asksIdentity = (scope: string): boolean => /\bopenid\b/.test(scope);

/** Generates the secrets of one launch, and the authorization URL. Does not navigate yet. */
export async function prepareLaunch({ scope, launch, launchToken, user }: LaunchRequest): Promise<PreparedLaunch> {
  const server = await discover();
  if (!server.authorization_endpoint) throw new Error(t('The server names no authorization endpoint.'));
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
    ui_locales: words().language,
    ...(asksIdentity(scope) ? { nonce } : {}),
    ...(launchToken === undefined ? {} : { launch: launchToken }),
    ...(user ? { login_hint: user } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { state, verifier, nonce, scope, launch, url };
}

/** Returns the key in sessionStorage of a launch that is under way. Each other server has its own keys. */
const keyOf = (state: string): string => serverKey(`edgechart.launch.${state}`);
const pendingLaunch = object({ verifier: string, nonce: string, scope: string, launch: launchKindShape });
type PendingLaunch = ShapeValue<typeof pendingLaunch>;

/** A state as `oauth4webapi` makes it: 256 bits in base64url. */
const STATE = /^[\w-]{43}$/;

/**
 * Returns the secrets of a launch, and removes them from the storage. A state of another form is treated as unknown,
 * because it could name the entry of a launch at another server.
 */
function takePending(state: string): PendingLaunch | undefined {
  if (!STATE.test(state)) return undefined;
  const pending = parsedAs(pendingLaunch, sessionStorage.getItem(keyOf(state)));
  sessionStorage.removeItem(keyOf(state));
  return pending;
}

/** Navigates to the authorization server. The secrets stay in this tab's storage. */
export function redirectToServer({ state, verifier, nonce, scope, launch, url }: PreparedLaunch): void {
  sessionStorage.removeItem(DECLINED_KEY);
  sessionStorage.setItem(keyOf(state), JSON.stringify({ verifier, nonce, scope, launch } satisfies PendingLaunch));
  location.assign(url);
}

export const beginLaunch = async (request: LaunchRequest): Promise<void> =>
  redirectToServer(await prepareLaunch(request));

/** A text in the language that the page has when it is drawn. */
type Says = () => string;

/** One check of the answer, in words. */
export interface LaunchStep {
  says: Says;
  ok: boolean;
}

type Step = (says: Says, ok: boolean) => boolean;

export interface LaunchError {
  /** The words for what happened, as the heading of the page, where they are known. */
  what?: Says;
  code: Says;
  says: Says;
  next: Says;
  /** True if the user refused, so that nothing went wrong. */
  isDeclined?: boolean;
}

export interface LaunchResult {
  steps: LaunchStep[];
  session?: Session;
  launch?: LaunchKind | undefined;
  error?: LaunchError;
}

/** Checks the answer of the authorization server step by step, and starts the session. A failed step is included. */
export async function finishLaunch(query: URLSearchParams): Promise<LaunchResult> {
  const steps: LaunchStep[] = [];
  const step: Step = (says, ok) => {
    steps.push({ says, ok });
    return ok;
  };
  const state = query.get('state') ?? '';
  const pending = takePending(state);
  const failed = (
    code: Says,
    says: Says,
    next: Says = () => t('Go back and sign in again.'),
    what?: Says,
  ): LaunchResult => ({ steps, launch: pending?.launch, error: { code, says, next, ...(what && { what }) } });

  if (!step(() => t('The state is one that this tab made, and it is used once'), pending !== undefined) || !pending) {
    return failed(
      () => t('unknown state'),
      () =>
        sentences([
          'The answer that came here was used before, is old, or belongs to another tab.',
          'Nothing was sent to the server.',
        ]),
      () =>
        session.value
          ? t('You are signed in as before, and may go on.')
          : t('To sign in, begin again: each sign-in gets an answer of its own.'),
      () => t('This sign-in is over'),
    );
  }
  const server = await discover();
  if (!isFromServer(query, server, step)) {
    return failed(
      () => t('wrong issuer'),
      () =>
        sentences([
          'The answer came from another authorization server than the one that was asked.',
          'The code was not sent anywhere.',
        ]),
    );
  }
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(server, CLIENT, query, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    step(() => t('The server gave a code'), false);
    const { error: code, error_description: description = '' } = error;
    if (code === 'access_denied' && description === DECLINED) {
      sessionStorage.setItem(DECLINED_KEY, pending.launch);
      return { steps, launch: pending.launch, error: REFUSAL };
    }
    return failed(
      () => code,
      () => description,
      () => adviceFor(code, pending.launch),
    );
  }
  step(() => t('The server gave a code'), true);
  try {
    const started = await exchangeCode(server, parameters, pending, step);
    startSession(started);
    return { steps, session: started };
  } catch (error) {
    step(() => t('The code was exchanged with its PKCE verifier'), false);
    if (!(error instanceof oauth.ResponseBodyError)) {
      return failed(
        () => t('the exchange failed'),
        () => errorText(error),
      );
    }
    const { error: code, error_description: description = '' } = error;
    return failed(
      () => code,
      () => description,
    );
  }
}

/** Returns whether an answer comes from the server of the request. `discovery.ts` describes the rules. */
function isFromServer(
  query: URLSearchParams,
  { issuer, authorization_response_iss_parameter_supported: isPromised }: SmartConfiguration,
  step: Step,
): boolean {
  if (other && !step(() => t('The answer came to the address of this one server'), query.get('at') === BASE))
    return false;
  const iss = query.get('iss');
  if (iss === null && !isPromised) {
    return step(
      () => t('The answer names no issuer, and this server does not say that it would: the state is its own'),
      true,
    );
  }
  return step(() => t('The answer names its issuer, and it is {issuer}', { issuer }), iss === issuer);
}

const CLIENT: oauth.Client = { client_id: CLIENT_ID };

/** Exchanges the code for tokens, and checks the identity token if one was requested. */
async function exchangeCode(
  server: SmartConfiguration,
  parameters: URLSearchParams,
  { verifier, nonce, scope, launch }: PendingLaunch,
  step: Step,
): Promise<Session> {
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    CLIENT,
    oauth.None(),
    parameters,
    REDIRECT,
    verifier,
    oauthOptions('code exchange'),
  );
  const expectedNonce = asksIdentity(scope) ? nonce : oauth.expectNoNonce;
  const granted = await oauth.processAuthorizationCodeResponse(server, CLIENT, answer, { expectedNonce });
  step(() => t('The code was exchanged with its PKCE verifier'), true);
  const claims = oauth.getValidatedIdTokenClaims(granted);
  if (claims) {
    await oauth.validateApplicationLevelSignature(server, answer, oauthOptions('keys'));
    step(() => t('The identity token is for this app, carries our nonce, and its signature is good'), true);
  }
  const response = responseMembers(granted);
  return {
    id: oauth.generateRandomState(),
    generation: 0,
    clientId: CLIENT_ID,
    issuer: server.issuer,
    launch,
    requested: scope,
    scope: granted.scope ?? scope,
    accessToken: granted.access_token,
    expiresAt: Date.now() + (granted.expires_in ?? 300) * 1000,
    obtainedAt: Date.now(),
    response,
    ...strings({
      refreshToken: granted.refresh_token,
      idToken: granted.id_token,
      nonce: asksIdentity(scope) ? nonce : undefined,
      patient: response.patient,
      fhirUser: claims?.fhirUser ?? response.fhirUser,
    }),
  };
}

/** Returns the members whose values are strings. */
function strings<N extends string>(members: Record<N, unknown>): { [K in N]?: string } {
  const kept: { [K in N]?: string } = {};
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}

/** The description that our server gives if the user refuses, and in no other case. */
const DECLINED = 'the user denied it';
const REFUSAL: LaunchError = {
  what: () => t('You declined'),
  code: () => `access_denied: ${DECLINED}`,
  says: () => t('Nothing was shared, and this app may see nothing. The offline sample needs no permission.'),
  next: () => t('To share a part alone, sign in again and leave out the rest.'),
  isDeclined: true,
};
/** The key in sessionStorage of a refusal, until the next launch. */
const DECLINED_KEY = serverKey('edgechart.declined');

/** Returns the user's refusal that ended the last launch of this tab, for a reloaded page. */
export function lastRefusal(): LaunchResult | undefined {
  const launch = sessionStorage.getItem(DECLINED_KEY);
  return isShaped(launchKindShape, launch) ? { steps: [], launch, error: REFUSAL } : undefined;
}

/** The next thing to do, by error (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
const ADVICE: Record<string, PlainMessage> = {
  invalid_scope: 'The app asked for something that it may not have. Choose other scopes.',
  login_required: 'Somebody must sign in first. Sign in again.',
  consent_required: 'Somebody must first say what the app may see. Sign in again.',
  interaction_required: 'Somebody must first choose a patient. Sign in again.',
  server_error: 'Something at the server did not work. Nothing was shared; sign in again in a moment.',
  temporarily_unavailable: 'The server is busy. Sign in again in a moment.',
};

function adviceFor(code: string, launch: LaunchKind): string {
  if (code === 'access_denied') {
    return t('Nobody declined: whoever signed in may not see these records. Sign in as somebody who may.');
  }
  // A launch by an EHR is valid for a short time. Its address in the history or in a bookmark has expired.
  if (code === 'invalid_request' && launch === 'ehr')
    return t('Start the app in the record system again: each launch from there can be used for a short time.');
  return t(own(ADVICE, code) ?? 'The server refused the request itself. Go back and sign in again.');
}
