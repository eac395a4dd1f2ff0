//! The words of documents at a glance: in place of an empty list, and as a line of links below a list.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type DocumentSection, wordsOf } from '#reading/documents/composition.ts';
import { REST } from '#reading/documents/places.ts';
import { reasonText } from '#reading/documents/reasons.ts';
import { cautionOf } from '#reading/fhir/certainty.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { clipped } from '#reading/fhir/text.ts';
import { joinedBy } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import { t, words } from '../../language/message.ts';
import { instead } from '../../parts/form.ts';
import type { ChartStore } from '../loading/store.ts';
import { hasWords, isInWordsAlone, type PartOfDocument, wordsFor } from '../summary-document/documents.ts';
import { allergyAnswers } from '../summary-document/form-words.ts';
import { emptyList, type Listing, noneText } from './none.ts';
import type { Section } from './section.ts';

/** The most characters of a summary's words at a glance. Their section has all of them. */
const MAX_LENGTH = 240;
/** The most titles of sections that a line names. */
const MAX = 6;

/** The lists whose words always count. The words of others count only if their document sections list no records. */
const LISTS = ['allergies', 'problems', 'medications'];

function wordsAtGlance(id: string, isFirst: boolean, store: ChartStore): PartOfDocument[] {
  // The words of these lists say nothing about another subject, such as those on medications about what is due.
  if (LISTS.includes(id)) return isFirst ? wordsFor(id, store) : [];
  // Habits and functions are not results.
  if (id === 'screening' && !isFirst) return [];
  return wordsFor(id, store).filter(({ sections }) => sections.every(({ entries }) => entries.length === 0));
}

/** Returns the words of the sections of a document. If there are several, each follows its title. */
function saidIn({ sections }: PartOfDocument): string {
  const said = sections.map((one) => ({
    ...one,
    words: reasonText(words(), one.emptyReason) ?? wordsOf(words(), one.div ?? ''),
  }));
  const named = said.filter(({ words }) => words !== '');
  return named
    .map(({ title, about, words }) => {
      const name = named.length > 1 && title && clipped(title.replace(/\s*\(.*$/, ''), 60);
      return joinedBy(': ', about && t('About: {name}', { name: about }), name, words);
    })
    .join(' · ');
}

/** Words of the documents, and the section of the chart that has all of them. */
interface GlanceWords {
  says: string;
  place: string;
  /** True if the section has more words. */
  isCut: boolean;
}

/** Returns the words of the documents in place of an empty list, or nothing if they say nothing about it. */
export function glanceWords(sections: readonly Listing[], store: ChartStore, isWhole = true): GlanceWords | undefined {
  const [found] = sections.flatMap(({ id }, i) =>
    wordsAtGlance(id, i === 0, store)
      .slice(0, 1)
      .map((part) => ({ id, part })),
  );
  const [first] = sections;
  if (!found) {
    const answers = first?.id === 'allergies' ? allergyAnswers(store) : [];
    if (answers.length > 0)
      return {
        place: 'screening',
        says: t('no entry; on a form: {words}', { words: answers.join('; ') }),
        isCut: false,
      };
    const empty = isWhole && first ? emptyList(first.id, store) : undefined;
    if (empty && first) return { says: empty.says, place: first.id, isCut: false };
    const none = isWhole && sections.length === 1 && first ? noneText(first, store) : undefined;
    return none && first && { says: t(none), place: first.id, isCut: false };
  }
  const { id: place, part } = found;
  const said = joinedBy(' · ', cautionOf(words(), part.document.resource), saidIn(part));
  const date = shortDate(words(), part.document.date) || t('no date');
  const says = t('The summary of {date} says: {words}', { date, words: clipped(said, MAX_LENGTH) });
  const older = place === 'allergies' ? wordsFor(place, store).slice(1).map(saidIn) : [];
  const differs = older.some((one) => one !== '' && one !== saidIn(part));
  return {
    place,
    says: joinedBy(' · ', says, differs && t('an older document has other words: compare')),
    isCut: differs || said.length > MAX_LENGTH,
  };
}

/** Draws the words in place of an empty list, with a link to the rest. */
export const glanceView = ({ says, place, isCut }: GlanceWords, goTo: (section: string) => void): TemplateResult =>
  html`${says}${isCut ? html` ${linkTo(place, t('All of the words'), goTo)}` : nothing}`;

const linkTo = (place: string, text: unknown, goTo: (section: string) => void): TemplateResult =>
  html`<a href=${`#${place}`} @click=${instead(() => goTo(place))}>${text}</a>`;

/** Returns titles of the newest document's sections. Outside `LISTS`, only sections with words count. */
function titlesOf(place: string, store: ChartStore): string[] {
  const [newest] = wordsFor(place, store);
  const isTold = (one: DocumentSection): boolean =>
    LISTS.includes(place) || (place === 'plan' ? hasWords(one) : isInWordsAlone(one));
  const titles = (newest?.sections ?? []).filter(isTold).map(({ title }) => title ?? t('Section without a title'));
  return [...new Set(titles)].map((title) => clipped(title, 60));
}

/** The sections of the chart to whose words a tile links, by the first section of the tile. */
const TOLD: Readonly<Record<string, readonly string[]>> = { orders: ['plan', REST] };

/**
 * Draws the line below a tile: links to words that a reader should compare with the entries, or that no record repeats.
 * Words that already stand in place of the entries are not repeated.
 */
export function wordsLine(
  { id }: Pick<Section, 'id'>,
  isEmpty: boolean,
  store: ChartStore,
  goTo: (section: string) => void,
): TemplateResult | typeof nothing {
  const places = own(TOLD, id) ?? (LISTS.includes(id) && !isEmpty ? [id] : []);
  const links = places.flatMap((place) => titlesOf(place, store).map((title) => linkTo(place, title, goTo)));
  if (links.length === 0) return nothing;
  const more = links.length - MAX;
  return html`<p class="note">${t('In the words:')} ${links
    .slice(0, MAX)
    .map(
      (link, i) => html`${i > 0 ? ', ' : ''}${link}`,
    )}${more > 0 ? ` ${t('and {n} more', { n: more })}` : nothing}</p>`;
}
