//! The decoding and checking of tokens in this browser. The engine makes the checks. If a signature needs RSA, the
//! browser's own cryptography adds a check.

import { bytesOf } from '#reading/documents/document-text.ts';
import { anything, isShaped, list, object, partial, record, type ShapeValue, string } from '#reading/shape.ts';
import { engine } from '../engine/client.ts';
import type { Check, ExpectedClaims } from '../engine/types.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { discover } from './discovery.ts';

export interface InspectedToken {
  header: unknown;
  claims: Record<string, unknown>;
  checks: Check[];
}

const jwk = partial({ kid: string, kty: string, n: string, e: string });
type Jwk = ShapeValue<typeof jwk>;
const jwkSet = object({ keys: list(jwk) });
const tokenHeader = partial({ alg: string, kid: string });

function decodedPart(part: string | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(part ?? '')));
  } catch {
    return undefined;
  }
}

export async function inspectToken(token: string, expected: ExpectedClaims, nonce?: string): Promise<InspectedToken> {
  const [headerPart, claimsPart] = token.split('.');
  const [header, payload] = [decodedPart(headerPart), decodedPart(claimsPart)];
  const claims = isShaped(record(anything), payload) ? payload : {};
  const keys = await publishedKeys();
  const { value } = await engine('verify', token, { keys }, Math.floor(Date.now() / 1000), expected);
  const checks = [...value];
  if (isShaped(tokenHeader, header) && header.alg === 'RS256') {
    const line = await checkRsa(
      token,
      keys.find(({ kid }) => kid === header.kid),
    );
    const at = checks.findIndex(({ check }) => check === 'signature');
    checks.splice(at < 0 ? checks.length : at, at < 0 ? 0 : 1, line);
  }
  if (nonce !== undefined) {
    const ok = claims.nonce === nonce;
    const says = ok ? t('It is the one that this launch made.') : t('It is not the one that this launch made.');
    checks.push({ check: 'nonce', ok, says });
  }
  return { header, claims, checks };
}

async function publishedKeys(): Promise<Jwk[]> {
  const { jwks_uri: url = '' } = await discover();
  const { body } = await exchange(url, { headers: { Accept: 'application/json' } });
  return isShaped(jwkSet, body) ? body.keys : [];
}

async function checkRsa(token: string, key: Jwk | undefined): Promise<Check> {
  if (key?.kty !== 'RSA') {
    return { check: 'signature', ok: false, says: t('The server has no RSA key of that name.') };
  }
  const [header = '', claims = '', signature = ''] = token.split('.');
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const { kty, n = '', e = '' } = key;
  const imported = await crypto.subtle.importKey('jwk', { kty, n, e }, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${header}.${claims}`);
  const ok = await crypto.subtle.verify(algorithm, imported, bytesOf(signature), signed);
  const says = ok ? t('RS256: good, checked by this browser’s WebCrypto.') : t('RS256: it does not fit.');
  return { check: 'signature', ok, says };
}
