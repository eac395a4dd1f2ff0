//! Observations grouped by the test that they are results of.

import { html, type TemplateResult } from 'lit-html';
import { newest } from '../fhir/date.ts';
import { when } from '../fhir/reading.ts';
import { type Series, seriesOf } from '../fhir/series.ts';
import { concept, isEnteredInError } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { chartUrl } from '../routes.ts';
import type { SectionContext } from './section.ts';

export const VITALS = 'Observation?patient={patient}&category=vital-signs&_count=200';
export const LABS = 'Observation?patient={patient}&category=laboratory&_count=200';

/** The key of the test that an observation is a result of. */
export const keyOf = (o: Observation): string => o.code?.coding?.[0]?.code ?? o.code?.text ?? o.id;

export interface TestGroup {
  key: string;
  name: string;
  /** Newest first. */
  list: Observation[];
  /** The latest that was not entered in error, if there is one. */
  latest: Observation;
  series: Series[];
}

/** Groups observations by their test. */
export function groupsOf(observations: readonly Observation[]): TestGroup[] {
  const groups = Map.groupBy(observations, keyOf);
  return [...groups].flatMap(([key, all]) => {
    const list = newest(all, when);
    const valid = list.filter((o) => !isEnteredInError(o));
    const latest = valid[0] ?? list[0];
    return latest ? [{ key, name: concept(list[0]?.code) ?? t('Unnamed'), list, latest, series: seriesOf(valid) }] : [];
  });
}

/** A link to the trend of a test. */
export const trendLink = ({ store }: SectionContext, key: string, text: unknown): TemplateResult =>
  html`<a href=${chartUrl(store.source.name, store.patient, 'trend', key)}>${text}</a>`;
