//! SMART Health Links (<https://hl7.org/fhir/uv/smart-health-cards-and-links/STU1/links-specification.html>). A file is
//! encrypted in this browser. Its key is only in the link, and is never sent.

import { base64Of, bytesOf } from '#reading/documents/document-text.ts';
import { number, object, parsedAs, type ShapeValue, string } from '#reading/shape.ts';
import { t } from '../language/message.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const link = object({ url: string, key: string }, { exp: number, flag: string, label: string });
/** The payload of a link. */
export type HealthLink = ShapeValue<typeof link>;

const HEAD = { alg: 'dir', enc: 'A256GCM', cty: 'application/fhir+json', zip: 'DEF' };
const head = object({ alg: string, enc: string }, { zip: string });

const encoded = (text: string): Bytes => new TextEncoder().encode(text);
const base64url = (bytes: Bytes): string =>
  base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** The most bytes of a file that a link opens. */
const LARGEST = 64 * 1024 * 1024;

/** Passes bytes through a stream that packs or unpacks them. Throws if there are too many. */
export async function through(
  bytes: Bytes,
  stream: CompressionStream | DecompressionStream,
  most = LARGEST,
): Promise<Bytes> {
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.length;
      if (size > most) controller.error(new RangeError(t('The file is too large.')));
      else controller.enqueue(part);
    },
  });
  const passed = new Blob([bytes]).stream().pipeThrough(stream).pipeThrough(counted);
  return new Uint8Array(await new Response(passed).arrayBuffer());
}

const keyOf = (key: Bytes, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, [use]);

/** Encrypts a text as a JWE (RFC 7516) with a new key and a new IV. */
export async function encrypted(text: string): Promise<{ file: string; key: string }> {
  const [key, iv] = [crypto.getRandomValues(new Uint8Array(32)), crypto.getRandomValues(new Uint8Array(12))];
  const first = base64url(encoded(JSON.stringify(HEAD)));
  const packed = await through(encoded(text), new CompressionStream('deflate-raw'));
  const algorithm = { name: 'AES-GCM', iv, additionalData: encoded(first) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, await keyOf(key, 'encrypt'), packed));
  const parts = [iv, sealed.slice(0, -16), sealed.slice(-16)].map(base64url);
  return { file: [first, '', ...parts].join('.'), key: base64url(key) };
}

/** Decrypts a JWE. Throws if it is of another kind, or the key is another one. */
export async function decrypted(file: string, key: string): Promise<string> {
  const [first = '', , iv = '', body = '', tag = ''] = file.split('.');
  const { zip } = parsedAs(head, new TextDecoder().decode(bytesOf(first))) ?? {};
  const algorithm = { name: 'AES-GCM', iv: bytesOf(iv), additionalData: encoded(first) };
  const sealed = await new Blob([bytesOf(body), bytesOf(tag)]).arrayBuffer();
  const opened = await crypto.subtle.decrypt(algorithm, await keyOf(bytesOf(key), 'decrypt'), sealed);
  const bytes = new Uint8Array(opened);
  return new TextDecoder().decode(zip ? await through(bytes, new DecompressionStream('deflate-raw')) : bytes);
}

/** Returns a link, without the address of a viewer. */
export const linkText = (of: HealthLink): string => `shlink:/${base64url(encoded(JSON.stringify({ ...of, v: 1 })))}`;

/** Returns the payload of the link in a text; `undefined` if there is none. */
export function linkIn(text: string): HealthLink | undefined {
  const [, packed = ''] = /shlink:\/([\w-]+)$/.exec(text) ?? [];
  try {
    return parsedAs(link, new TextDecoder().decode(bytesOf(packed)));
  } catch {
    return undefined;
  }
}
