//! Discovery of a server: `.well-known/smart-configuration`
//! (<https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html>), fetched once.
//!
//! Our own server sends `iss` in every answer (RFC 9207). An answer without it is refused, whatever the configuration
//! says. From another server, `iss` is required if its configuration announces it. If `iss` is present, it must match.
//! If `iss` is neither present nor announced, two things replace it: the state, which is bound to the one server of the
//! request, and the redirect address, which is different for each server (RFC 9700, section 4.4.2).
//!
//! A SMART configuration has no `issuer` if the server has no OpenID Connect. The base is then used as the issuer.

import type * as oauth from 'oauth4webapi';
import { boolean, checked, each, isShaped, list, object, partial, type ShapeValue, string } from '#reading/shape.ts';
import { askedOnce } from '../asked-once.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { safeUrl } from './address.ts';
import { BASE, OWN_BASE } from './server.ts';

/** The addresses that a code, a token or the person is sent to. */
const ADDRESSES = ['issuer', 'authorization_endpoint', 'token_endpoint', 'revocation_endpoint', 'jwks_uri'] as const;

const configuration = partial({
  ...each(string, ...ADDRESSES, 'end_session_endpoint', 'health_links_endpoint'),
  ...each(list(string), 'capabilities', 'scopes_supported', 'code_challenge_methods_supported'),
  authorization_response_iss_parameter_supported: boolean,
});
export type SmartConfiguration = ShapeValue<typeof configuration> & oauth.AuthorizationServer;

const ownConfiguration = object({ issuer: string });

/** Returns the configuration of the page's server, or of a server that somebody wants to add. */
export const discover = (base = BASE): Promise<SmartConfiguration> => configurationOf(base);

const configurationOf = askedOnce(async (base): Promise<SmartConfiguration> => {
  const url = `${base}/.well-known/smart-configuration`;
  const { status, body } = await exchange(url, { headers: { Accept: 'application/json' } });
  if (base !== OWN_BASE) return otherConfiguration(base, status, body);
  if (status === 0) throw new Error(t('The server is out of reach.'));
  if (status !== 200) throw new Error(t('The server could not be discovered: HTTP {status}.', { status: `${status}` }));
  const { issuer } = checked(ownConfiguration, body, 'the SMART configuration');
  const found = checked(configuration, body, 'the SMART configuration');
  return { ...found, issuer, authorization_response_iss_parameter_supported: true };
});

/** Checks the answer of another server. Throws an error in words if the app cannot or must not sign in there. */
export function otherConfiguration(base: string, status: number, body: unknown): SmartConfiguration {
  const { host } = new URL(base);
  if (status === 0) {
    throw new Error(
      t(
        '{host} did not answer this page: it is out of reach, or it does not let pages of other origins ask it (CORS).',
        {
          host,
        },
      ),
    );
  }
  if (status !== 200) {
    throw new Error(t('{host} has no SMART configuration there: it answered {status}.', { host, status: `${status}` }));
  }
  if (body === undefined) throw new Error(t('The SMART configuration of {host} is not JSON.', { host }));
  const found = checked(configuration, body, 'the SMART configuration');
  if (!found.authorization_endpoint || !found.token_endpoint) {
    throw new Error(t('{host} names no address to sign in at.', { host }));
  }
  for (const name of ADDRESSES) {
    const address = found[name];
    if (address !== undefined && !safeUrl(address)) {
      throw new Error(t('{host} names an address that is not https: {address}', { host, address }));
    }
  }
  // An app without a secret is protected by PKCE alone, and SMART App Launch 2 demands that it is announced.
  if (!found.code_challenge_methods_supported?.includes('S256')) {
    throw new Error(
      t('{host} does not announce PKCE with S256, as SMART App Launch 2 demands. Without it, no sign-in begins.', {
        host,
      }),
    );
  }
  return { ...found, issuer: found.issuer ?? base };
}

/** Returns the address that ends the sign-in at the server, if the SMART or OpenID configuration has one. */
export async function logOutUrl(): Promise<URL | undefined> {
  const { issuer, end_session_endpoint: named } = await discover();
  const address = named || (await openIdLogOut(issuer));
  // The request tells this address who was signed in, so it must have the origin of the issuer.
  const url = URL.parse(address ?? '');
  return url && /^https?:$/.test(url.protocol) && url.origin === URL.parse(issuer)?.origin ? url : undefined;
}

async function openIdLogOut(issuer: string): Promise<string | undefined> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const { status, body } = await exchange(url, { headers: { Accept: 'application/json' } });
  return status === 200 && isShaped(partial({ end_session_endpoint: string }), body)
    ? body.end_session_endpoint
    : undefined;
}
