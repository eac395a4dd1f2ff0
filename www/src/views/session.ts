//! The session, taken apart: what the server sent, what is in the tokens, what each check says, what was asked and granted.

import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../engine/client.ts';
import type { ScopeLine } from '../engine/types.ts';
import { block, copyButton } from '../parts/copy.ts';
import { failed, waiting } from '../parts/notice.ts';
import { exchangeView } from '../parts/requests.ts';
import { inspect, type Inspected } from '../smart/inspect.ts';
import { startOf } from '../routes.ts';
import { BASE, CLIENT_ID } from '../smart/server.ts';
import { logOut, refresh, revoke, session, type Session } from '../smart/session.ts';
import { exchange } from '../source/http.ts';
import type { Exchange } from '../source/source.ts';
import type { Open } from '../view.ts';

const clock = (seconds: unknown): string =>
  typeof seconds === 'number'
    ? new Date(seconds * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
    : '';
const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time']);

export const sessionPanel: Open = (_route, redraw) => {
  let access: Inspected | undefined;
  let identity: Inspected | undefined;
  let lines: ScopeLine[] = [];
  let problem: string | undefined;
  let said = '';
  let probe: Exchange | undefined;
  let of: string | undefined;

  async function look(now: Session): Promise<void> {
    of = now.accessToken;
    try {
      const [first, second, scopes] = await Promise.all([
        inspect(now.accessToken, { issuer: now.issuer, audience: BASE, type: 'access' }),
        now.idToken
          ? inspect(
              now.idToken,
              { issuer: now.issuer, audience: CLIENT_ID, type: 'id' },
              now.generation === 0 ? now.nonce : undefined,
            )
          : undefined,
        engine('scopes', [...new Set(`${now.requested} ${now.scope}`.split(/\s+/))].join(' '), now.patient),
      ]);
      [access, identity, lines, problem] = [first, second, scopes.value.lines, undefined];
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    redraw();
  }
  if (session.value) void look(session.value);
  const unwatch = session.watch((now) => {
    if (now && now.accessToken !== of) void look(now);
  });
  const timer = setInterval(redraw, 1000);

  const act = (run: () => Promise<string>) => async (): Promise<void> => {
    said = '…';
    redraw();
    try {
      said = await run();
    } catch (error) {
      said = error instanceof Error ? error.message : String(error);
    }
    redraw();
  };

  const tokenView = (
    title: string,
    id: string,
    token: string,
    found: Inspected | undefined,
  ): TemplateResult => html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>
    ${
      found === undefined
        ? waiting('its checks')
        : html`
      <ul class="steps" role="list">${found.checks.map(
        ({ check, ok, says }) =>
          html`<li data-ok=${ok}><span class="mark"
            aria-hidden="true">${ok ? '✓' : '✗'}</span><span><strong>${check}</strong><span
              class="visually-hidden">${ok ? ' passed' : ' failed'}</span> ${says}</span></li>`,
      )}</ul>
      <div class="table-frame" tabindex="0" role="region" aria-label=${`Claims of the ${title.toLowerCase()}`}>
        <table class="plain"><caption>Claims</caption><thead><tr><th scope="col">Claim</th>
          <th scope="col">Value</th></tr></thead>
      <tbody>${Object.entries(found.claims).map(
        ([name, value]) =>
          html`<tr><th scope="row"><code>${name}</code></th><td class="breakable"><code>${
            typeof value === 'string' ? value : JSON.stringify(value)
          }</code>${TIMES.has(name) ? html` <span class="aside">${clock(value)}</span>` : nothing}</td></tr>`,
      )}</tbody></table></div>
      <p class="actions">${copyButton(() => token, title.toLowerCase())}</p>
      <details class="folded"><summary>Header</summary>${block(
        JSON.stringify(found.header, null, 2),
        'Header',
      )}</details>`
    }</section>`;

  const scopeTable = (now: Session): TemplateResult => {
    const [requested, granted] = [now.requested, now.scope].map((text) => text.split(/\s+/).filter(Boolean)) as [
      string[],
      string[],
    ];
    const all = [...new Set([...requested, ...granted])];
    const yes = (is: boolean): TemplateResult =>
      html`<td>${
        is
          ? html`<span class="good" aria-hidden="true">✓</span><span class="visually-hidden">yes</span>`
          : html`<span class="visually-hidden">no</span>`
      }</td>`;
    return html`<div class="table-frame" tabindex="0" role="region" aria-label="Scopes of this session">
      <table class="plain"><caption>Asked for, granted, denied</caption>
      <thead><tr><th scope="col">Scope</th><th scope="col">Asked</th><th scope="col">Granted</th>
        <th scope="col">Denied</th><th scope="col">In words</th></tr></thead>
      <tbody>${all.map(
        (scope) => html`<tr data-tone=${
          granted.includes(scope) ? 'plain' : 'quiet'
        }><th scope="row"><code>${scope}</code></th>${yes(requested.includes(scope))}${yes(granted.includes(scope))}
        <td>${
          granted.includes(scope)
            ? html`<span class="visually-hidden">no</span>`
            : html`<span class="tag">Denied</span>`
        }</td><td class="wide">${lines.find((line) => line.scope === scope)?.says ?? ''}</td></tr>`,
      )}</tbody></table></div>
      <p><a href=${`/#/scopes?${new URLSearchParams({ s: now.scope, ...(now.patient ? { p: now.patient } : {}) })}`}>See
        what they open, type by type</a></p>`;
  };

  const spoiled = (token: string): string => {
    const at = token.length - 10;
    return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
  };
  const probes = (now: Session): [string, string, Record<string, string>][] => [
    ['No token', 'Observation?_count=1', {}],
    ['A changed signature', 'Observation?_count=1', { Authorization: `Bearer ${spoiled(now.accessToken)}` }],
    [
      'Somebody else’s patient',
      `Observation?patient=${now.patient === 'walter-lindqvist' ? 'dana-begay' : 'walter-lindqvist'}`,
      { Authorization: `Bearer ${now.accessToken}` },
    ],
    ['A type that no scope opens', 'Coverage?patient=amara-okafor', { Authorization: `Bearer ${now.accessToken}` }],
    ['An id that is not ours to see', 'Observation/walter-no-such', { Authorization: `Bearer ${now.accessToken}` }],
  ];

  const left = (now: Session): string => {
    const seconds = Math.round((now.expiresAt - Date.now()) / 1000);
    return seconds > 0 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left` : 'expired';
  };

  return {
    title: 'Session',
    leave: () => {
      clearInterval(timer);
      unwatch();
    },
    body: () => {
      const now = session.value;
      if (!now)
        return html`<h1 tabindex="-1">Session</h1><p class="lead">Nobody is signed in. After a launch, this page shows
          the tokens, checks each of them in this browser, and says what was granted.</p>
        <p class="actions"><a class="button primary" href="/#/launch/patient">Launch as a patient</a>
          <a class="button" href="/#/launch/practitioner">Launch as a practitioner</a>
            <a class="button" href="/#/ehr">EHR simulator</a></p>`;
      return html`<h1 tabindex="-1">Session</h1>
        <dl class="facts">
          <div><dt>Launched</dt><dd>${{ patient: 'standalone, as a patient', practitioner: 'standalone, as a practitioner', ehr: 'from the EHR' }[now.launch]}</dd></div>
          <div><dt>Patient</dt><dd>${
            now.patient ? html`<a href=${startOf(now.patient)}>${now.patient}</a>` : 'none in context'
          }</dd></div>
          <div><dt>Who signed in</dt><dd>${now.fhirUser?.replace(`${BASE}/`, '') ?? 'not shared'}</dd></div>
          <div><dt>Access token</dt><dd class="number">${left(now)}</dd></div>
          <div><dt>Refreshed</dt><dd>${
            now.generation === 0 ? 'not yet' : `${now.generation} ${now.generation === 1 ? 'time' : 'times'}`
          }</dd></div>
        </dl>
        <p class="actions"><button type="button" ?disabled=${!now.refreshToken} @click=${act(async () =>
          (await refresh()) ? 'New tokens came; the old refresh token is spent.' : 'It was refused.',
        )}>Refresh</button>
          <button type="button" @click=${act(
            async () =>
              `The server answered ${await revoke(now.accessToken)}. The next request is refused, and so is the refresh: the whole grant has ended.`,
          )}>Revoke the access token</button>
          <button type="button" @click=${() => void logOut()}>Log out</button></p>
        <p role="status" class="aside">${said}</p>
        ${
          now.refreshToken
            ? nothing
            : html`<p class="aside">There is no refresh token: <code>offline_access</code> was not granted.</p>`
        }
        ${problem ? failed(undefined, problem) : nothing}
        <section aria-labelledby="granted"><h2 id="granted">Scopes</h2>${scopeTable(now)}</section>
        <div class="pair">${tokenView('Access token', 'access', now.accessToken, access)}
        ${now.idToken ? tokenView('Identity token', 'identity', now.idToken, identity) : nothing}</div>
        <section aria-labelledby="tamper"><h2 id="tamper">Try to get more</h2>
          <p>Each button asks the real server for what it must refuse.</p>
          <p class="actions">${probes(now).map(
            ([name, path, headers]) =>
              html`<button type="button" class="quiet" @click=${async () => {
                probe = await exchange(`${BASE}/${path}`, { headers });
                redraw();
              }}>${name}</button>`,
          )}</p>
          ${probe ? exchangeView(probe, true) : nothing}</section>
        <section aria-labelledby="response"><h2 id="response">Token response</h2>${block(
          JSON.stringify(
            {
              ...now.response,
              access_token: `${now.accessToken.slice(0, 24)}…`,
              ...(now.refreshToken ? { refresh_token: `${now.refreshToken.slice(0, 6)}…` } : {}),
              ...(now.idToken ? { id_token: `${now.idToken.slice(0, 24)}…` } : {}),
            },
            null,
            2,
          ),
          'Token response as JSON',
        )}
          <p class="aside">To ask who holds a token, a resource server uses introspection, with a secret of its own:
            <code>curl -u introspector:$SECRET $ISSUER/oauth/introspect -d token=$TOKEN</code>. An app in a browser has
              no secret.</p></section>`;
    },
  };
};
