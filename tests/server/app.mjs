// An app that requests an authorization of a server, and exchanges its code for tokens.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { BASE, ORIGIN } from '../../tools/server/stage.mjs';
import { postForm } from './sender.mjs';

export const verifierOf = () => randomBytes(48).toString('base64url');
export const challengeOf = (verifier) => createHash('sha256').update(verifier).digest('base64url');

export class App {
  constructor(server, id, redirect) {
    Object.assign(this, { server, id, redirect, verifier: verifierOf(), state: verifierOf() });
  }

  request(scope, more = {}) {
    return {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirect,
      scope,
      state: this.state,
      aud: BASE,
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: 'S256',
      ...more,
    };
  }

  /// Returns the parameters of the redirect.
  redirected(location) {
    assert.ok(location?.startsWith(`${this.redirect}?`), location);
    const parameters = Object.fromEntries(new URL(location).searchParams);
    assert.equal(parameters.iss, ORIGIN);
    assert.equal(parameters.state, this.state);
    return parameters;
  }

  async token(form, headers = {}) {
    const own = headers.authorization ? {} : { client_id: this.id };
    const answer = await postForm(this.server, '/oauth/token', { ...own, ...form }, headers);
    assert.match(answer.headers.get('cache-control'), /no-store/);
    assert.equal(answer.headers.get('pragma'), 'no-cache');
    return { status: answer.status, ...answer.body };
  }

  refresh(refresh_token) {
    return this.token({ grant_type: 'refresh_token', refresh_token });
  }

  exchange(code, headers) {
    return this.token(
      { grant_type: 'authorization_code', code, redirect_uri: this.redirect, code_verifier: this.verifier },
      headers,
    );
  }
}
