//! Discovery of the server: `.well-known/smart-configuration`
//! (<https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html>), asked for once.

import type * as oauth from 'oauth4webapi';
import { checked, isShaped, list, object, partial, type Shaped, string } from '../shape.ts';
import { exchange } from '../source/http.ts';
import { BASE } from './server.ts';

const configuration = object(
  { issuer: string },
  {
    jwks_uri: string,
    authorization_endpoint: string,
    token_endpoint: string,
    revocation_endpoint: string,
    end_session_endpoint: string,
    capabilities: list(string),
  },
);
export type SmartConfiguration = Shaped<typeof configuration> & oauth.AuthorizationServer;

let known: Promise<SmartConfiguration> | undefined;

export function discover(): Promise<SmartConfiguration> {
  known ??= askConfiguration().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function askConfiguration(): Promise<SmartConfiguration> {
  const url = `${BASE}/.well-known/smart-configuration`;
  const { status, body } = await exchange(url, { headers: { Accept: 'application/json' } });
  if (status !== 200) throw new Error(`The server could not be discovered: HTTP ${status || 'nothing'}.`);
  const found = checked(configuration, body, 'the SMART configuration');
  // The server says `iss` in every redirect (RFC 9207); one without it is refused, whatever the document says.
  return { ...found, authorization_response_iss_parameter_supported: true };
}

/** The address that ends the sign-in at the server, from SMART's or OpenID's configuration, if either names one. */
export async function logOutUrl(): Promise<URL | undefined> {
  const { issuer, end_session_endpoint: named } = await discover();
  const address = named || (await openIdLogOut(issuer));
  // It is told who was signed in, so it must be the issuer's own.
  return address && URL.canParse(address) && new URL(address).origin === new URL(issuer).origin
    ? new URL(address)
    : undefined;
}

async function openIdLogOut(issuer: string): Promise<string | undefined> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const { status, body } = await exchange(url, { headers: { Accept: 'application/json' } });
  return status === 200 && isShaped(partial({ end_session_endpoint: string }), body)
    ? body.end_session_endpoint
    : undefined;
}
