//! The page of a guide: its sections, which can be linked to, with code that can be copied.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { errorText } from '../../error-text.ts';
import { language } from '../../language/language.ts';
import { t } from '../../language/message.ts';
import { own } from '../../own.ts';
import { copyFrom } from '../../parts/copy.ts';
import { failed, waiting } from '../../parts/notice.ts';
import { isStacked } from '../../parts/table-frame.ts';
import type { Route } from '../../routes.ts';
import { onceDrawn } from '../../scheduling.ts';
import type { View } from '../../view.ts';
import { unknown } from '../unknown.ts';
import { guideUrl } from './guide-address.ts';
import { fetchGuide, type Guide, type GuideSection, sectionContent } from './guide-text.ts';
import { inEnglish } from './guides-language.ts';

/** A section with its content as nodes, which are made once. */
interface ShownSection extends GuideSection {
  content: HTMLElement;
}

export function guidePage(route: Route, name: string, section: string | undefined): View {
  const file = own(GUIDE_FILES, name);
  if (!file) return unknown(route);
  const sections = signal<readonly ShownSection[] | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  fetchGuide(file.url).then(
    (guide) => {
      sections.value = shownSections(guide);
      if (section) onceDrawn(() => onceDrawn(() => openSection(section)));
    },
    (error: unknown) => {
      problem.value = errorText(error);
    },
  );
  return {
    title: file.title,
    body: () => {
      const [shown, says] = [sections.value, problem.value];
      return html`<p class="aside"><a href="/#/guides">${t('All guides')}</a></p>
        <h1 tabindex="-1" lang="en">${file.title}</h1>${inEnglish()}
        ${says ? failed(undefined, says) : shown ? article(name, shown) : waiting(t('the guide'))}`;
    },
  };
}

/** The time for which a section is kept in view while the page is still laid out, in milliseconds. */
const SETTLING = 3_000;

/**
 * Scrolls to a section, and gives its heading the focus. Fonts and tables that come later move it: it is scrolled to
 * again, unless the reader has moved.
 */
function openSection(id: string): void {
  const heading = document.getElementById(id);
  if (!heading) return;
  heading.focus({ preventScroll: true });
  const ended = new AbortController();
  const observer = new ResizeObserver(() => heading.scrollIntoView());
  ended.signal.addEventListener('abort', () => observer.disconnect());
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'hashchange'])
    addEventListener(kind, () => ended.abort(), { passive: true, signal: ended.signal });
  setTimeout(() => ended.abort(), SETTLING);
  observer.observe(heading.closest('.guide') ?? heading);
}

function shownSections({ title, sections }: Guide): ShownSection[] {
  const names = new Map<string, number>();
  /** A name for a part of a section that no other part has. */
  const nameIn = (section: GuideSection): string => {
    const name = section.title || title;
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count > 1 ? `${name} (${count})` : name;
  };
  return sections.map((one) => {
    const content = document.createElement('div');
    content.append(sectionContent(one.html));
    for (const table of content.querySelectorAll('table')) inFrame(table, nameIn(one));
    for (const code of content.querySelectorAll('pre')) withCopyButton(code, nameIn(one));
    return { ...one, content };
  });
}

/** Puts a table into a frame that scrolls by itself, and can be reached by keyboard to do so. */
function inFrame(table: HTMLTableElement, name: string): void {
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  frame.classList.toggle('stacked', isStacked(table.rows[0]?.cells.length ?? 0));
  table.before(frame);
  frame.append(table);
  table.className = 'plain';
  makeReachable(frame, name);
}

function makeReachable(element: HTMLElement, name: string): void {
  element.tabIndex = 0;
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', name);
}

function withCopyButton(code: HTMLElement, name: string): void {
  code.classList.add('code');
  makeReachable(code, name);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.lang = language();
  button.textContent = t('Copy {what}', { what: t('the code') });
  button.addEventListener('click', () => void copyFrom(button, code.textContent?.trim() ?? '', t('the code')));
  const notice = document.createElement('span');
  notice.className = 'copy-failed';
  notice.lang = language();
  notice.hidden = true;
  code.after(button, notice);
}

function article(name: string, sections: readonly ShownSection[]): TemplateResult {
  const listed = sections.filter(({ level, id }) => level === 2 && id);
  return html`<div class="guide">
    <nav aria-label=${t('Sections')} lang="en"><ul role="list">${listed.map(
      ({ id, title }) => html`<li><a href=${guideUrl(name, id)}>${title}</a></li>`,
    )}</ul></nav>
    <article lang="en">${sections.map((one) => sectionView(name, one))}</article></div>`;
}

const sectionView = (name: string, { id, title, level, content }: ShownSection): TemplateResult =>
  html`<section>${id ? heading(name, id, title, level) : nothing}${content}</section>`;

function heading(name: string, id: string, title: string, level: number): TemplateResult {
  const anchor = html`<a class="anchor" lang=${language()} href=${guideUrl(name, id)} aria-label=${t(
    'Link to this section',
  )}>#</a>`;
  return level === 2
    ? html`<h2 id=${id} tabindex="-1">${title} ${anchor}</h2>`
    : html`<h3 id=${id} tabindex="-1">${title} ${anchor}</h3>`;
}
