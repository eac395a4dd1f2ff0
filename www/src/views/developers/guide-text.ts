//! The texts of guides, which are fetched on demand, searched by words, and sanitized.

import DOMPurify from 'dompurify';
import { own } from '#reading/own.ts';
import { checked, list, number, object, type ShapeValue, string } from '#reading/shape.ts';
import { firstAt, wordsFor } from '../../search/words.ts';

const section = object({ id: string, title: string, level: number, html: string });
const guide = object({ name: string, title: string, sections: list(section) });
export type GuideSection = ShapeValue<typeof section>;
export type Guide = ShapeValue<typeof guide>;

/** Fetches a guide. Rejects if the answer is not a guide. */
export async function fetchGuide(url: string): Promise<Guide> {
  const answer = await fetch(url);
  const body: unknown = await answer.json();
  return checked(guide, body, 'the guide');
}

const TAGS = [
  ...['p', 'a', 'br', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'hr'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

/** Returns the content of a section, sanitized by DOMPurify, as narratives are. */
export function sectionContent(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'rel', 'start', 'align'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns the text of HTML from the build, without its tags. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => own(ENTITIES, name) ?? all)
    .replace(/\s+/g, ' ')
    .trim();

export interface GuideHit {
  guide: string;
  /** The title of the guide. */
  title: string;
  section: string;
  heading: string;
  /** The text around the first word that was found. */
  text: string;
}

/** The number of characters that are shown on each side of a match. */
const AROUND = 120;
/** The most hits that a search lists. */
export const MAX_HITS = 40;

/** The ranks of a word in a title, for the guide itself; in a heading; and in a title, for the guide's sections. */
const [OF_THE_GUIDE, OF_THE_HEADING, OF_THE_TITLE] = [3, 2, 1];

/**
 * Returns the sections that have all words of a query. Guides with the words in their titles come first, then sections
 * with the words in their headings. A word matches any word that begins with it.
 */
export function searchGuides(guides: readonly Guide[], query: string): GuideHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const wanted = words.map(wordsFor);
  const hits: { rank: number; hit: GuideHit }[] = [];
  for (const { name, title, sections } of guides) {
    for (const { id, title: heading, html } of sections) {
      const text = textOfHtml(html);
      const [inTitle, inHeading, inText] = [title, heading, text].map((one) => one.toLowerCase()) as [
        string,
        string,
        string,
      ];
      const ranks = wanted.map((any) => {
        if (firstAt(inTitle, any) >= 0) return heading === '' ? OF_THE_GUIDE : OF_THE_TITLE;
        if (firstAt(inHeading, any) >= 0) return OF_THE_HEADING;
        return firstAt(inText, any) >= 0 ? 0 : undefined;
      });
      if (ranks.includes(undefined)) continue;
      const rank = ranks.reduce<number>((sum, one) => sum + (one ?? 0), 0);
      const at = Math.max(0, firstAt(inText, wanted[0] ?? []));
      hits.push({ rank, hit: { guide: name, title, section: id, heading, text: around(text, at) } });
    }
  }
  return hits.sort((a, b) => b.rank - a.rank).map(({ hit }) => hit);
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - AROUND);
  const until = Math.min(text.length, at + AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, until)}${until < text.length ? '…' : ''}`;
}
