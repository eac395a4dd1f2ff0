//! The page that tells the user what this app may access: who signed in, whose records are read, what was allowed and
//! refused, until when, and how to end the access.

import { html, nothing, type TemplateResult } from 'lit-html';
import { typesOf } from '#reading/fhir/other-types.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { SECTIONS } from '../chart/sections.ts';
import { Clock } from '../drawing.ts';
import { rich, t, words } from '../language/message.ts';
import { fact } from '../parts/fact.ts';
import { SESSION_URL, sessionStartUrl } from '../routes.ts';
import { logOut } from '../smart/log-out.ts';
import { type AllowedTypes, allowedTypes } from '../smart/scopes.ts';
import { appsUrl } from '../smart/server-pages.ts';
import { type Session, session } from '../smart/session.ts';
import { userName } from '../source/user.ts';
import { headed, type OpenView } from '../view.ts';
import { appsLink, launchAgainUrl } from './signed-out.ts';

/** The interval at which the remaining time is updated, in milliseconds. */
const OFTEN = 15_000;

export const access: OpenView = () => {
  const clock = new Clock(OFTEN);
  return headed('Your access', () => (session.value ? details(session.value, clock.now) : nobody()), {
    leave: () => clock.stop(),
  });
};

const nobody = (): TemplateResult =>
  html`<p class="lead">${t('Nobody is signed in.')}</p>
    <p class="actions"><a class="button primary" href=${launchAgainUrl()}>${t('Sign in')}</a>${appsLink()}</p>`;

/** Returns the areas of the chart that show a type, or the name of the type if no area shows it. */
function areasOf(type: string): string[] {
  const sections = SECTIONS.filter(({ queries }) => queries.some((query) => typesOf(query).includes(type)));
  return sections.length > 0 ? sections.map(({ title }) => t(title)) : [typeWords(words(), type)];
}

/** Returns the areas of the chart by what a session may read. An area whose types differ in this is in `part`. */
function allowedAreas(now: Session): AllowedTypes {
  const types = allowedTypes(now);
  const states = new Map<string, Set<keyof AllowedTypes>>();
  for (const state of ['whole', 'part', 'not'] as const) {
    for (const area of types[state].flatMap(areasOf)) states.set(area, (states.get(area) ?? new Set()).add(state));
  }
  const found: AllowedTypes = { whole: [], part: [], not: [] };
  for (const [area, [first = 'not', ...others]] of states) found[others.length > 0 ? 'part' : first].push(area);
  return found;
}

function details(now: Session, time: number): TemplateResult {
  const { whole, part, not } = allowedAreas(now);
  const url = appsUrl();
  const records = now.patient ? t('Open the chart') : t('Patients you may see');
  return html`<p class="lead">${t('This app may read health records. It cannot change anything in them.')}</p>
    <dl class="facts">
      ${fact(t('Who signed in'), userName.value ?? t('not shared'))}
      ${fact(t('Whose records'), html`<a href=${sessionStartUrl(now.patient)}>${records}</a>`)}
      ${fact(t('Until when'), untilText(now, time))}
    </dl>
    <section aria-labelledby="allowed"><h2 id="allowed">${t('What was allowed')}</h2>
      ${whole.length > 0 ? html`<p>${words().listed(whole)}.</p>` : html`<p>${t('No kind of record as a whole.')}</p>`}
      ${part.length > 0 ? html`<p>${t('Only a part of: {types}.', { types: words().listed(part) })}</p>` : nothing}
      ${
        not.length > 0
          ? html`<p>${t('Left out when access was given: {types}.', { types: words().listed(not) })}</p>`
          : nothing
      }
    </section>
    <section aria-labelledby="ending"><h2 id="ending">${t('To end it')}</h2>
      <p>${t('Log out ends the access of this app, on this device and at the server.')}${
        url ? html` ${t('At the server you also see other apps, and withdraw what they may do.')}` : nothing
      }</p>
      <p class="actions"><button type="button" class="primary" @click=${() => logOut()}>${t(
        'Log out',
      )}</button>${appsLink()}</p>
    </section>
    <section aria-labelledby="for-developers"><h2 id="for-developers">${t('For developers')}</h2>
      <p>${rich('{session}: tokens, scopes, and requests that the server must refuse.', {
        session: html`<a href=${SESSION_URL}>${t('Session')}</a>`,
      })}</p></section>`;
}

/** Returns the time until which the access lasts, in words. */
function untilText({ refreshToken, expiresAt }: Session, time: number): string {
  if (refreshToken) return t('Until you log out, or withdraw it at the server');
  const minutes = Math.max(0, Math.ceil((expiresAt - time) / 60_000));
  return t('{n} minute more|{n} minutes more', { n: minutes });
}
