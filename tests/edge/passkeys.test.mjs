// Passkeys over HTTP, in workerd: with keys of both algorithms, and on a server without passkeys.

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { after, test } from 'node:test';
import { ORIGIN, stage } from '../../tools/server/stage.mjs';
import { Browser, formsOf, passwordOf } from '../server/browser.mjs';

const server = await stage({ data: ['sample'] });
after(() => server.close());

const b64 = (bytes) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

/// Encodes integers, texts, bytes, and maps (as lists of pairs) in CBOR.
function cbor(value) {
  const head = (major, count) => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    return count < 256 ? Buffer.from([(major << 5) | 24, count]) : Buffer.from([(major << 5) | 25, count >> 8, count]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.length), ...value.flat().map(cbor)]);
}

const bytes = (text) => Buffer.from(text, 'base64url');
const algorithms = {
  ES256: {
    pair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    cose: ({ x, y }) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
  },
  RS256: {
    pair: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
    cose: ({ n, e }) => [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  },
};

/// An authenticator with one passkey of that algorithm.
class Authenticator {
  #count = 0;

  constructor(algorithm) {
    const { pair, cose } = algorithms[algorithm];
    const { publicKey, privateKey } = pair();
    Object.assign(this, { privateKey, key: cose(publicKey.export({ format: 'jwk' })), id: sha256(algorithm) });
  }

  #data(flags, rest = Buffer.alloc(0)) {
    this.#count += 1;
    return Buffer.concat([sha256(new URL(ORIGIN).hostname), Buffer.from([flags, 0, 0, 0, this.#count]), rest]);
  }

  #client(type, challenge) {
    return Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin: ORIGIN, crossOrigin: false }));
  }

  create({ challenge, user }) {
    this.handle = user.id;
    const length = Buffer.from([0, this.id.length]);
    const data = this.#data(0x45, Buffer.concat([Buffer.alloc(16), length, this.id, cbor(this.key)]));
    const object = cbor([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', data],
    ]);
    return { client_data: b64(this.#client('create', challenge)), attestation: b64(object) };
  }

  get({ challenge }) {
    const [client, data] = [this.#client('get', challenge), this.#data(0x05)];
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.privateKey);
    return {
      id: b64(this.id),
      client_data: b64(client),
      auth_data: b64(data),
      signature: b64(signature),
      user_handle: this.handle,
    };
  }
}

const formFor = (page, action) => formsOf(page.text).find((form) => form.action === action);
const challenge = async (browser, form, values = {}) => {
  const answer = await browser.submit({ ...form, action: '/oauth/passkey/challenge' }, values);
  return { ...answer, options: answer.status === 200 ? JSON.parse(answer.text) : undefined };
};
const signedIn = async (url) => {
  const browser = new Browser(url);
  const form = formFor(await browser.get('/oauth/manage'), '/oauth/login');
  return { browser, page: await browser.submit(form, { username: 'amara', password: passwordOf('amara') }) };
};

for (const algorithm of Object.keys(algorithms)) {
  test(`a user adds a passkey of ${algorithm}, and signs in with it in another browser`, async () => {
    const authenticator = new Authenticator(algorithm);
    const { browser, page } = await signedIn(server.url);
    const form = formsOf(page.text).find(({ fields }) => fields.some(({ name }) => name === 'attestation'));
    const { options } = await challenge(browser, form, { purpose: 'add' });
    assert.deepEqual(
      options.pubKeyCredParams.map(({ alg }) => alg),
      [-7, -257],
    );
    const added = await browser.submit(form, { name: algorithm, ...authenticator.create(options) });
    assert.match(added.text, /The passkey was added/);

    const other = new Browser(server.url);
    const own = formFor(await other.get('/oauth/manage'), '/oauth/passkey');
    const { options: asked } = await challenge(other, own);
    const inside = await other.submit(own, authenticator.get(asked));
    assert.match(inside.text, new RegExp(`<strong>${algorithm}</strong>, since .*, last used`));
    // An assertion for another challenge is refused with either algorithm.
    const third = new Browser(server.url);
    const again = formFor(await third.get('/oauth/manage'), '/oauth/passkey');
    await challenge(third, again);
    const refused = await third.submit(again, authenticator.get(asked));
    assert.match(refused.text, /This passkey did not work/);
  });
}

test('where passkeys are off, no page offers them, and none is taken', async () => {
  const off = await stage({ data: ['sample'], vars: { PASSKEYS: 'off' } });
  try {
    const { browser, page } = await signedIn(off.url);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /passkey/i);
    assert.doesNotMatch(page.headers.get('content-security-policy'), /script-src|connect-src/);
    const form = formsOf(page.text)[0];
    for (const action of ['/oauth/passkey/challenge', '/oauth/passkey', '/oauth/passkeys']) {
      const answer = await browser.submit({ ...form, action });
      assert.deepEqual([answer.status, /not offered here/.test(answer.text)], [400, true], action);
    }
    assert.doesNotMatch((await new Browser(off.url).get('/oauth/manage')).text, /passkey/i);
  } finally {
    await off.close();
  }
});
