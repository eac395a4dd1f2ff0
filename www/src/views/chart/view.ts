//! The chart of one patient: the banner, and below it the summary, the timeline, the growth, or the trend of a test.

import { html, nothing, type TemplateResult } from 'lit-html';
import { prepareDates } from '#reading/fhir/date.ts';
import { BILLING } from '#reading/fhir/other-types.ts';
import { shortName } from '#reading/results/names/names.ts';
import type { TestGroup } from '#reading/results/panels/test-groups.ts';
import { ALLERGIES } from '../../chart/allergies/allergies.ts';
import { banner, isBannerWaiting, patientLine } from '../../chart/banner.ts';
import { ChartStore } from '../../chart/loading/store.ts';
import { chartNotice } from '../../chart/notice/view.ts';
import { Overview, overviewStates } from '../../chart/overview/overview.ts';
import { absentName, isAbsent, isMissing, PATIENT, patientName, patientOf } from '../../chart/patient.ts';
import { printHead } from '../../chart/print.ts';
import { findTest } from '../../chart/results/loaded-tests.ts';
import { openedTrend, trend } from '../../chart/results/trend.ts';
import { isServerDown, outageNotice, tryAgain } from '../../chart/section/outage.ts';
import { sectionStates } from '../../chart/section/section-view.ts';
import { SEARCHES } from '../../chart/sections.ts';
import { serverNote } from '../../chart/server-note.ts';
import { rich, t, words } from '../../language/message.ts';
import { empty, waiting } from '../../parts/notice.ts';
import { scrollRow } from '../../parts/scroll-row.ts';
import { chartUrl, patientsUrl, type SourceName } from '../../routes.ts';
import { FrameBudget } from '../../scheduling.ts';
import { session } from '../../smart/session.ts';
import { isOfOnePatient } from '../../smart/user.ts';
import { endTrial, sourceOf, trialGrant } from '../../source/current.ts';
import { chartsIn, files } from '../../source/files.ts';
import type { Source } from '../../source/source.ts';
import type { OpenView } from '../../view.ts';
import { signedOut } from '../signed-out.ts';
import { ChartFind, findView } from './find.ts';
import { GrowthPart } from './growth.ts';
import { LinkedRecord } from './linked-record.ts';
import { ReadingPosition } from './reading-position.ts';
import { summaryView } from './summary.ts';
import { Timeline } from './timeline/model.ts';
import { timelineView } from './timeline.ts';

let kept: { key: string; store: ChartStore } | undefined;

session.subscribe((now) => {
  if (!now && kept?.store.source.name === 'session') kept = undefined;
});
files.subscribe(({ is }) => {
  if (is !== 'open' && kept?.store.source.name === 'files') kept = undefined;
});

/** Returns the store. It is kept while source and patient stay the same, so that all views share its answers. */
function storeOf(source: Source, patient: string): ChartStore {
  const key = `${source.key} ${patient}`;
  if (kept?.key !== key) kept = { key, store: new ChartStore(source, patient) };
  return kept.store;
}

export const chart: OpenView = (route) => {
  const { source: name = 'sample', parts } = route;
  const [patient = '', named = '', testKey = '', id = ''] = parts;
  // A record is shown in a drawer over the summary.
  const part = named === 'record' ? '' : named;
  const source = sourceOf(name);
  if (!source) return signedOut(route);
  const store = storeOf(source, patient);
  const budget = new FrameBudget();
  const stateOf = sectionStates(store, budget);
  const position = new ReadingPosition();
  const overview = new Overview(store, (section) => position.goTo(section), budget);
  const timeline = part === 'timeline' ? new Timeline(store, route.query) : undefined;
  const growth = part === 'growth' ? new GrowthPart(store) : undefined;
  const linked = named === 'record' ? new LinkedRecord(store, `${testKey}/${id}`) : undefined;
  const trendState = openedTrend();

  /** True if the notice came after the chart was drawn; `undefined` until it comes. */
  let isNoticeLate: boolean | undefined;

  const below = (): TemplateResult => {
    const notice = chartNotice(store);
    if (notice !== nothing) isNoticeLate ??= timeline ? timeline.content.value !== undefined : overview.isDrawn;
    const found = part === 'trend' ? findTest(store, testKey) : undefined;
    const group = found === 'waiting' ? undefined : found;
    const title = group ? shortName(words(), group.name).main : undefined;
    const tabs = { part, testKey, title };
    const notes = html`${trialNote(name)}${serverNote(name)}${linked?.view() ?? nothing}${outageNotice(store)}`;
    return html`${notes}${chartBar(tabs, store, position)}${findView(find, store)}${isNoticeLate ? nothing : notice}${
      timeline
        ? timelineView(timeline)
        : part === 'trend'
          ? trendView(found)
          : growth
            ? growth.view()
            : summaryView(store, overview, stateOf, position, budget)
    }${isNoticeLate ? html`<div class="late-notice">${notice}</div>` : nothing}`;
  };

  const trendView = (found: TestGroup | 'waiting' | undefined): TemplateResult => {
    if (found === 'waiting') return waiting(t('results'));
    return found ? trend(found, trendState, store) : empty(t('There is no result of this test here.'));
  };

  /** Begins all searches: first the banner's, which delays all the rest, then the overview's, then the sections'. */
  const begin = (): void => {
    store.load(ALLERGIES);
    overviewStates(store);
    for (const query of SEARCHES) store.loadInTime(query);
  };
  /** Begins the searches for all records that are found by words. Billing is left out: it is loaded on demand. */
  const beginAll = (): void => {
    begin();
    for (const query of SEARCHES) if (query !== BILLING) store.load(query);
  };

  // The dates are prepared while the page waits for the first answers.
  setTimeout(() => prepareDates(words()), 0);
  const find = new ChartFind(store, beginAll);

  return {
    get title() {
      return titleOf(store, part);
    },
    body: () => {
      budget.begin();
      const state = store.load(PATIENT);
      const missing = isMissing(store);
      // A server that is down gets no other requests until the user tries again.
      const down = !missing && isServerDown(store);
      if (missing || down) store.cancelPending();
      const unknown = missing || state.is === 'waiting' ? '' : `${t('Unknown patient')} · ${absentName(patient)}`;
      printHead(patientOf(store), name, unknown);
      // The searches begin, but nothing is drawn below the banner while the banner may still grow.
      const isGrowing = !missing && !down && (state.is === 'waiting' || isBannerWaiting(store));
      if (isGrowing && part !== 'trend') begin();
      const rest = (): TemplateResult | typeof nothing => {
        if (down && state.is === 'failed') return tryAgain(store);
        if (missing || state.is === 'waiting') return nothing;
        return isGrowing ? waiting(t('the chart')) : below();
      };
      // All states use one template: another template would replace the heading, which would lose the focus.
      return html`${banner(store)}${rest()}`;
    },
    leave: () => {
      find.stop();
      position.stop();
      linked?.stop();
      timeline?.stop();
      printHead(undefined, name);
    },
  };
};

function titleOf(store: ChartStore, part: string): string {
  const patient = patientOf(store);
  const who = patient ? patientName(patient) : isAbsent(store) ? absentName(store.patient) : t('Chart');
  if (part === 'timeline') return `${t('Timeline')} · ${who}`;
  if (part === 'growth') return `${t('Growth')} · ${who}`;
  return part === 'trend' ? `${t('Trend')} · ${who}` : who;
}

function trialNote(name: SourceName): TemplateResult | typeof nothing {
  if (name !== 'sample' || !trialGrant.value) return nothing;
  return html`<p class="banner-note">${rich('The sample, looked at with {scopes}.', {
    scopes: html`<code>${trialGrant.value.scopes}</code>`,
  })} <button type="button" class="quiet" @click=${endTrial}>${t('Show everything')}</button></p>`;
}

interface Tabs {
  part: string;
  testKey: string;
  /** The name of the test whose trend is shown. */
  title: string | undefined;
}

/** Returns whether a source may have other patients to choose from. */
function hasOthers(name: SourceName): boolean {
  if (name === 'files') return files.value.is === 'open' && chartsIn(files.value.report) > 1;
  return name !== 'session' || !session.value || !isOfOnePatient(session.value);
}

function chartBar({ part, testKey, title }: Tabs, store: ChartStore, position: ReadingPosition): TemplateResult {
  const { name } = store.source;
  const tab = (of: string, text: unknown, ...view: string[]): TemplateResult => {
    const current = part === of ? 'page' : nothing;
    return html`<li><a href=${chartUrl(name, store.patient, ...view)} aria-current=${current}>${text}</a></li>`;
  };
  const trendTitle = html`${t('Trend')}${title ? html`<span class="wide-only">: ${title}</span>` : nothing}`;
  const others = hasOthers(name) ? html`<li><a href=${patientsUrl(name)}>${t('Other patients')}</a></li>` : nothing;
  return html`<div class="chart-bar"><nav class="tabs" aria-label=${t('This chart')}>${scrollRow(
    html`${tab('', t('Summary'))}
    ${tab('timeline', t('Timeline'), 'timeline')}
    ${part === 'trend' ? tab('trend', trendTitle, 'trend', testKey) : nothing}
    ${part === 'growth' ? tab('growth', t('Growth'), 'growth') : nothing}
    ${others}`,
  )}</nav>
    <p class="whose" data-shown=${position.isNameOutOfSight.value} aria-hidden="true">${patientLine(store)}</p></div>`;
}
