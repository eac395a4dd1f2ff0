//! Care teams.

import { html, nothing } from 'lit-html';
import { newest, period } from '#reading/fhir/date.ts';
import { concepts, plain, reference } from '#reading/fhir/text.ts';
import { type CareTeam, ofType, type Reference } from '#reading/fhir/types.ts';
import { t, words } from '../../language/message.ts';
import { fact } from '../../parts/fact.ts';
import { folded } from '../../parts/folded.ts';
import { longList } from '../../parts/long-list.ts';
import { tag } from '../../parts/tag.ts';
import { otherRow } from '../other-records.ts';
import { recordButton } from '../record/record-link.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded } from '../section/row.ts';
import type { Section } from '../section/section.ts';

/** The statuses of a team that does not care for the patient now. A team without a status does. */
const OVER = ['inactive', 'suspended', 'proposed'];

export const team: Section = {
  id: 'team',
  title: 'Care team',
  queries: ['CareTeam?patient={patient}&_include=CareTeam:participant&_count=50'],
  nothing: 'No data: no care team is recorded in this chart.',
  show([found], store) {
    const all = newest(ofType('CareTeam', found?.matches), ({ period: of }) => of?.start);
    const member = (to: Reference | undefined): string => {
      if (to?.reference === `Patient/${store.patient}` && !to.display) return t('The patient');
      return reference(words(), to) || t('Not named');
    };
    const { valid, errors } = byValidity(all);
    const active = valid.filter(({ status }) => !OVER.includes(status ?? ''));
    const past = valid.filter((one) => !active.includes(one));
    const teamView = (
      one: CareTeam,
    ): unknown => html`<article class="team"><p class="title">${recordButton(store, one, one.name || t('Care team'))} ${
      one.status === 'active' ? nothing : tag(plain(words(), one.status), 'quiet')
    } <span class="aside">${period(words(), one.period)}</span></p>
      <dl class="people">${(one.participant ?? []).map(({ role, member: who, onBehalfOf, period: during }) =>
        fact(
          concepts(words(), role) || t('Member'),
          html`${member(who)}${
            onBehalfOf ? html` <span class="aside">${reference(words(), onBehalfOf)}</span>` : nothing
          } <span class="aside">${period(words(), during)}</span>`,
        ),
      )}</dl></article>`;
    return {
      ...counted(active),
      none: active.length === 0 ? 'No care team is current.' : undefined,
      body: html`${longList(active, teamView)}${
        past.length
          ? folded(t('{n} other team|{n} other teams', { n: past.length }), html`${longList(past, teamView)}`)
          : nothing
      }${errorsFolded(errors, (one) => otherRow(one), store)}`,
    };
  },
};
