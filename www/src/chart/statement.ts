//! Statements in the place of records, such as `No known allergies.`, as a section shows them.

import { html, type TemplateResult } from 'lit-html';
import { type Absence, contradictionText } from '#reading/fhir/absence.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { capital, plain } from '#reading/fhir/text.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { t, words } from '../language/message.ts';
import type { SectionContext } from './section.ts';

type Tone = 'good' | 'unsure' | 'alert';
const SIGNS: Record<Tone, string> = { good: '✓', unsure: '?', alert: '▲' };

interface Statement {
  tone: Tone;
  words: string;
  /** Codes and words by which the statement is not certain. */
  certainty?: string[];
  resource: Resource;
  /** The date as it is written. */
  recorded?: string | undefined;
}

/** A statement with the date of its record, which it opens. */
export function statement(
  { tone, words: text, certainty = [], resource, recorded }: Statement,
  { link }: SectionContext,
): TemplateResult {
  const about = recorded ? t('Recorded {date}', { date: shortDate(words(), recorded) }) : t('The whole record');
  const unsure = certainty.map((code) => html` <span class="tag">${capital(plain(words(), code))}</span>`);
  return html`<p class="statement" data-tone=${tone}><span class="mark"
    aria-hidden="true">${SIGNS[tone]}</span><span><strong>${text}</strong>${unsure}
    ${link(resource, about)}</span></p>`;
}

/** The statements of a section; a contradiction where there are records beside them that say otherwise. */
export const absenceViews = (
  absences: readonly { resource: Resource; absence: Absence }[],
  isContradicted: boolean,
  context: SectionContext,
): TemplateResult[] =>
  absences.map(({ resource, absence: { is, text: said } }) => {
    const contradicts = is === 'none' && isContradicted;
    const text = contradicts ? contradictionText(words(), said) : said;
    return statement(
      { tone: contradicts ? 'alert' : is === 'none' ? 'good' : 'unsure', words: text, resource },
      context,
    );
  });
