// A client for bulk exports in the manner of the test kits: it starts an export, polls the status, and fetches the
// files. Tests of exports share it.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../tools/server/raw.mjs';
import { asserted, assertion } from '../server/forge.mjs';
import { postForm } from '../server/sender.mjs';

export const KICK_OFF = { accept: 'application/fhir+json', prefer: 'respond-async' };
const STATUS = { accept: 'application/json' };
/// The time that the kits wait for an export, in seconds.
const TIMEOUT = 180;

/// A client with a token, for a server of `stage`.
export class BulkClient {
  #server;

  constructor(server, token) {
    this.#server = server;
    this.token = token;
  }

  /// Resolves to the token response to a request with an assertion (SMART Backend Services). `changes` to the form make
  /// the request invalid.
  static async requestToken(server, scope, changes = {}) {
    const claims = { aud: `${server.origin}/oauth/token` };
    const proof = asserted(await assertion('backend-service', { claims }));
    const form = { grant_type: 'client_credentials', scope, ...proof, ...changes };
    return postForm(server, '/oauth/token', form, { accept: 'application/json' });
  }

  /// Resolves to an answer: {status, headers, text, body}. Requests to the server's origin go to the address where it
  /// listens. `token: ''` sends no token.
  async ask(address, { token = this.token, headers = {}, ...init } = {}) {
    const { origin, base } = this.#server;
    const path = address.startsWith(origin) ? address.slice(origin.length) : `${base.slice(origin.length)}/${address}`;
    const sent = { ...headers, ...(token && { authorization: `Bearer ${token}` }) };
    return answerOf(await this.#server.reach(path, { redirect: 'manual', ...init, headers: sent }));
  }

  kickOff(path, options = {}) {
    return this.ask(path, { ...options, headers: { ...KICK_OFF, ...options.headers } });
  }

  status(address, options = {}) {
    return this.ask(address, { ...options, headers: STATUS });
  }

  cancel(address) {
    return this.ask(address, { method: 'DELETE', headers: STATUS });
  }

  /// Starts an export, which must be accepted, and returns the address of its status.
  async begin(path, options) {
    const { status, headers, text } = await this.kickOff(path, options);
    assert.equal(status, 202, text);
    const address = headers.get('content-location');
    assert.ok(URL.canParse(address), `Content-Location ${address} is absolute`);
    return address;
  }

  /// Polls the status while the export is in progress, like the kit. Returns the last answer.
  async finished(address) {
    for (let [waited, next] = [0, 2]; ; next *= 2) {
      const answer = await this.status(address);
      if (answer.status !== 202) return answer;
      const progress = answer.headers.get('x-progress') ?? '';
      assert.ok(progress.length < 100, progress);
      const said = Number(answer.headers.get('retry-after'));
      const seconds = Number.isInteger(said) && said > 0 ? said : next;
      waited += seconds;
      assert.ok(waited < TIMEOUT, 'the kit waits no longer');
      await sleep(seconds * 1_000);
    }
  }

  /// Runs an export, and resolves to its manifest.
  async exported(path, options) {
    const { status, body, text } = await this.finished(await this.begin(path, options));
    assert.equal(status, 200, text);
    return body;
  }

  /// Resolves to the resources of a file. Each of its lines must be a resource of its type.
  async resourcesOf({ type, url, count }) {
    const { status, headers, text } = await this.ask(url);
    assert.equal(status, 200, text);
    assert.match(headers.get('content-type'), /^application\/fhir\+ndjson/);
    assert.ok(text.endsWith('\n'), 'each line has its end');
    const lines = text.slice(0, -1).split('\n');
    const resources = lines.map((line) => JSON.parse(line));
    for (const { resourceType } of resources) assert.equal(resourceType, type);
    if (count !== undefined) assert.equal(resources.length, count, `${type} has as many lines as the manifest says`);
    return resources;
  }

  /// Resolves to all resources of an export.
  async contentOf({ output }) {
    const all = [];
    for (const file of output) all.push(...(await this.resourcesOf(file)));
    return all;
  }
}

/// Returns a resource without the addresses of its attachments, because the server makes them absolute.
const plain = (resource) =>
  JSON.parse(
    JSON.stringify(resource, function (name, value) {
      return name === 'url' && 'contentType' in this ? undefined : value;
    }),
  );

/// Checks that each exported resource occurs once, and equals the loaded resource.
export function areLoaded(exported, loaded) {
  const byAddress = new Map(loaded.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]));
  const seen = new Set();
  for (const resource of exported) {
    const address = `${resource.resourceType}/${resource.id}`;
    assert.ok(!seen.has(address), `${address} comes twice`);
    seen.add(address);
    assert.deepEqual(plain(resource), plain(byAddress.get(address)), address);
  }
}
