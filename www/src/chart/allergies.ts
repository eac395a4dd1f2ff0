//! Allergies and intolerances. Three things must never look alike: none are known, nobody asked, nothing is recorded.

import { html, nothing } from 'lit-html';
import { newest, periodDate, shortDate } from '../fhir/date.ts';
import { capital, codeOf, concept, concepts, hasCode, isEnteredInError, plain, reference } from '../fhir/text.ts';
import type { AllergyIntolerance } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { number } from '../language/number.ts';
import { own } from '../own.ts';
import { folded, labelled, type Row, rows } from './row.ts';
import type { Section } from './section.ts';

/** SNOMED CT's codes for what is recorded in place of an allergy. */
const NOT_ASKED = ['1631000175102'];
const NONE_KNOWN: Record<string, PlainMessage> = {
  '716186003': 'No known allergies.',
  '409137002': 'No known drug allergies.',
  '428607008': 'No known environmental allergies.',
  '429625007': 'No known food allergies.',
};

export const ALLERGIES = 'AllergyIntolerance?patient={patient}&_count=200';

/** The entries about allergies by what they say. */
export interface AllergyLists {
  active: AllergyIntolerance[];
  /** Entries that say that none are known, in general or of a kind. */
  noneKnown: AllergyIntolerance[];
  /** Entries that say that nobody has asked. */
  notAsked: AllergyIntolerance[];
  past: AllergyIntolerance[];
  errors: AllergyIntolerance[];
}

export function allergyLists(all: AllergyIntolerance[]): AllergyLists {
  const valid = all.filter((a) => !isEnteredInError(a));
  const standing = valid.filter(
    (a) => !hasCode(a.clinicalStatus, 'inactive', 'resolved') && !hasCode(a.verificationStatus, 'refuted'),
  );
  const notAsked = standing.filter((a) => NOT_ASKED.includes(code(a)));
  const noneKnown = standing.filter((a) => own(NONE_KNOWN, code(a)));
  return {
    active: standing.filter((a) => !notAsked.includes(a) && !noneKnown.includes(a)),
    noneKnown,
    notAsked,
    past: valid.filter((a) => !standing.includes(a)),
    errors: all.filter((a) => !valid.includes(a)),
  };
}

/** The sentence of an entry that says that no allergy is known. */
export const noneKnownText = (a: AllergyIntolerance): string => {
  const text = own(NONE_KNOWN, code(a));
  return text ? t(text) : '';
};

/** Returns whether an allergy is of high criticality, or a reaction was severe. */
export const isSevere = ({ criticality, reaction }: AllergyIntolerance): boolean =>
  criticality === 'high' || (reaction ?? []).some(({ severity }) => severity === 'severe');

export const allergyName = (a: AllergyIntolerance): string => concept(a.code) ?? t('Substance not named');

const when = (a: AllergyIntolerance): string | undefined =>
  a.onsetDateTime ?? periodDate(a.onsetPeriod) ?? a.recordedDate;
const code = (a: AllergyIntolerance): string => codeOf(a.code) ?? '';

function item(a: AllergyIntolerance): Row {
  const severe = isSevere(a);
  const status = codeOf(a.clinicalStatus);
  const verification = codeOf(a.verificationStatus);
  const active = status === 'active' || status === undefined;
  const reactions = (a.reaction ?? [])
    .map(({ manifestation, severity, description }) =>
      [concepts(manifestation) || description, severity ? `(${plain(severity)})` : ''].filter(Boolean).join(' '),
    )
    .join('; ');
  return {
    resource: a,
    when: when(a),
    title: allergyName(a),
    status: isEnteredInError(a)
      ? 'entered in error'
      : [
          active ? (severe ? t('high risk') : '') : status,
          verification && verification !== 'confirmed' ? verification : '',
        ]
          .filter(Boolean)
          .join(', ') || undefined,
    tone: isEnteredInError(a) ? 'error' : !active ? 'quiet' : severe ? 'alert' : 'plain',
    details: [
      labelled(t('Reaction'), reactions),
      [...(a.category ?? []).map((one) => capital(plain(one ?? ''))), a.type ? plain(a.type) : '']
        .filter(Boolean)
        .join(', '),
      labelled(t('Since age'), a.onsetAge?.value === undefined ? undefined : number(a.onsetAge.value)),
      labelled(t('Last reaction'), a.lastOccurrence ? shortDate(a.lastOccurrence) : undefined),
      labelled(t('Recorded by'), reference(a.recorder)),
      ...(a.note ?? []).map(({ text }) => text),
    ],
  };
}

export const allergies: Section = {
  id: 'allergies',
  title: 'Allergies and intolerances',
  queries: [ALLERGIES],
  nothing: 'No data: this chart holds no entry about allergies. That does not mean that there are none.',
  show([found], context) {
    const all = ofType('AllergyIntolerance', found?.matches);
    const { active, noneKnown, notAsked, past, errors } = allergyLists(all);
    const said = (sign: string, tone: string, text: string, a: AllergyIntolerance): unknown =>
      html`<p class="statement" data-tone=${tone}><span class="mark"
        aria-hidden="true">${sign}</span><span><strong>${text}</strong> ${context.link(
          a,
          t('Recorded {date}', { date: shortDate(a.recordedDate) }),
        )}</span></p>`;
    return {
      count: active.length,
      ...(active.length === 0 && noneKnown.length
        ? { brief: t('none known') }
        : active.length === 0 && notAsked.length
          ? { brief: t('not asked') }
          : {}),
      body: html`
        ${noneKnown.map((a) => said('✓', 'good', noneKnownText(a), a))}
        ${notAsked.map((a) => said('?', 'unsure', t('Not asked: nobody has asked this patient about allergies.'), a))}
        ${active.length ? rows(newest(active, when).map(item), context) : nothing}
        ${
          past.length
            ? folded(
                t('{n} resolved or inactive entry|{n} resolved or inactive entries', { n: past.length }),
                rows(newest(past, when).map(item), context),
                active.length === 0,
              )
            : nothing
        }
        ${
          errors.length
            ? folded(
                t('{n} entry made in error|{n} entries made in error', { n: errors.length }),
                rows(errors.map(item), context),
              )
            : nothing
        }`,
    };
  },
};
