//! The shell draws the page whenever its state changes, and restores the scroll position after Back.

import { render } from 'lit-html';
import { oncePerFrame } from '../scheduling.ts';
import { restoreScroll, watchScroll } from '../scroll.ts';
import { returnedFromLogOut } from '../smart/log-out.ts';
import { ShellModel } from './model.ts';
import { page } from './page.ts';

export function openShell(host: HTMLElement): void {
  const draw = oncePerFrame(() => {
    render(page(model, draw), host);
    const { title } = model;
    if (title) nameDocument(title === 'edgechart' ? title : `${title} · edgechart`);
    restoreScroll();
  });
  const model = new ShellModel(draw);
  addEventListener('click', ({ target }) => {
    const inHeader = target instanceof Element && target.closest('header.top');
    if (model.menuOpen && !inHeader) model.openMenu(false);
  });
  host.replaceChildren();
  watchScroll();
  if (returnedFromLogOut()) history.replaceState(history.state, '', '/#/signed-out');
  draw();
  void model.arrive();
}

/** Sets the title of the document where it has changed: to write it dirties the page even with the same text. */
function nameDocument(title: string): void {
  if (document.title !== title) document.title = title;
}
