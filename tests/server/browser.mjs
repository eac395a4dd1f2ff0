// A browser without script: it stores cookies, reads forms, and never follows a redirect to an app.

import assert from 'node:assert/strict';
import { passwordOf } from '../../tools/server/stage.mjs';

export { passwordOf };

/// Decodes the entities in the server's pages.
const plain = (text) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const attribute = (tag, name) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag);
  return found ? plain(found[1]) : undefined;
};

/// Returns the forms of a page: {action, fields: [{name, value, type, checked}]}.
export function formsOf(text) {
  return [...text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head, body]) => ({
    action: attribute(head, 'action'),
    fields: [...body.matchAll(/<(input|select|button)\b[^>]*>/g)]
      .map(([tag, kind]) => ({
        name: attribute(tag, 'name'),
        value: attribute(tag, 'value') ?? '',
        type: kind === 'input' ? attribute(tag, 'type') : kind,
        checked: /\schecked\b/.test(tag),
      }))
      .filter((field) => field.name),
  }));
}

export class Browser {
  #cookies = new Map();

  /// Every request has the `headers`.
  constructor(url, headers = {}) {
    this.url = url;
    this.headers = headers;
  }

  cookie(name) {
    return this.#cookies.get(name);
  }

  /// Sends a request, and follows redirects to pages of the server.
  async #ask(path, init = {}) {
    const answer = await this.#send(path, init);
    return answer.status === 303 && answer.location.startsWith('/oauth/') ? this.#ask(answer.location) : answer;
  }

  async #send(path, init) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...this.headers, ...init.headers, ...(cookie && { cookie }) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split('=');
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location') ?? undefined,
    };
  }

  get(path) {
    return this.#ask(path);
  }

  authorize(request) {
    return this.#ask(`/oauth/authorize?${new URLSearchParams(request)}`);
  }

  /// Sends a form of a page with its values, except for these values, and with these checkboxes unticked and ticked.
  submit(form, values = {}, untick = [], tick = []) {
    const body = new URLSearchParams();
    for (const { name, value, type, checked } of form.fields) {
      if (name in values || type === 'button') continue;
      if (type === 'checkbox' && (!(checked || tick.includes(value)) || untick.includes(value))) continue;
      body.append(name, value);
    }
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    return this.#ask(form.action, {
      method: 'POST',
      body,
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    });
  }
}

/// Goes through all pages of a sign-in, up to the redirect to the app. Resolves to that answer, and to `consent`, the
/// form on which the user decided, if one was shown. `untick` and `tick` are values of checkboxes.
export async function through(
  browser,
  page,
  { user = 'amara', patient, encounter = '', untick = [], tick = [], decision = 'allow' } = {},
) {
  let consent;
  for (let step = 0; page.status === 200; step += 1) {
    assert.ok(step < 5, 'it goes round in circles');
    const form = formsOf(page.text).find((form) => !form.fields.some((field) => field.name === 'words'));
    const has = (name) => form.fields.some((field) => field.name === name);
    if (has('password')) page = await browser.submit(form, { username: user, password: passwordOf(user) });
    else if (has('patient')) page = await browser.submit(form, { patient });
    else if (has('encounter')) page = await browser.submit(form, { encounter });
    else {
      consent = form;
      page = await browser.submit(form, { decision }, untick, tick);
    }
  }
  return { ...page, consent };
}
