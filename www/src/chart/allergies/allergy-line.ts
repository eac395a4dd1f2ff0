//! The allergies of a patient in a line, for the banner. The line distinguishes "none are known", "nobody asked" and
//! "nothing is recorded", and points out contradictions between entries.

import { html, nothing, type TemplateResult } from 'lit-html';
import { quoted } from '#reading/fhir/absence.ts';
import { conditionStatus, modifierText } from '#reading/fhir/certainty.ts';
import { capital, plain } from '#reading/fhir/text.ts';
import { type AllergyIntolerance, ofType } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import * as recorded from '#reading/problems/allergy.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import { ALERT_SIGN } from '../banner-line.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { glanceWords } from '../section/glance.ts';
import { hasOmissions } from '../section/omissions.ts';
import { hasWords, wordsFor } from '../summary-document/documents.ts';
import { ALLERGIES } from './allergies.ts';
import { allergiesElsewhere, allergyDenials } from './allergies-elsewhere.ts';

/** The allergies without adverse events: an adverse event that cannot be shown leaves no allergy out. */
const ENTRIES = { id: 'allergies', queries: [ALLERGIES] };

/** The most allergies that are named. The others are counted. */
const MAX = 8;

const standing = (store: ChartStore): ReturnType<typeof recorded.allergyLists> | undefined => {
  const state = store.load(ALLERGIES);
  return state.is === 'loaded' ? recorded.allergyLists(ofType('AllergyIntolerance', state.found.matches)) : undefined;
};

const NOT_LOADED = {
  waiting: 'looking…',
  withheld: 'not granted#allergies',
  'not offered': 'not offered by this server',
  failed: 'could not be loaded',
} as const satisfies Record<string, PlainMessage>;

/** Returns the words of an entry that says that no allergy is known, or the like, with its uncertainty. */
function statementText(a: AllergyIntolerance): string {
  const certainty = joined(...conditionStatus(a).map((code) => plain(words(), code)), modifierText(words(), a));
  return certainty ? `${recorded.absenceText(words(), a)} (${certainty})` : recorded.absenceText(words(), a);
}

/** Returns whether an allergy may be to a drug: its category says so, or it has no category. */
const mayBeDrug = ({ category }: AllergyIntolerance): boolean =>
  !category?.length || category.some((one) => one === 'medication' || one === 'biologic');

const names = (all: readonly AllergyIntolerance[]): string => {
  const different = [...new Set(all.map((a) => recorded.allergyName(words(), a)))];
  const first = different.slice(0, MAX);
  const more = different.length - first.length;
  return more > 0 ? `${first.join(', ')} ${t('and {n} more', { n: more })}` : words().listed(first);
};

/**
 * Names the allergies that are coded as resolved or inactive: a clinician still wants to see an anaphylaxis that an
 * import has set to inactive. Beside active allergies, names only those that may be to drugs.
 */
function pastAllergies(past: readonly AllergyIntolerance[], isBeside: boolean): string {
  const told = isBeside ? past.filter(mayBeDrug) : past;
  return told.length > 0 ? t('coded as resolved or inactive: {names}', { names: names(told) }) : '';
}

/** Says that a document has text about allergies beside coded entries. */
const alsoInDocuments = (store: ChartStore): string =>
  wordsFor('allergies', store).length > 0 ? t('the summary has words on allergies, below: compare') : '';

/** Returns the words in place of a list without active allergies. */
function without(store: ChartStore): string {
  const state = store.load(ALLERGIES);
  if (state.is !== 'loaded') return t(NOT_LOADED[state.is]);
  const { noneKnown = [], said = [], notAsked = [], past = [], refuted = [] } = standing(store) ?? {};
  const statements = [...noneKnown, ...said];
  if (statements.length > 0) return statements.map(statementText).join(' ');
  if (notAsked.length > 0) return t('not asked');
  if (past.length > 0)
    return joinedBy(
      '; ',
      isPartial(store) ? '' : t('no active entry'),
      pastAllergies(past, false),
      alsoInDocuments(store),
    );
  const words = glanceWords([{ id: 'allergies' }], store);
  if (words && refuted.length === 0) return words.isCut ? `${words.says} ${t('The rest is below.')}` : words.says;
  if (isPartial(store)) return '';
  if (allergiesElsewhere(store)) return t('no entry of its own');
  if (refuted.length > 0) return t('no active entry; past or refuted ones are below');
  const denials = allergyDenials(store);
  return denials
    ? `${t('no entry of its own')}; ${denials}`
    : t('nothing is recorded, which does not mean that there are none');
}

/** The words where no allergy is listed, with the allergies that other records state. */
function noActive(store: ChartStore): string {
  const [said, elsewhere] = [without(store), allergiesElsewhere(store)];
  return said.endsWith('.') ? `${said} ${capital(elsewhere)}`.trim() : joinedBy('; ', said, elsewhere);
}

/** Returns whether entries about allergies are left out, so that the list is not the whole. */
const isPartial = (store: ChartStore): boolean =>
  store.load(ALLERGIES).is !== 'waiting' && hasOmissions(ENTRIES, store);

/** Draws what follows a list of allergies: contradictions, other statements that none are known, and past allergies. */
function besides(store: ChartStore): TemplateResult | typeof nothing {
  const { active = [], noneKnown = [], said = [], past = [], contradictions = [] } = standing(store) ?? {};
  if (active.length === 0) return nothing;
  const more = joinedBy('; ', pastAllergies(past, true), alsoInDocuments(store), allergiesElsewhere(store));
  const others = [...noneKnown, ...said].filter((a) => !contradictions.includes(a));
  const contradiction = (a: AllergyIntolerance): string =>
    t('Contradiction: “{statement}” is recorded too.', { statement: quoted(recorded.absenceText(words(), a)) });
  return html`${contradictions.map(
    (a) => html`<span class="contradiction">${recordButton(store, a, html`${ALERT_SIGN} ${contradiction(a)}`)}</span> `,
  )}${others.map((a) => html`<span class="none">${statementText(a)}</span>`)}${
    more ? html` <span class="none">${more}</span>` : nothing
  }`;
}

/** Draws the line of the banner. Each allergy opens its record. */
export function allergyLine(store: ChartStore): TemplateResult {
  const active = standing(store)?.active ?? [];
  const shown = active.slice(0, MAX);
  return html`<div class="allergy-line"><strong>${t('Allergies')}</strong> ${
    active.length === 0 ? html`<span class="none">${noActive(store)}</span>` : nothing
  }<ul role="list">${shown.map((a) => html`<li>${allergyView(a, store)}</li> `)}</ul>
    ${
      active.length > shown.length
        ? html`<span class="none">${t('and {n} more', { n: active.length - shown.length })}</span>`
        : nothing
    }
    ${besides(store)}
    ${isPartial(store) ? html`<span class="none">${t('not all can be shown')}</span>` : nothing}
  </div>`;
}

function allergyView(a: AllergyIntolerance, store: ChartStore): TemplateResult {
  const reactions = recorded.reactionNames(words(), a);
  const certainty = conditionStatus(a)
    .map((code) => plain(words(), code))
    .join(', ');
  const [isHigh, isGrave] = [recorded.isHighRisk(a), recorded.isSevere(a)];
  const risk = html`${ALERT_SIGN}${isHigh ? html`<span class="visually-hidden">${t('High risk:')} </span>` : html` `}`;
  return html`<span class="allergy" data-severe=${isGrave}>${isGrave ? risk : nothing}${recordButton(
    store,
    a,
    recorded.allergyName(words(), a),
  )}${
    certainty ? html` <span class="certainty">(${certainty})</span>` : nothing
  }${reactions.length > 0 ? html` <span class="reaction">${reactions.join(', ')}</span>` : nothing}${
    isGrave && !isHigh ? html` <span class="reaction">(${recorded.graveText(words(), a)})</span>` : nothing
  }</span>`;
}

/** Returns whether anything names an allergy, as far as it can be read: an entry, another record, or a document. */
function isAnyNamed(store: ChartStore): boolean {
  const { active = [], noneKnown = [], said = [], notAsked = [], past = [], refuted = [] } = standing(store) ?? {};
  if (active.length > 0 || allergiesElsewhere(store) !== '') return true;
  const isStated = [noneKnown, said, notAsked, past, refuted].some((some) => some.length > 0);
  return !isStated && wordsFor('allergies', store).some(({ sections }) => sections.some(hasWords));
}

/** Returns the allergies in brief, for the bar that stays in sight while the page scrolls. */
export function allergyNames(store: ChartStore): { says: string; isAnyNamed: boolean } {
  const { active = [], noneKnown = [], contradictions = [] } = standing(store) ?? {};
  const names = active
    .slice(0, 3)
    .map((a) => recorded.briefAllergy(words(), a))
    .join(' · ');
  const listed = active.length > 3 ? `${names} +${active.length - 3}` : names;
  const others = noneKnown.filter((a) => !contradictions.includes(a)).map(statementText);
  const said = joinedBy(
    ' · ',
    ...(active.length === 0 ? [noActive(store)] : [listed, ...others, allergiesElsewhere(store)]),
    contradictions.length > 0 && t('contradictory entries'),
    isPartial(store) && t('not all can be shown'),
  );
  return { says: t('Allergies: {names}', { names: said }), isAnyNamed: isAnyNamed(store) };
}
