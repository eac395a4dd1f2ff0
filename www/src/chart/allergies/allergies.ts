//! Allergies and intolerances. "None are known", "nobody asked" and "nothing is recorded" must never look alike.
//! Contradictory entries are shown as such. Adverse events follow as a group of their own.

import { html, nothing } from 'lit-html';
import { allergyElsewhere } from '#reading/documents/allergies-elsewhere.ts';
import { contradictionText } from '#reading/fhir/absence.ts';
import { standingOf, statusCaution } from '#reading/fhir/certainty.ts';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { capital, isEnteredInError, plain, reference } from '#reading/fhir/text.ts';
import { type AllergyIntolerance, ofType, type Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import * as allergy from '#reading/problems/allergy.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { type CountMessage, t, translated, words } from '../../language/message.ts';
import { LISTS } from '../section/named-elsewhere.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, foldedRows, labelled, type Row, rowsOf, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { statement } from '../section/statement.ts';
import { EVENTS, eventsView } from './adverse-events.ts';
import { allergiesAmong, BORROWED } from './allergies-elsewhere.ts';

export const ALLERGIES = 'AllergyIntolerance?patient={patient}&_count=200';

function item(a: AllergyIntolerance): Row {
  const standing = standingOf(a);
  const stands = standing === 'standing';
  const severe = stands && allergy.isSevere(a);
  return {
    resource: a,
    when: allergy.allergyDate(a),
    title: allergy.absenceText(words(), a) || allergy.allergyName(words(), a),
    status: allergy.allergyStatus(words(), a),
    tone: standing === 'error' ? 'error' : !stands ? 'quiet' : severe ? 'alert' : 'plain',
    details: [
      labelled(
        'Reaction',
        (a.reaction ?? []).map((one) => allergy.reactionText(words(), one, allergy.allergyName(words(), a))).join('; '),
      ),
      labelled('Criticality', a.criticality && plain(words(), a.criticality)),
      joined(
        ...(a.category ?? []).map((one) => capital(plain(words(), one ?? ''))),
        a.type ? plain(words(), a.type) : '',
      ),
      labelled('Onset', a.onsetDateTime ? undefined : allergy.allergyOnset(words(), a)),
      labelled('Last reaction', a.lastOccurrence ? shortDate(words(), a.lastOccurrence) : undefined),
      labelled('Said by', reference(words(), a.asserter)),
      labelled('Recorded by', reference(words(), a.recorder)),
      ...(a.note ?? []).map(({ text }) => text),
    ],
  };
}

/** An allergy that a problem or an observation states. */
function elsewhereItem(one: Resource): Row {
  const { kind, when } = meaningOf(words(), one);
  return {
    resource: one,
    when,
    title: allergyElsewhere(words(), one) ?? translated(kind),
    status: statusCaution(words(), one),
    details: [labelled('Recorded as', translated(kind))],
  };
}

const NO_ENTRY = 'No allergy has an entry of its own: other records name some, below.';
const NOTHING = 'No data: this chart holds no entry about allergies. That does not mean that there are none.';

export const allergies: Section = {
  id: 'allergies',
  title: 'Allergies and intolerances',
  queries: [ALLERGIES, EVENTS],
  otherKinds: [EVENTS],
  backgroundQueries: [...BORROWED, LISTS],
  sharedRecords: { queries: [...BORROWED, LISTS], wanted: allergiesAmong },
  nothing: NOTHING,
  show([found, others, ...shared], store) {
    const elsewhere = shared.flatMap(({ matches }) => matches);
    const all = ofType('AllergyIntolerance', found?.matches);
    const events = others?.matches ?? [];
    const happened = events.filter((event) => !isEnteredInError(event)).length;
    const { active, noneKnown, notAsked, said, past, refuted, errors, contradictions } = allergy.allergyLists(all);
    const say = (a: AllergyIntolerance): unknown => {
      const isDoubted = elsewhere.length > 0 && allergy.isNoneOfAll(a);
      const tone = contradictions.includes(a) ? 'alert' : noneKnown.includes(a) && !isDoubted ? 'good' : 'unsure';
      const text =
        tone === 'alert'
          ? contradictionText(words(), allergy.absenceText(words(), a))
          : allergy.absenceText(words(), a);
      return statement({ tone, words: text, resource: a, recorded: a.recordedDate }, store);
    };
    const statements = [...noneKnown, ...said].filter((a) => !contradictions.includes(a));
    const brief =
      noneKnown.length > 0 && elsewhere.length === 0
        ? noneKnown.some(allergy.isNoneOfAll)
          ? t('none known')
          : t('none known of a kind')
        : notAsked.length > 0
          ? t('not asked')
          : said.length > 0
            ? t('text alone')
            : happened > 0
              ? t('{n} adverse event|{n} adverse events', { n: happened })
              : elsewhere.length > 0 && t('in other records');
    const group = (title: CountMessage, list: AllergyIntolerance[]): unknown =>
      foldedRows(title, newest(list, allergy.allergyDate), item, store, active.length === 0);
    return {
      ...counted(active),
      ...(active.length === 0 && brief ? { brief } : {}),
      none: all.length > 0 ? undefined : elsewhere.length > 0 ? NO_ENTRY : NOTHING,
      body: html`
        ${[...contradictions, ...statements, ...notAsked].map(say)}
        ${active.length ? rowsOf(active, item, store) : nothing}
        ${group('{n} resolved or inactive entry|{n} resolved or inactive entries', past)}
        ${group('{n} refuted entry|{n} refuted entries', refuted)}
        ${errorsFolded(errors, item, store)}
        ${titledRows('Allergies in other records', elsewhere, elsewhereItem, store)}
        ${eventsView(events, active.length > 0, store)}`,
    };
  },
};
