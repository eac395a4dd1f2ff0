//! Advance directives and consents: what the patient wants done, and what not. An order not to resuscitate, or an
//! answer about a living will, is shown here and in the banner, whatever the type of its record.

import { html, type nothing, type TemplateResult } from 'lit-html';
import {
  directivesAmong,
  directiveText,
  isDirective,
  isHolding,
  isProhibition,
  provisionText,
} from '#reading/documents/directive.ts';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { firstText, textAt } from '#reading/fhir/element-text.ts';
import { capital, plain } from '#reading/fhir/text.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { kept } from '#reading/kept.ts';
import { own } from '#reading/own.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { type PlainMessage, t, translated, words } from '../../language/message.ts';
import { bannerLine } from '../banner-line.ts';
import { DOCUMENTS } from '../documents/documents.ts';
import { OTHER_OBSERVATIONS, SCREENING } from '../loading/observation-searches.ts';
import { type ChartStore, matchesIn } from '../loading/store.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, foldedRows, labelled, type Row, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { ORDERS } from './orders.ts';
import { PROBLEMS } from './problems.ts';
import { PROCEDURES } from './procedures.ts';

/** The consent scopes of FHIR in words, for records that have only their codes. */
const SCOPES: Readonly<Record<string, PlainMessage>> = {
  adr: 'Advance directive',
  research: 'Research',
  'patient-privacy': 'Privacy',
  treatment: 'Treatment',
};

function scopeOf(consent: Resource): string | undefined {
  const said = textAt(words(), consent, 'scope');
  const known = own(SCOPES, said ?? '') ?? own(SCOPES, (said ?? '').replaceAll(' ', '-'));
  return known ? t(known) : said;
}

const isOver = (consent: Resource): boolean => !isHolding(consent);

function item(consent: Resource): Row {
  const { what, when, who } = meaningOf(words(), consent);
  return {
    resource: consent,
    when,
    title: what ?? t('Consent'),
    status: statusCaution(words(), consent),
    tone: isOver(consent) ? 'quiet' : 'plain',
    details: [
      labelled('Scope#of a consent', scopeOf(consent)),
      labelled('Provision', provisionText(words(), consent) || undefined),
      labelled('Rule', firstText(words(), consent, ['policyRule', 'policy.uri'])),
      labelled('Document', firstText(words(), consent, ['sourceAttachment', 'sourceReference'])),
      labelled('Who', who),
      labelled('Verified', textAt(words(), consent, 'verification.verified')),
    ],
  };
}

export const CONSENTS = 'Consent?patient={patient}&_count=200';
/** The searches of other sections that may find directives. */
export const BORROWED = [ORDERS, OTHER_OBSERVATIONS, SCREENING, PROBLEMS, PROCEDURES, DOCUMENTS];

/** The directives among the records of an answer, searched once per answer. */
const directivesIn = kept((records: readonly Resource[]): Resource[] => records.filter(isDirective));

/** Draws the advance directives in force, for the banner. Each opens its record. Draws nothing if there are none. */
export function directiveLine(store: ChartStore): TemplateResult | typeof nothing {
  // The chart starts these searches, not the banner: a server that is down gets no further requests.
  const found = [CONSENTS, ...BORROWED].flatMap((query) => directivesIn(matchesIn(store.answers.get(query))));
  const records = directivesAmong(found).map((one) => {
    const { caution, when } = meaningOf(words(), one);
    const about = joined(withoutProhibition(caution), when && shortDate(words(), when));
    return { record: one, name: nameOf(one), about, isAlert: isProhibition(one) };
  });
  return bannerLine({ title: 'Advance directives', kind: 'directive-line', records }, store);
}

/** The words of a prohibition. They come first, because a reader could miss them after the name. */
const PROHIBITED = 'do not perform';

function nameOf(one: Resource): string {
  const name = directiveText(words(), one) ?? translated(meaningOf(words(), one).kind);
  return isProhibition(one) ? `${capital(plain(words(), PROHIBITED))}: ${name}` : name;
}

/** The caution on a directive, without the prohibition that its name says. */
const withoutProhibition = (caution = ''): string =>
  caution
    .split(', ')
    .filter((text) => text !== plain(words(), PROHIBITED))
    .join(', ');

/** Returns the row for a directive that is a record of another section. */
function borrowedItem(one: Resource): Row {
  const { kind, when, who } = meaningOf(words(), one);
  return {
    resource: one,
    when,
    title: nameOf(one),
    status: withoutProhibition(statusCaution(words(), one)) || undefined,
    tone: isProhibition(one) ? 'alert' : 'plain',
    details: [labelled('Recorded as', translated(kind)), labelled('Who', who)],
  };
}

export const consents: Section = {
  id: 'consents',
  title: 'Advance directives and consents',
  queries: [CONSENTS],
  sharedRecords: { queries: BORROWED, wanted: directivesIn },
  nothing: 'No data: no advance directive or consent is recorded in this chart.',
  show([found, ...others], store) {
    const all = newest(found?.matches ?? [], (one) => meaningOf(words(), one).when);
    const elsewhere = directivesAmong(others.flatMap(({ matches }) => matches));
    const directiveItem = (one: Resource): Row => (elsewhere.includes(one) ? borrowedItem(one) : item(one));
    const { valid, errors } = byValidity(all);
    const [holding, over] = [valid.filter((one) => !isOver(one)), valid.filter(isOver)];
    const [directives, consented] = [holding.filter(isDirective), holding.filter((one) => !isDirective(one))];
    const shown = [...holding, ...elsewhere];
    return {
      ...counted(shown),
      none: shown.length === 0 ? 'No advance directive or consent is in force.' : undefined,
      body: html`${titledRows('Advance directives', [...elsewhere, ...directives], directiveItem, store)}
        ${titledRows('Consents', consented, item, store)}
        ${foldedRows('{n} consent that is not in force|{n} consents that are not in force', over, item, store)}
        ${errorsFolded(errors, item, store)}`,
    };
  },
};
