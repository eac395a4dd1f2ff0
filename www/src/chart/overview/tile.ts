//! A tile of the overview, as data.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ResourceOf, ResourceType } from '#reading/fhir/types.ts';
import type { PlainMessage } from '../../language/message.ts';
import type { LinkTarget } from '../record-link.ts';
import type { Section } from '../section.ts';
import type { ChartStore } from '../store.ts';

/** A tile: its heading leads to a section. */
export interface Tile {
  id: string;
  title: PlainMessage;
  /** The sections with its records; it leads to the first. */
  sections: [Section, ...Section[]];
  /** The searches for them. The first decides whether there is anything to show. */
  queries: [string, ...string[]];
  /** The most entries, if there are more to unfold. */
  most?: number;
  /** The words for an empty tile. */
  nothing(): string;
  entries(found: FindResources): Entry[];
  /** The number in the heading, where it is not that of the entries, which were made before. */
  count?(): number;
  /** True if more may come, for which it keeps room. */
  hasRoom?: boolean;
  /** True if the names of the entries that are folded stand beside their number. */
  hasNames?: boolean;
  /** The order of the entries, where it is not by date alone. They were made before. */
  order?(): string | undefined;
  /** A line below the entries, which were made before. */
  foot?(store: ChartStore): TemplateResult | undefined;
}

/** An entry of a tile. */
export interface Entry {
  content: TemplateResult;
  /** The record, or the trend. Without one the entry leads to the section of its tile. */
  to: LinkTarget | undefined;
  /** The name in words, where the title is a name. */
  name?: string;
}

/** The resources of a type that the searches of the overview have found. */
export type FindResources = <T extends ResourceType>(type: T, query: string) => ResourceOf<T>[];

export const entry = (title: unknown, aside: unknown, more: unknown = nothing, to?: LinkTarget): Entry => ({
  content: html`<span class="entry-title">${title}</span> ${more} <span class="entry-aside">${aside}</span>`,
  to,
  ...(typeof title === 'string' ? { name: title } : {}),
});
