//! The care teams.

import { html, nothing } from 'lit-html';
import { newest, period } from '../fhir/date.ts';
import { capital, concepts, plain, plural, reference } from '../fhir/text.ts';
import type { CareTeam, Reference, Resource } from '../fhir/types.ts';
import { isOfType, ofType } from '../fhir/types.ts';
import { folded } from './row.ts';
import type { Section } from './section.ts';

/** The name of a person, a role or an organization. */
function nameOfMember(member: Resource | undefined): string | undefined {
  if (isOfType('PractitionerRole', member)) return reference(member.practitioner);
  if (isOfType('Organization', member)) return member.name;
  if (!isOfType('Practitioner', member) && !isOfType('RelatedPerson', member)) return undefined;
  const [name] = member.name ?? [];
  return name?.text ?? [...(name?.given ?? []), name?.family].filter(Boolean).join(' ');
}

export const team: Section = {
  id: 'team',
  title: 'Care team',
  queries: ['CareTeam?patient={patient}&_include=CareTeam:participant&_count=50'],
  nothing: 'No data: no care team is recorded in this chart.',
  show([found], context) {
    const all = newest(ofType('CareTeam', found?.matches), (t) => t.period?.start);
    const member = (to: Reference | undefined): string => {
      if (to?.display) return to.display;
      const target = (found?.included ?? []).find(({ resourceType, id }) =>
        to?.reference?.endsWith(`${resourceType}/${id}`),
      );
      return (
        nameOfMember(target) || (to?.reference?.startsWith('Patient/') ? 'The patient' : reference(to)) || 'Not named'
      );
    };
    const active = all.filter(({ status }) => status === 'active');
    const past = all.filter((t) => !active.includes(t));
    const one = (
      t: CareTeam,
    ): unknown => html`<article class="team"><p class="title">${context.link(t, t.name ?? 'Care team')} ${
      t.status === 'active' ? nothing : html`<span class="tag" data-tone="quiet">${capital(plain(t.status))}</span>`
    } <span class="aside">${period(t.period)}</span></p>
      <dl class="people">${(t.participant ?? []).map(
        ({ role, member: who, onBehalfOf }) =>
          html`<div><dt>${concepts(role) || 'Member'}</dt><dd>${member(who)}${
            onBehalfOf ? html` <span class="aside">${reference(onBehalfOf)}</span>` : nothing
          }</dd></div>`,
      )}</dl></article>`;
    return {
      count: active.length,
      body: html`${active.map(one)}${
        past.length ? folded(plural(past.length, 'former team'), html`${past.map(one)}`) : nothing
      }`,
    };
  },
};
