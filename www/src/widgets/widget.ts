//! A widget: what a host shows of one result, and of the results that its reader asks for. What no view can draw is
//! words.

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ENGLISH, Words } from '#reading/language/words.ts';
import { isObject, isShaped, itemsOf, type Shape } from '#reading/shape.ts';
import { spanishWords } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { t } from '../language/message.ts';
import { Host, type Json } from './host.ts';

/** What a view may do. */
export interface Page {
  asked: Json;
  /** Calls a tool, if the host can. The result replaces this one, or is drawn over it with a way back. */
  ask?: ((tool: string, asked: Json, place: 'here' | 'over') => void) | undefined;
  /** Opens an address, if the host can. */
  open?: ((url: string) => void) | undefined;
  draw(): void;
}

/** Returns the drawing of a result; nothing if it has another shape. */
export type View = (told: unknown, page: Page) => TemplateResult | undefined;

export const viewOf =
  <T>(shape: Shape<T>, draw: (told: T, page: Page) => TemplateResult): View =>
  (told, page) =>
    isShaped(shape, told) ? draw(told, page) : undefined;

interface Shown {
  tool: string;
  asked: Json;
  result: Json;
  /** The button that led here. */
  from?: HTMLElement | undefined;
}

/** The names of our colours, and those of a host. Others stay ours, since signs need their contrast. */
const COLOURS = {
  '--paper': '--color-background-primary',
  '--sheet': '--color-background-primary',
  '--ink': '--color-text-primary',
  '--ink-soft': '--color-text-secondary',
  '--line': '--color-border-primary',
} as const;

/** Takes the theme, the language and the colours of the host. */
function settle({ theme, locale, styles }: Json): void {
  const { documentElement: root } = document;
  root.dataset.theme = theme === 'dark' || theme === 'light' ? theme : '';
  const variables = isObject(styles) && isObject(styles.variables) ? styles.variables : {};
  for (const [ours, theirs] of Object.entries(COLOURS)) {
    // What is computed of a colour is a colour, and no address that a background would load.
    root.style.color = String(variables[theirs] ?? '');
    if (root.style.color !== '') root.style.setProperty(ours, getComputedStyle(root).color);
  }
  root.style.color = '';
  const font = variables['--font-sans'];
  if (typeof font === 'string') root.style.setProperty('--text', font);
  const tag = typeof locale === 'string' && /^(?:en|es)(?:-[A-Za-z0-9]{2,8})*$/.test(locale) ? locale : ENGLISH.locale;
  root.lang = tag.slice(0, 2);
  const catalogue = root.lang === 'es' ? spanishWords : undefined;
  pageLanguage.value = new Words({ language: root.lang, locale: tag, catalogue });
}

const wordsOf = ({ content }: Json): string =>
  itemsOf(content)
    .flatMap((one) => (isObject(one) && typeof one.text === 'string' ? one.text : []))
    .join('\n');

/** Connects a widget whose host has called `tool`. `views` draw the results of tools. */
export function start(tool: string, views: Readonly<Record<string, View>>): void {
  let input: Json = {};
  let shown: Shown[] = [];
  let isBusy = false;
  const host = new Host((method, params) => {
    if (method === 'ui/notifications/tool-input' && isObject(params.arguments)) input = params.arguments;
    if (method === 'ui/notifications/tool-result') shown = [{ tool, asked: input, result: params }];
    if (method === 'ui/notifications/tool-cancelled')
      shown = [{ tool, asked: input, result: failed(String(params.reason ?? '') || t('It was cancelled.')) }];
    settle(host.context);
    draw();
  });
  const failed = (text: string): Json => ({ isError: true, content: [{ text }] });

  const drawn = ({ tool: name, asked, result }: Shown): TemplateResult | undefined => {
    const page: Page = {
      asked,
      ask: host.abilities.serverTools ? ask : undefined,
      open: host.abilities.openLinks ? (url) => void host.request('ui/open-link', { url }).catch(() => {}) : undefined,
      draw,
    };
    return result.isError ? undefined : views[name]?.(result.structuredContent, page);
  };
  const back = (): TemplateResult =>
    html`<p><button type="button" class="quiet" @click=${goBack}>← ${t('Back')}</button></p>`;
  const instead = ({
    result,
  }: Shown): TemplateResult => html`<h1 tabindex="-1" class="visually-hidden">${t('Answer')}</h1>
    <p class="words" role="alert">${wordsOf(result) || t('There is nothing to draw.')}</p>`;

  function draw(): void {
    const waiting = html`<h1 class="visually-hidden">edgechart</h1><p>${t('Waiting for the answer')} …</p>`;
    // What is left stays as it is, hidden, until its reader comes back.
    const pages = shown.map(
      (one, i) =>
        html`<div class="page" ?hidden=${i < shown.length - 1}>${i > 0 ? back() : nothing}${
          drawn(one) ?? instead(one)
        }</div>`,
    );
    render(
      html`<main aria-busy=${isBusy}>${shown.length > 0 ? pages : waiting}</main>
        <p class="visually-hidden" role="status">${isBusy ? t('Waiting for the answer') : ''}</p>`,
      document.body,
    );
  }

  function goBack(): void {
    const from = shown.pop()?.from;
    draw();
    from?.focus();
  }

  async function ask(name: string, asked: Json, place: 'here' | 'over'): Promise<void> {
    if (isBusy) return;
    const top = shown.at(-1);
    const from = document.activeElement;
    isBusy = true;
    draw();
    const result = await host
      .request('tools/call', { name, arguments: asked })
      .catch((error: Error) => failed(error.message || t('The host did not answer.')));
    isBusy = false;
    if (shown.at(-1) !== top) return draw();
    const next = { tool: name, asked, result };
    const isOver = place === 'over' || drawn(next) === undefined;
    if (isOver) shown.push({ ...next, from: from instanceof HTMLElement ? from : undefined });
    else shown.splice(-1, 1, { ...next, from: top?.from });
    draw();
    if (isOver) document.querySelector<HTMLElement>('.page:last-child h1')?.focus();
  }

  draw();
  host
    .connect('edgechart')
    .catch((error: Error) => {
      shown = [{ tool, asked: input, result: failed(error.message) }];
    })
    .finally(() => {
      settle(host.context);
      draw();
    });
}
