//! Tokens taken apart and checked in this browser. The engine goes through the checks; where a signature needs RSA, the
//! browser's own cryptography adds its line.

import { engine } from '../engine/client.ts';
import type { Check, Expected } from '../engine/types.ts';
import { exchange } from '../source/http.ts';
import { discover } from './discovery.ts';

export interface Inspected {
  header: unknown;
  claims: Record<string, unknown>;
  checks: Check[];
}

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const json = (part: string | undefined): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes(part ?? '')));
  } catch {
    return undefined;
  }
};

export function claimsOf(token: string): Record<string, unknown> {
  return (json(token.split('.')[1]) as Record<string, unknown> | undefined) ?? {};
}

interface Jwk extends JsonWebKey {
  kid?: string;
}

export async function inspect(token: string, expected: Expected, nonce?: string): Promise<Inspected> {
  const server = await discover();
  const { body } = await exchange(server.jwks_uri ?? '', { headers: { Accept: 'application/json' } });
  const keys = (body as { keys?: Jwk[] } | undefined)?.keys ?? [];
  const header = json(token.split('.')[0]) as { alg?: string; kid?: string } | undefined;
  const { value } = await engine('verify', token, { keys }, Math.floor(Date.now() / 1000), expected);
  const checks = [...value];
  if (header?.alg === 'RS256') {
    const line = await rsa(
      token,
      keys.find(({ kid }) => kid === header.kid),
    );
    const at = checks.findIndex(({ check }) => check === 'signature');
    checks.splice(at < 0 ? checks.length : at, at < 0 ? 0 : 1, line);
  }
  const claims = claimsOf(token);
  if (nonce !== undefined)
    checks.push({
      check: 'nonce',
      ok: claims.nonce === nonce,
      says:
        claims.nonce === nonce ? 'It is the one that this launch made.' : 'It is not the one that this launch made.',
    });
  return { header, claims, checks };
}

async function rsa(token: string, key: Jwk | undefined): Promise<Check> {
  if (!key || key.kty !== 'RSA')
    return { check: 'signature', ok: false, says: 'The server has no RSA key of that name.' };
  const [header = '', claims = '', signature = ''] = token.split('.');
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const { kty = '', n = '', e = '' } = key;
  const imported = await crypto.subtle.importKey('jwk', { kty, n, e }, algorithm, false, ['verify']);
  const ok = await crypto.subtle.verify(
    algorithm,
    imported,
    bytes(signature),
    new TextEncoder().encode(`${header}.${claims}`),
  );
  return {
    check: 'signature',
    ok,
    says: ok ? 'RS256: good, checked by this browser’s WebCrypto.' : 'RS256: it does not fit.',
  };
}
