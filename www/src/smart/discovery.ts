//! `.well-known/smart-configuration` (<https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html>), asked once.

import type * as oauth from 'oauth4webapi';
import { exchange } from '../source/http.ts';
import { BASE } from './server.ts';

export interface SmartConfiguration extends oauth.AuthorizationServer {
  capabilities?: string[];
  token_endpoint?: string;
  authorization_endpoint?: string;
  management_endpoint?: string;
}

let known: Promise<SmartConfiguration> | undefined;

export function discover(): Promise<SmartConfiguration> {
  known ??= ask().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function ask(): Promise<SmartConfiguration> {
  const { status, body } = await exchange(`${BASE}/.well-known/smart-configuration`, {
    headers: { Accept: 'application/json' },
  });
  const configuration = body as SmartConfiguration | undefined;
  if (status !== 200 || typeof configuration?.issuer !== 'string')
    throw new Error(`The server could not be discovered: HTTP ${status || 'nothing'}.`);
  // The server says `iss` in every redirect (RFC 9207); one without it is refused, whatever the document says.
  return { ...configuration, authorization_response_iss_parameter_supported: true };
}

/** Where a log-out ends the sign-in at the server, as SMART's or OpenID's configuration names it; nothing where there is no such place. */
export async function endSessionEndpoint(): Promise<URL | undefined> {
  const { issuer, end_session_endpoint: named } = await discover();
  let address: unknown = named;
  if (!address) {
    const { status, body } = await exchange(`${issuer}/.well-known/openid-configuration`, {
      headers: { Accept: 'application/json' },
    });
    address =
      status === 200 ? (body as { end_session_endpoint?: unknown } | undefined)?.end_session_endpoint : undefined;
  }
  // It is told who was signed in: it must be the issuer's own.
  return typeof address === 'string' && URL.canParse(address) && new URL(address).origin === new URL(issuer).origin
    ? new URL(address)
    : undefined;
}
