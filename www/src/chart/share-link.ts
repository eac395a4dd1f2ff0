//! Sharing the patient summary by a SMART Health Link: what it holds, how long it opens, and its QR code.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import encodeQR from 'qr';
import { printed } from '#reading/fhir/json.ts';
import { checked, object, string } from '#reading/shape.ts';
import { SECTIONS } from '#reading/summary/patient-summary.ts';
import { setWhenDone } from '../drawing.ts';
import { errorText } from '../error-text.ts';
import { rich, t, words } from '../language/message.ts';
import { copyButton } from '../parts/copy.ts';
import { withFields } from '../parts/form.ts';
import { problemNotice } from '../parts/notice.ts';
import { discover } from '../smart/discovery.ts';
import { encrypted, linkText } from '../smart/health-link.ts';
import { bearer } from '../smart/refresh.ts';
import { ORIGIN, other } from '../smart/server.ts';
import { appsUrl } from '../smart/server-pages.ts';
import { session } from '../smart/session.ts';

type Summary = (leftOut: string[]) => object;
type Made = Record<'link' | 'holds' | 'until', string>;

/** The part of the drawer that makes a link. It is kept while the drawer is open. */
export class ShareLink {
  readonly #endpoint = signal<string | undefined>(undefined);
  readonly #state = signal<{ made?: Made; problem?: string; isBusy?: boolean }>({});
  readonly #passcode = `${crypto.getRandomValues(new Uint32Array(1))[0] ?? 0}`.padStart(8, '0').slice(-8);

  constructor() {
    if (other || !session.value?.patient) return;
    setWhenDone(
      this.#endpoint,
      discover().then((found) => found.health_links_endpoint),
    );
  }

  view(summary: Summary): TemplateResult | typeof nothing {
    if (!this.#endpoint.value) return nothing;
    const { made } = this.#state.value;
    return html`<h3>${t('A link for somebody else')}</h3>${made ? madeView(made) : this.#form(summary)}`;
  }

  #form(summary: Summary): TemplateResult {
    const { problem, isBusy = false } = this.#state.value;
    const whole = printed(summary([]));
    const sections = SECTIONS.filter(({ code }) => whole.includes(`"${code}"`));
    return html`<p class="save-chart-words">${t(
      'Whoever has the link, and the passcode, sees this summary as it is now, without signing in.',
    )} ${t('It is encrypted here: the server cannot read it.')}</p>
    <form @submit=${withFields((fields) => this.#make(fields, sections, summary))}>
      <fieldset class="scopes"><legend>${t('What it holds')}</legend><ul role="list">${sections.map(
        ({ code, title }) => html`<li class="choice"><label><input type="checkbox" name="section" value=${code} checked>
          <span>${t(title)}</span></label></li>`,
      )}</ul></fieldset>
      <div class="fields">
        <p class="field"><label for="link-label">${t('Name, without people’s names')}</label><input
          id="link-label" name="label" required maxlength="80" value=${t('Patient summary')}></p>
        <p class="field"><label for="link-days">${t('Days for which it opens')}</label><input id="link-days"
          name="days" type="number" required min="1" max="29" value="7"></p>
        <p class="field"><label for="link-passcode">${t('Passcode, at least 6 characters')}</label><input
          id="link-passcode" name="passcode" minlength="6" maxlength="64" autocomplete="off"
          value=${this.#passcode}></p>
      </div>
      <p class="save-chart-words">${t(
        'Tell the passcode by another way than the link. If it is left empty, the link alone opens the summary.',
      )}</p>
      ${problemNotice(problem)}
      <p class="actions"><button class="primary" ?disabled=${isBusy}>${t('Make the link')}</button></p>
    </form>`;
  }

  async #make(form: FormData, sections: typeof SECTIONS, summary: Summary): Promise<void> {
    const text = (name: string): string => `${form.get(name) ?? ''}`.trim();
    const isChosen = ({ code }: { code: string }): boolean => form.getAll('section').includes(code);
    const leftOut = sections.filter((one) => !isChosen(one)).map(({ code }) => code);
    // The blanks of a passcode belong to it: it never becomes a link without one.
    const [label, passcode] = [text('label'), `${form.get('passcode') ?? ''}`];
    const exp = Math.floor(Date.now() / 1_000) + Number(text('days')) * 86_400;
    const flag = passcode ? 'P' : 'U';
    this.#state.value = { isBusy: true };
    try {
      const { file, key } = await encrypted(printed(summary(leftOut)));
      // The request is not logged, since it has the passcode.
      const answer = await fetch(this.#endpoint.value ?? '', {
        method: 'POST',
        credentials: 'omit',
        headers: { Authorization: `Bearer ${await bearer()}` },
        body: JSON.stringify({ flag, exp, label, file, ...(passcode && { passcode }) }),
      });
      if (!answer.ok) throw new Error(t('The server answered {status}.', { status: answer.status }));
      const { url } = checked(object({ url: string }), await answer.json(), 'the answer');
      const link = `${ORIGIN}/link.html#${linkText({ url, key, exp, flag, label })}`;
      const holds = words().listed(sections.filter(isChosen).map(({ title }) => t(title)));
      const until = new Date(exp * 1_000).toLocaleString(words().locale, { dateStyle: 'medium', timeStyle: 'short' });
      this.#state.value = { made: { link, until, holds } };
    } catch (error) {
      this.#state.value = { problem: errorText(error) };
    }
  }
}

const madeView = ({ link, holds, until }: Made): TemplateResult =>
  html`<p role="status">${t('It opens until {until}. It holds: {sections}.', { until, sections: holds })}</p>
    ${qrCode(link)}
    <p class="actions"><a class="button" href=${link} target="_blank" rel="noreferrer">${t('Open the link')}</a>
      ${copyButton(() => link, t('link'))}</p>
    <p class="save-chart-words">${rich('It is shown only now. To end it earlier: {page}', {
      page: html`<a href=${appsUrl() ?? ''}>${t('What apps may do, at the server')}</a>`,
    })}</p>`;

/** Draws the QR code of a text, dark on light in each theme. */
function qrCode(text: string): TemplateResult {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return html`<svg class="qr" role="img" aria-label=${t('QR code of the link')} shape-rendering="crispEdges"
    viewBox=${`0 0 ${rows.length} ${rows.length}`}><path d=${dark.join('')}></path></svg>`;
}
