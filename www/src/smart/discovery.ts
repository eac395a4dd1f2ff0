//! `.well-known/smart-configuration` (<https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html>), asked once.

import type * as oauth from 'oauth4webapi';
import { exchange } from '../source/http';
import { BASE } from './server';

export interface SmartConfiguration extends oauth.AuthorizationServer {
  capabilities?: string[];
  token_endpoint?: string;
  authorization_endpoint?: string;
  management_endpoint?: string;
}

let known: Promise<SmartConfiguration> | undefined;

export function discover(): Promise<SmartConfiguration> {
  known ??= ask().catch((error: unknown) => { known = undefined; throw error; });
  return known;
}

async function ask(): Promise<SmartConfiguration> {
  const { status, body } = await exchange(`${BASE}/.well-known/smart-configuration`, { headers: { Accept: 'application/json' } });
  const configuration = body as SmartConfiguration | undefined;
  if (status !== 200 || typeof configuration?.issuer !== 'string') throw new Error(`The server could not be discovered: HTTP ${status || 'nothing'}.`);
  // The server says `iss` in every redirect (RFC 9207); one without it is refused, whatever the document says.
  return { ...configuration, authorization_response_iss_parameter_supported: true };
}
