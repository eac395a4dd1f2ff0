//! The patient's preferences, screenings with their members, single findings, and the social history.

import { html, nothing, type TemplateResult } from 'lit-html';
import { formAnswers } from '#reading/documents/form-answers.ts';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { firstText, valuesAt } from '#reading/fhir/element-text.ts';
import { referredAddress } from '#reading/fhir/record-address.ts';
import { capital, isUuid, plain, reference } from '#reading/fhir/text.ts';
import { type Observation, ofType, type QuestionnaireResponse } from '#reading/fhir/types.ts';
import { answeredBy } from '#reading/records/answered-by.ts';
import { remarks } from '#reading/results/flags/observation-text.ts';
import { testName } from '#reading/results/names/names.ts';
import { aboutKey, withAbout } from '#reading/results/names/told-apart.ts';
import { isSocial, PREFERENCES } from '#reading/results/observation-place.ts';
import { categoryCodes, isPanel, readingOf, when } from '#reading/results/values/reading.ts';
import { t, words } from '../../language/message.ts';
import { fact } from '../../parts/fact.ts';
import { tag } from '../../parts/tag.ts';
import { SCREENING } from '../loading/observation-searches.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { recordMark } from '../record/record-mark.ts';
import { latestOf, newestOf } from '../section/newest.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, foldedMany, labelled, newestRows, type Row, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { FORMS } from '../summary-document/form-words.ts';
import { flagsView, notesView, rangesView, readingText, readingView, statusMark } from '../values/reading.ts';

const nameOf = (o: Observation): string => testName(words(), o.code) ?? t('Not named');

/** Returns the key of what an observation says: its name, and whom it is about. */
const keyOf = (o: Observation): string => JSON.stringify([nameOf(o), aboutKey(o)]);

function single(o: Observation): Row {
  return {
    resource: o,
    when: when(o),
    title: nameOf(o),
    status: statusOf(o),
    details: [html`<strong>${readingView(o)}</strong> ${flagsView(o)}`, rangesView(o), ...remarks(words(), o)],
  };
}

/** Returns the title of a questionnaire, or the last part of its address, which is often its name. */
function formName(canonical: string | undefined, store: ChartStore): string {
  const [address = ''] = canonical?.split('|') ?? [];
  const found = store.find(referredAddress(address));
  const isSame = found && valuesAt(found, 'url').every((url) => url === address);
  const title = isSame && firstText(words(), found, ['title', 'name']);
  if (title) return title;
  const last =
    address
      .split('/')
      .at(-1)
      ?.replace(/^urn:uuid:/, '') ?? '';
  return !last || isUuid(last) ? t('Questionnaire') : last.replaceAll('-', ' ');
}

const statusOf = (o: Observation): string | undefined => (o.status === 'final' ? undefined : o.status);

const statusTag = (o: Observation): TemplateResult | typeof nothing => tag(plain(words(), statusOf(o)), 'plain');

/** Draws a panel's own content beside its members: its value, such as a score, with its flag, and its notes. */
function ownView(o: Observation): TemplateResult {
  const isValued = readingOf(words(), o) !== undefined;
  return html`${
    isValued ? html`<p class="detail"><strong>${readingView(o)}</strong> ${flagsView(o)} ${rangesView(o)}</p>` : nothing
  }${remarks(words(), o).map((text) => html`<p class="detail">${text}</p>`)}`;
}

function answersView(f: QuestionnaireResponse): TemplateResult {
  const all = formAnswers(words(), f);
  if (all.length === 0) return html`<span class="aside">${t('No answer')}</span>`;
  return html`<dl class="answers">${all.map(({ question, answers }) => fact(question, answers.join(', ')))}</dl>`;
}

export const screening: Section = {
  id: 'screening',
  title: 'Screening and social history',
  queries: [SCREENING, FORMS],
  nothing: 'No data: no screening and nothing of the social history is recorded in this chart.',
  show([found, foundForms], store) {
    const all = newest(ofType('Observation', found?.matches), when);
    const { valid, errors } = byValidity(all);
    const panels = valid.filter(isPanel);
    const members = new Set(
      panels.flatMap(({ hasMember }) => hasMember ?? []).map(({ reference: to }) => referredAddress(to)),
    );
    const others = valid.filter((o) => !isPanel(o) && !members.has(`Observation/${o.id}`));
    const preferences = others.filter((o) => PREFERENCES.some((code) => categoryCodes(o).includes(code)));
    const social = others.filter(isSocial);
    const singles = others.filter((o) => !preferences.includes(o) && !social.includes(o));
    const named = (o: Observation): string => testName(words(), o.code) ?? t('Screening');
    const panel = (o: Observation): TemplateResult => html`<article class="panel">
      <p class="title">${recordButton(store, o, withAbout(words(), o, named(o)))}${statusTag(o)}
        <span class="aside">${shortDate(words(), when(o))}</span></p>
      ${ownView(o)}
      <dl class="answers">${(o.hasMember ?? []).map((to) => {
        const member = store.findOfType('Observation', to.reference);
        if (!member) return fact(reference(words(), to), t('Not shown here'));
        const answer = readingText(readingOf(words(), member) ?? t('No answer'));
        const marks = [flagsView(member), statusMark(member), recordMark(member), notesView(member)];
        return fact(nameOf(member), html`${answer}${marks}`);
      })}</dl></article>`;
    const form = (f: QuestionnaireResponse): Row => ({
      resource: f,
      when: f.authored,
      title: capital(formName(f.questionnaire, store)),
      status: f.status === 'completed' ? undefined : f.status,
      details: [labelled('Said by', answeredBy(words(), f)), answersView(f)],
    });
    const list = (name: string, some: Observation[]): unknown =>
      newestRows(some, single, { name, stays: latestOf(some, keyOf) }, store);
    const forms = newest(ofType('QuestionnaireResponse', foundForms?.matches), ({ authored }) => authored);
    const { valid: answered, errors: formErrors } = byValidity(forms);
    return {
      ...counted([...panels, ...others]),
      body: html`${titledRows('Preferences', preferences, single, store)}
        ${newestOf(panels, (some) => some.map(panel), { name: t('Screening'), stays: latestOf(panels, keyOf) }, store)}
        ${
          singles.length
            ? html`${panels.length || preferences.length ? html`<h3>${t('Single findings')}</h3>` : nothing}
              ${list(t('Single findings'), singles)}`
            : nothing
        }
        ${social.length ? html`<h3>${t('Social history')}</h3>${list(t('Social history'), social)}` : nothing}
        ${foldedMany('{n} questionnaire as answered|{n} questionnaires as answered', answered, form, store)}
        ${errorsFolded([...errors.map(single), ...formErrors.map(form)], (row) => row, store)}`,
    };
  },
};
