//! Advance directives and consents: what the patient wants done, and what not.

import { html, nothing, type TemplateResult } from 'lit-html';
import { cautionOf } from '../fhir/certainty.ts';
import { newest, shortDate } from '../fhir/date.ts';
import { firstText, textAt, valuesAt } from '../fhir/element-text.ts';
import { meaningOf } from '../fhir/meaning.ts';
import { isEnteredInError, plain } from '../fhir/text.ts';
import type { Resource } from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { own } from '../own.ts';
import { openResource } from './resource.ts';
import { errorsFolded, folded, labelled, type Row, rowsOf } from './row.ts';
import type { Section } from './section.ts';
import type { ChartStore } from './store.ts';

/** Codes of advance directives: the scope of FHIR, categories of FHIR, and documents of LOINC. */
const DIRECTIVES = [
  'adr',
  'acd',
  'dnr',
  'polst',
  'hcd',
  'emrgonly',
  '42348-3',
  '75320-2',
  '45473-6',
  '64298-3',
  '64300-7',
  '81334-5',
  '81351-9',
  '86533-7',
  '92664-0',
  '100822-6',
  // Not for resuscitation, of SNOMED CT.
  '304253006',
  '143021000119109',
];

/** Words by which a consent is one where it has no code. */
const NAMED = new RegExp(
  String.raw`advance (?:care )?(?:directive|decision)|living will|resuscitat|\bDNA?R\b` +
    '|voluntad(?:es)? anticipada|testamento vital|patientenverf|wilsverklaring|directives? anticip',
  'i',
);

/** Returns whether a consent is an advance directive. */
export const isDirective = (consent: Resource): boolean =>
  [...valuesAt(consent, 'scope.coding.code'), ...valuesAt(consent, 'category.coding.code')].some(
    (code) => typeof code === 'string' && DIRECTIVES.includes(code.toLowerCase()),
  ) || NAMED.test(textAt(consent, 'category', 'scope', 'provision.code') ?? '');

/** The scopes of FHIR in words, where a record has their codes alone. */
const SCOPES: Readonly<Record<string, PlainMessage>> = {
  adr: 'Advance directive',
  research: 'Research',
  'patient-privacy': 'Privacy',
  treatment: 'Treatment',
};

function scopeOf(consent: Resource): string | undefined {
  const said = textAt(consent, 'scope');
  const known = own(SCOPES, said ?? '') ?? own(SCOPES, (said ?? '').replaceAll(' ', '-'));
  return known ? t(known) : said;
}

/** Statuses by which a consent does not hold. */
const OVER = ['rejected', 'inactive'];
const isOver = (consent: Resource): boolean =>
  valuesAt(consent, 'status').some((status) => typeof status === 'string' && OVER.includes(status));

/** Returns whether a consent does not hold, or was entered in error. */
const isVoid = (consent: Resource): boolean => isOver(consent) || isEnteredInError(consent);

/** The deepest provisions that are said; the JSON has all of them. */
const DEEPEST = 4;
const ABOUT = ['code', 'action', 'purpose', 'class', 'securityLabel'];

/** The words of a provision: a permission or a denial, to whom and when, with the exceptions from it. */
function provisionText(provision: unknown, depth = 0): string {
  const kinds = valuesAt(provision, 'type').flatMap((type) => (typeof type === 'string' ? plain(type) : []));
  const [time] = valuesAt(provision, 'period');
  const said = [
    textAt(provision, ...ABOUT),
    textAt(provision, 'actor.reference'),
    time === undefined ? undefined : textAt({ time }, 'time'),
  ];
  const words = [kinds.join(', '), said.filter(Boolean).join('; ')].filter(Boolean).join(': ');
  const within = depth < DEEPEST ? valuesAt(provision, 'provision') : [];
  const exceptions = within.map((one) => provisionText(one, depth + 1)).filter(Boolean);
  return exceptions.length > 0
    ? [words, t('except: {provisions}', { provisions: exceptions.join(' | ') })].filter(Boolean).join('; ')
    : words;
}

const provisionOf = (consent: Resource): string | undefined =>
  valuesAt(consent, 'provision')
    .map((one) => provisionText(one))
    .filter(Boolean)
    .join(' | ') || undefined;

function item(consent: Resource): Row {
  const { what, when, who } = meaningOf(consent);
  return {
    resource: consent,
    when,
    title: what ?? t('Consent'),
    status: cautionOf(consent),
    tone: isOver(consent) ? 'quiet' : 'plain',
    details: [
      labelled(t('Scope#of a consent'), scopeOf(consent)),
      labelled(t('Provision'), provisionOf(consent)),
      labelled(t('Rule'), firstText(consent, ['policyRule', 'policy.uri'])),
      labelled(t('Document'), firstText(consent, ['sourceAttachment', 'sourceReference'])),
      labelled(t('Who'), who),
      labelled(t('Verified'), textAt(consent, 'verification.verified')),
    ],
  };
}

const CONSENTS = 'Consent?patient={patient}&_count=200';

/** The advance directives that hold, for the banner. Each opens its record. Nothing where there are none. */
export function directiveLine(store: ChartStore): TemplateResult | typeof nothing {
  const state = store.load(CONSENTS);
  const all = state.is === 'loaded' ? state.found.matches.filter((one) => isDirective(one) && !isVoid(one)) : [];
  if (all.length === 0) return nothing;
  return html`<div class="flag-line directive-line"><strong>${t('Advance directives')}</strong> <ul
    role="list">${newest(all, (one) => meaningOf(one).when).map((one) => {
      const { what, when, caution } = meaningOf(one);
      const about = [caution, when && shortDate(when)].filter(Boolean).join(', ');
      return html`<li><button type="button" class="record"
        @click=${() => openResource(one, store)}>${what ?? t('Consent')}</button>${
          about ? html` <span class="reaction">${about}</span>` : nothing
        }</li> `;
    })}</ul></div>`;
}

/** Returns whether the consents are still to come. */
export const areConsentsWaiting = (store: ChartStore): boolean => store.load(CONSENTS).is === 'waiting';

export const consents: Section = {
  id: 'consents',
  title: 'Advance directives and consents',
  queries: [CONSENTS],
  nothing: 'No data: no advance directive or consent is recorded in this chart.',
  show([found], context) {
    const all = newest(found?.matches ?? [], (one) => meaningOf(one).when);
    const errors = all.filter(isEnteredInError);
    const valid = all.filter((one) => !errors.includes(one));
    const [holding, over] = [valid.filter((one) => !isOver(one)), valid.filter(isOver)];
    const [directives, others] = [holding.filter(isDirective), holding.filter((one) => !isDirective(one))];
    const group = (title: string, list: Resource[]): unknown =>
      list.length > 0 ? html`<h3>${title}</h3>${rowsOf(list, item, context)}` : nothing;
    return {
      count: holding.length,
      none: holding.length === 0 ? 'No advance directive or consent holds now.' : undefined,
      body: html`${group(t('Advance directives'), directives)}${group(t('Consents'), others)}${
        over.length > 0
          ? folded(
              t('{n} consent that does not hold|{n} consents that do not hold', { n: over.length }),
              rowsOf(over, item, context),
            )
          : nothing
      }${errorsFolded(errors.map(item), context)}`,
    };
  },
};
