//! The page of a guide: its sections, which can be linked to, with code that can be copied.

import { signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { own } from '#reading/own.ts';
import { errorText } from '../../error-text.ts';
import { t, words } from '../../language/message.ts';
import { coloured } from '../../parts/coloured.ts';
import { copyButton } from '../../parts/copy.ts';
import { type DrawnPart, HeadingPosition } from '../../parts/heading-position.ts';
import { failed, waiting } from '../../parts/notice.ts';
import type { Route } from '../../routes.ts';
import { onceDrawn } from '../../scheduling.ts';
import type { View } from '../../view.ts';
import { unknown } from '../unknown.ts';
import { guideUrl } from './guide-address.ts';
import { fetchGuide, type Guide, type GuideSection, sectionContent } from './guide-text.ts';
import { inEnglish } from './guides-language.ts';

/** The most columns of a table whose rows become blocks on a narrow page. */
const MAX_STACKED = 3;

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
  const position = new GuidePosition(() => sections.value ?? []);
  return {
    title: file.title,
    titleLanguage: 'en',
    leave: () => position.stop(),
    body: () => {
      const [shown, says] = [sections.value, problem.value];
      return html`<p class="aside"><a href="/#/guides">${t('All guides')}</a></p>
        <h1 tabindex="-1" lang="en">${file.title}</h1>${inEnglish()}
        ${says ? failed(undefined, says) : shown ? article(name, shown, position) : waiting(t('the guide'))}`;
    },
  };
}

/** The time for which a section is kept in view while the page is still laid out, in milliseconds. */
const SETTLING = 3_000;

/**
 * Scrolls to a section, and gives its heading the focus. Fonts and tables that load later move the section, so the page
 * is scrolled again, until the reader scrolls or types.
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
  /** Returns a unique name for a part of a section. */
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

/** Puts a table into a frame that scrolls by itself, also by keyboard. */
function inFrame(table: HTMLTableElement, name: string): void {
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  frame.classList.toggle('stacked', (table.rows[0]?.cells.length ?? 0) <= MAX_STACKED);
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
  const text = code.textContent ?? '';
  const inside = code.querySelector('code') ?? code;
  inside.textContent = '';
  render(coloured(text), inside);
  makeReachable(code, name);
  const place = document.createElement('p');
  place.className = 'copy';
  place.lang = words().language;
  render(
    copyButton(() => text.trim(), t('the code')),
    place,
  );
  code.after(place);
}

/** Returns the sections that are listed beside a guide. */
const listedOf = (sections: readonly ShownSection[]): ShownSection[] =>
  sections.filter(({ level, id }) => level === 2 && id);

/** Follows the section of a guide that is read. */
class GuidePosition extends HeadingPosition {
  readonly #sections: () => readonly ShownSection[];

  constructor(sections: () => readonly ShownSection[]) {
    super('');
    this.#sections = sections;
  }

  protected override headingOf(id: string): HTMLElement | null {
    return document.getElementById(id);
  }

  protected override drawn(): DrawnPart[] {
    return listedOf(this.#sections()).flatMap(({ id }) => {
      const top = this.headingOf(id)?.getBoundingClientRect().top;
      return top === undefined ? [] : [{ name: id, top }];
    });
  }

  /** Scrolls the list of sections to the current one. */
  protected override showCurrent(): void {
    const list = document.querySelector<HTMLElement>('nav.guide-sections');
    const entry = list?.querySelector<HTMLElement>('[aria-current]');
    if (!list || !entry) return;
    const [{ top }, { top: from }] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += top - from - list.clientHeight / 2;
  }
}

function article(name: string, sections: readonly ShownSection[], position: GuidePosition): TemplateResult {
  position.update();
  return html`<div class="guide">
    <nav class="guide-sections" aria-label=${t('Sections')} lang="en"><ul role="list">${listedOf(sections).map(
      ({ id, title }) =>
        html`<li><a href=${guideUrl(name, id)} aria-current=${
          position.current.value === id ? 'location' : nothing
        }>${title}</a></li>`,
    )}</ul></nav>
    <article lang="en">${sections.map((one) => sectionView(name, one))}</article></div>`;
}

const sectionView = (name: string, { id, title, level, content }: ShownSection): TemplateResult =>
  html`<section>${id ? heading(name, id, title, level) : nothing}${content}</section>`;

function heading(name: string, id: string, title: string, level: number): TemplateResult {
  const anchor = html`<a class="anchor" lang=${words().language} href=${guideUrl(name, id)} aria-label=${t(
    'Link to this section',
  )}>#</a>`;
  return level === 2
    ? html`<h2 id=${id} tabindex="-1">${title} ${anchor}</h2>`
    : html`<h3 id=${id} tabindex="-1">${title} ${anchor}</h3>`;
}
