//! Draws the page, and restores the scroll position after Back.

import { render } from 'lit-html';
import { keepDrawn } from '../drawing.ts';
import { inNextFrame } from '../scheduling.ts';
import { restoreScroll, watchScroll } from '../scroll.ts';
import { returnedFromLogOut } from '../smart/log-out.ts';
import { ShellModel } from './model.ts';
import { page } from './page.ts';

export function openShell(host: HTMLElement): void {
  const model = new ShellModel();
  const draw = (): void => {
    render(page(model), host);
    const { title } = model;
    const name = title === 'edgechart' ? title : `${title} · edgechart`;
    // Writing the same text would still invalidate the page.
    if (title && document.title !== name) document.title = name;
    restoreScroll();
  };
  addEventListener('click', ({ target }) => {
    const inHeader = target instanceof Element && target.closest('header.top');
    if (!inHeader) model.menuOpen.value = false;
  });
  host.replaceChildren();
  watchScroll();
  if (returnedFromLogOut()) history.replaceState(history.state, '', '/#/signed-out');
  inNextFrame(() => keepDrawn(draw));
  void model.arrive();
}
