//! Observations that belong to no other section: examinations, imaging, procedures, therapies, activity, and those with
//! a local category or none. Each shows its category in words.

import { html, nothing } from 'lit-html';
import { newest } from '#reading/fhir/date.ts';
import { concept, isEnteredInError } from '#reading/fhir/text.ts';
import type { Observation } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import { type Flag, flag } from '#reading/results/flags/flag.ts';
import { GRAVITY } from '#reading/results/flags/flag-signs.ts';
import { notesOf, remarks } from '#reading/results/flags/observation-text.ts';
import { usualRanges } from '#reading/results/flags/usual-range.ts';
import { shortName } from '#reading/results/names/names.ts';
import { aboutText } from '#reading/results/names/told-apart.ts';
import { groupsOf, observationsIn, type TestGroup } from '#reading/results/panels/test-groups.ts';
import { earlierQuality, earlierResultText } from '#reading/results/values/earlier-quality.ts';
import { when } from '#reading/results/values/reading.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import { OTHER_OBSERVATIONS } from '../loading/observation-searches.ts';
import type { ChartStore } from '../loading/store.ts';
import { counted } from '../section/other-count.ts';
import { labelled, newestRows, type Row } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { flagsView, rangesView, readingView, statusMark } from '../values/reading.ts';
import { usualMark } from '../values/usual.ts';
import { trendLink } from './loaded-tests.ts';

const CATEGORIES: Readonly<Record<string, PlainMessage>> = {
  exam: 'Examination',
  imaging: 'Imaging#a category',
  procedure: 'Procedure',
  therapy: 'Therapy',
  activity: 'Activity',
  'clinical-test': 'Clinical test',
};

function categoryText({ category = [] }: Observation): string {
  const texts = category.map((one) => {
    const known = (one.coding ?? []).map(({ code }) => own(CATEGORIES, code ?? '')).find(Boolean);
    return known ? t(known) : concept(words(), one);
  });
  return [...new Set(texts.filter(Boolean))].join(', ') || t('Without a category');
}

function item({ latest, name, list, key, series }: TestGroup, store: ChartStore): Row {
  const isError = isEnteredInError(latest);
  const ranges = rangesView(latest);
  const hasTrend = list.length > 1 || series.some(({ points }) => points.length > 1);
  return {
    resource: latest,
    when: when(latest),
    title: joined(shortName(words(), concept(words(), latest.code) ?? name).main, aboutText(words(), latest)),
    status: isError ? 'entered-in-error' : undefined,
    tone: isError ? 'error' : 'plain',
    details: [
      html`<strong>${readingView(latest)}</strong> ${isError ? nothing : flagsView(latest)}${usualMark(
        usualRanges(words(), latest),
      )}${isError ? nothing : statusMark(latest)}`,
      ...(isError ? [] : earlierTexts(list)),
      labelled('Range', ranges === nothing ? undefined : ranges),
      labelled('Category', categoryText(latest)),
      hasTrend ? trendLink(store, key, t('{n} result|{n} results', { n: list.length })) : undefined,
      ...remarks(words(), latest),
    ],
  };
}

/** The earlier result, if it is another word, with the notes on it. */
function earlierTexts(list: Observation[]): string[] {
  const before = earlierQuality(list);
  const text = earlierResultText(words(), before);
  return before && text ? [[text, ...notesOf(before)].join('; ')] : [];
}

/** The most tests that are not folded away. No test repeats: each is listed once, with its latest result. */
const MAX = 20;

const flagOf = ({ latest }: TestGroup): Flag | undefined => (isEnteredInError(latest) ? undefined : flag(latest));

const gravityOf = (group: TestGroup): number => {
  const of = flagOf(group);
  return of ? GRAVITY[of] : 3;
};

export const otherObservations: Section = {
  id: 'other-observations',
  title: 'Other observations',
  queries: [OTHER_OBSERVATIONS],
  nothing: 'No data: no other observation is recorded in this chart.',
  show([found], store) {
    const all = observationsIn(found?.matches ?? []);
    const groups = newest(groupsOf(words(), all), ({ latest }) => when(latest)).sort(
      (a, b) => gravityOf(a) - gravityOf(b),
    );
    const isFlagged = (group: TestGroup): boolean => flagOf(group) !== undefined;
    const folding = { name: t('Other observations'), most: MAX, stays: isFlagged };
    return {
      ...counted(all),
      of:
        all.length === 1
          ? t('result of one test')
          : t('results of {n} test|results of {n} tests', { n: groups.length }),
      body: html`${newestRows(groups, item, folding, store)}`,
    };
  },
};
