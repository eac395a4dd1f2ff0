//! Receipts of what a tool told an assistant: compact JWS (RFC 7515) with a payload in raw DEFLATE. They are verified
//! in this browser by the keys of this server, which are kept for use offline.

import { bytesOf } from '#reading/documents/document-text.ts';
import { isShaped, list, number, object, parsedAs, partial, type ShapeValue, string } from '#reading/shape.ts';
import type { ReceiptFact } from '#reading/tools/receipt.ts';
import { through } from '../smart/health-link.ts';
import { keepText, keptText } from '../storage.ts';

const jwk = partial({ kid: string, kty: string, crv: string, x: string, y: string });
const jwkSet = object({ keys: list(jwk) });
type Key = ShapeValue<typeof jwk>;

const header = object({ alg: string, kid: string, typ: string, zip: string });
const payload = object({ iss: string, iat: number, tool: string, total: number });

/** A receipt whose signature was verified. */
export interface Receipt {
  /** The day of the call: `2026-07-01`. */
  day: string;
  facts: ReceiptFact[];
  /** The number of facts of the result, of which the first are in the receipt. */
  total: number;
}

/** The reasons why a text is no receipt. */
export type ReceiptFault = 'form' | 'key' | 'signature';

const KEPT = 'receipt-keys';
const KEYS = '/oauth/jwks.json';
const MAX_INFLATED = 64 * 1024;

const keysIn = (text: string | null): Key[] => parsedAs(jwkSet, text ?? '')?.keys ?? [];

/** Resolves to the keys of this server. Offline, they are those that were kept. */
export async function serverKeys(): Promise<Key[]> {
  const answer = await fetch(KEYS, { credentials: 'omit' }).catch(() => undefined);
  const text = answer?.ok ? await answer.text() : null;
  const keys = keysIn(text);
  if (keys.length === 0 || text === null) return keysIn(keptText('localStorage', KEPT));
  keepText('localStorage', KEPT, text);
  return keys;
}

/** Returns the texts of the form of a receipt within a text, each once. */
export const receiptsIn = (text: string): string[] => [
  ...new Set<string>(text.match(/(?<![\w-])eyJ[\w-]{20,}\.[\w-]{20,}\.[\w-]{86}(?![\w-])/g) ?? []),
];

const inflated = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'), MAX_INFLATED));

const isText = (value: unknown): boolean => value === null || typeof value === 'string';
const isFact = (value: unknown): value is ReceiptFact =>
  Array.isArray(value) && typeof value[0] === 'string' && value.slice(1).every(isText) && value.length <= 5;

export async function verified(text: string, keys: readonly Key[]): Promise<Receipt | ReceiptFault> {
  const [first = '', body = '', signature = ''] = text.split('.');
  const head = parsedAs(header, new TextDecoder().decode(bytesOf(first)));
  if (head?.alg !== 'ES256' || head.typ !== 'receipt+jws' || head.zip !== 'DEF') return 'form';
  const key = keys.find(({ kid, kty, crv }) => kid === head.kid && kty === 'EC' && crv === 'P-256');
  if (!key) return 'key';
  const { kty = '', crv = '', x = '', y = '' } = key;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${first}.${body}`);
  if (!(await crypto.subtle.verify(algorithm, imported, bytesOf(signature), signed))) return 'signature';
  const told: unknown = JSON.parse(await inflated(bytesOf(body)));
  if (!isShaped(payload, told)) return 'form';
  const facts: unknown = 'facts' in told ? told.facts : [];
  const day = new Date(told.iat * 1000).toISOString().slice(0, 10);
  return { day, facts: Array.isArray(facts) ? facts.filter(isFact) : [], total: told.total };
}
