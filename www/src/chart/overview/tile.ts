//! A tile of the overview, as data.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { PlainMessage } from '../../language/message.ts';
import type { LinkTarget } from '../record/record-link.ts';
import type { Section } from '../section/section.ts';

/** A tile. Its heading links to a section. */
export interface Tile {
  id: string;
  title: PlainMessage;
  /** The sections with the records of the tile. The heading links to the first. */
  sections: [Section, ...Section[]];
  /** The searches for the records. The first decides what an empty tile says. */
  queries: [string, ...string[]];
  /** The most entries that are not folded. */
  most?: number;
  /** Returns the words for an empty tile. A tile without them is left out while it is empty. */
  nothing?(): string;
  /** Returns entries with values below the words for an empty tile. They do not count. Called after `entries`. */
  instead?(): Entry[];
  entries(): Entry[];
  /** Returns the number in the heading, if it is not that of the entries. Called after `entries`. */
  count?(): number;
  /** The usual height of an entry in lines, if most entries have more than one. */
  linesPerEntry?: number | undefined;
  /** Set if the entries have values: they stand beside the names if they are short, or else below. */
  values?: 'beside' | 'below';
  /** True if the tile stands across all columns. */
  isWide?: boolean;
  /** True if the names of folded entries are shown beside their number. */
  hasNames?: boolean;
  /** Returns the order of the entries in words, if it is not by date alone. Called after `entries`. */
  order?(): string | undefined;
  /** Returns a line below the entries. Called after `entries`. */
  foot?(): TemplateResult | undefined;
}

export interface Entry {
  content: TemplateResult;
  /** The record or the trend that the entry links to, or a section; without it, the section of its tile. */
  to: LinkTarget | { section: string } | undefined;
  /** The name as text, if the title is text. */
  name?: string;
}

export const entry = (title: unknown, aside: unknown, more: unknown = nothing, to?: Entry['to']): Entry => ({
  content: html`<span class="entry-title">${title}</span> ${more} <span class="entry-aside">${aside}</span>`,
  to,
  ...(typeof title === 'string' ? { name: title } : {}),
});
