//! Statements in place of records, such as `No known allergies.`

import { html, type TemplateResult } from 'lit-html';
import { type Absence, contradictionText } from '#reading/fhir/absence.ts';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { shortDate } from '#reading/fhir/date.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { t, words } from '../../language/message.ts';
import { tag } from '../../parts/tag.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';

type Tone = 'good' | 'unsure' | 'alert';
const SIGNS: Record<Tone, string> = { good: '✓', unsure: '?', alert: '▲' };

interface Statement {
  tone: Tone;
  words: string;
  resource: Resource;
  /** The date as it is written. */
  recorded?: string | undefined;
}

/** Draws a statement with what makes it uncertain, and the date of its record as a link. */
export function statement({ tone, words: text, resource, recorded }: Statement, store: ChartStore): TemplateResult {
  const about = recorded ? t('Recorded {date}', { date: shortDate(words(), recorded) }) : t('The whole record');
  return html`<p class="statement" data-tone=${tone}><span class="mark"
    aria-hidden="true">${SIGNS[tone]}</span><span><strong>${text}</strong>${tag(statusCaution(words(), resource))}
    ${recordButton(store, resource, about)}</span></p>`;
}

/** Draws the statements of a section. A statement that other records contradict is shown as a contradiction. */
export const absenceViews = (
  absences: readonly { resource: Resource; absence: Pick<Absence, 'is' | 'text'>; recorded?: string | undefined }[],
  isContradicted: boolean,
  store: ChartStore,
): TemplateResult[] =>
  absences.map(({ resource, absence: { is, text: said }, recorded }) => {
    const contradicts = is === 'none' && isContradicted;
    const text = contradicts ? contradictionText(words(), said) : said;
    const tone = contradicts ? 'alert' : is === 'none' ? 'good' : 'unsure';
    return statement({ tone, words: text, resource, recorded }, store);
  });
