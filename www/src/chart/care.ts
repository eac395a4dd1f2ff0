//! Care: procedures and devices, the plan with its goals, the team, what was ordered, the visits.

import { html, nothing } from 'lit-html';
import { newest, period, shortDate } from '../fhir/date.ts';
import { narrative } from '../fhir/narrative.ts';
import { shortName } from '../fhir/names.ts';
import { isPlanned } from '../fhir/standing.ts';
import {
  capital,
  concept,
  concepts,
  isEnteredInError,
  plain,
  plural,
  quantity,
  reference,
  references,
} from '../fhir/text.ts';
import type {
  CarePlan,
  CareTeam,
  Concept,
  Encounter,
  Goal,
  Identifier,
  Procedure,
  Reference,
  Resource,
  ServiceRequest,
} from '../fhir/types.ts';
import { folded, labelled, rows, type Row } from './row.ts';
import type { Place, Section } from './section.ts';

/** Reasons in words: codes, and what the references lead to where it is at hand. */
function reasons(of: { reasonCode?: Concept[]; reasonReference?: Reference[] }, place: Place): string {
  const led = (of.reasonReference ?? []).map(
    (to) => to.display ?? concept((place.store.known(to.reference ?? '') as { code?: Concept } | undefined)?.code),
  );
  return [...new Set([concepts(of.reasonCode), ...led].filter(Boolean))].join(', ');
}

const performed = (p: Procedure): string | undefined => p.performedDateTime ?? p.performedPeriod?.start;

export const procedures: Section = {
  id: 'procedures',
  title: 'Procedures and devices',
  queries: ['Procedure?patient={patient}&_count=200', 'Device?patient={patient}&_count=200'],
  nothing: 'No data: no procedure is recorded in this chart.',
  show([found, devices], place) {
    const all = newest((found?.matches ?? []) as Procedure[], performed);
    const item = (p: Procedure): Row => ({
      resource: p,
      when: performed(p),
      title: concept(p.code) ?? 'Procedure not named',
      status: p.status === 'completed' ? undefined : p.status,
      tone: isEnteredInError(p) ? 'error' : p.status === 'not-done' ? 'quiet' : 'plain',
      details: [
        p.performedString,
        labelled('For', reasons(p, place)),
        labelled('By', references((p.performer ?? []).flatMap(({ actor }) => actor ?? []))),
        labelled('At', reference(p.location)),
        labelled('Why not', concept(p.statusReason)),
        ...(p.note ?? []).map(({ text }) => text),
      ],
    });
    type Device = Resource & {
      deviceName?: { name?: string }[];
      type?: Concept;
      status?: string;
      manufacturer?: string;
      manufactureDate?: string;
      serialNumber?: string;
      safety?: Concept[];
      identifier?: Identifier[];
    };
    const implants = (devices?.matches ?? []) as Device[];
    const device = (d: Device): Row => ({
      resource: d,
      when: d.manufactureDate,
      title: d.deviceName?.[0]?.name ?? concept(d.type) ?? 'Device',
      status: d.status === 'active' ? undefined : d.status,
      details: [
        d.deviceName?.[0]?.name ? concept(d.type) : undefined,
        [d.manufacturer, d.serialNumber ? `serial ${d.serialNumber}` : ''].filter(Boolean).join(', '),
        concepts(d.safety),
      ],
    });
    return {
      count: all.length,
      body: html`${
        all.length
          ? rows(all.map(item), place)
          : html`<p class="state empty">No procedure is recorded in this chart.</p>`
      }
        ${implants.length ? html`<h3>Implanted devices</h3>${rows(implants.map(device), place)}` : nothing}`,
    };
  },
};

export const plan: Section = {
  id: 'plan',
  title: 'Care plan and goals',
  queries: ['CarePlan?patient={patient}&category=assess-plan', 'Goal?patient={patient}&_count=200'],
  nothing: 'No data: no plan is recorded in this chart.',
  show([plans, goals], place) {
    const all = newest((plans?.matches ?? []) as CarePlan[], (p) => p.period?.start);
    const aims = newest((goals?.matches ?? []) as Goal[], (g) => g.startDate ?? g.statusDate);
    const goal = (g: Goal): Row => ({
      resource: g,
      when: g.startDate ?? g.statusDate,
      title: concept(g.description) ?? 'Goal',
      status: concept(g.achievementStatus) ?? (g.lifecycleStatus === 'active' ? undefined : g.lifecycleStatus),
      tone: g.lifecycleStatus === 'active' || g.lifecycleStatus === 'planned' ? 'plain' : 'quiet',
      details: (g.target ?? []).map((t) =>
        [
          t.measure ? concept(t.measure) : '',
          quantity(t.detailQuantity) ?? t.detailString,
          t.dueDate ? `by ${shortDate(t.dueDate)}` : '',
        ]
          .filter(Boolean)
          .join(' '),
      ),
    });
    return {
      count: all.length,
      body: html`${all.map(
        (p) => html`<article class="plan" data-tone=${p.status === 'active' ? 'plain' : 'quiet'}>
          <p class="title">${place.link(
            p,
            p.title ?? concepts(p.category) ?? 'Plan',
          )} <span class="tag">${capital(plain(p.status))}</span> <span class="aside">${period(p.period)}</span></p>
          ${
            p.text?.div
              ? html`<div class="narrative">${narrative(p.text.div)}</div>`
              : p.description
                ? html`<p>${p.description}</p>`
                : nothing
          }
          ${
            p.addresses?.length
              ? html`<p class="detail">${labelled(
                  'For',
                  p.addresses
                    .map(
                      (to) =>
                        to.display ??
                        concept((place.store.known(to.reference ?? '') as { code?: Concept } | undefined)?.code) ??
                        reference(to),
                    )
                    .join(', '),
                )}</p>`
              : nothing
          }
        </article>`,
      )}
        ${aims.length ? html`<h3>Goals</h3>${rows(aims.map(goal), place)}` : nothing}`,
    };
  },
};

export const team: Section = {
  id: 'team',
  title: 'Care team',
  queries: ['CareTeam?patient={patient}&_include=CareTeam:participant&_count=50'],
  nothing: 'No data: no care team is recorded in this chart.',
  show([found], place) {
    const all = newest((found?.matches ?? []) as CareTeam[], (t) => t.period?.start);
    type Named = Resource & {
      name?: { text?: string; family?: string; given?: string[] }[] | string;
      practitioner?: Reference;
      code?: Concept[];
      specialty?: Concept[];
    };
    const member = (to: Reference | undefined): string => {
      const target = (found?.included ?? []).find(({ resourceType, id }) =>
        to?.reference?.endsWith(`${resourceType}/${id}`),
      ) as Named | undefined;
      if (to?.display) return to.display;
      if (target?.practitioner) return reference(target.practitioner) ?? 'Not named';
      const name = Array.isArray(target?.name)
        ? (target.name[0]?.text ?? [...(target.name[0]?.given ?? []), target.name[0]?.family].join(' '))
        : target?.name;
      return name || (to?.reference?.startsWith('Patient/') ? 'The patient' : reference(to)) || 'Not named';
    };
    const active = all.filter(({ status }) => status === 'active');
    const past = all.filter((t) => !active.includes(t));
    const one = (
      t: CareTeam,
    ): unknown => html`<article class="team"><p class="title">${place.link(t, t.name ?? 'Care team')} ${
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

export const orders: Section = {
  id: 'orders',
  title: 'Orders and referrals',
  queries: ['ServiceRequest?patient={patient}&_count=200'],
  nothing: 'No data: no order is recorded in this chart.',
  show([found], place) {
    const all = newest((found?.matches ?? []) as ServiceRequest[], ({ authoredOn }) => authoredOn);
    const item = (s: ServiceRequest): Row => ({
      resource: s,
      when: s.authoredOn,
      title: shortName(concept(s.code) ?? 'Order not named').main,
      status:
        [
          s.status === 'completed' ? '' : s.status,
          isPlanned(s) && s.status !== 'draft' ? s.intent : '',
          s.doNotPerform ? 'do not perform' : '',
        ]
          .filter(Boolean)
          .join(', ') || undefined,
      tone: isEnteredInError(s) ? 'error' : s.status === 'active' ? 'plain' : 'quiet',
      details: [
        concepts(s.category),
        labelled('For', reasons(s, place)),
        labelled('When', s.occurrenceDateTime ? shortDate(s.occurrenceDateTime) : period(s.occurrencePeriod)),
        labelled('Ordered by', reference(s.requester)),
        labelled('Sent to', references(s.performer)),
      ],
    });
    const going = all.filter(({ status }) => ['active', 'draft', 'on-hold'].includes(status ?? ''));
    const [planned, open] = [going.filter(isPlanned), going.filter((s) => !isPlanned(s))];
    const done = all.filter((s) => !going.includes(s));
    return {
      count: open.length,
      of: 'open',
      body: html`${open.length ? rows(open.map(item), place) : html`<p class="state empty">No open order.</p>`}${
        planned.length ? html`<h3>Planned, not ordered</h3>${rows(planned.map(item), place)}` : nothing
      }${done.length ? folded(plural(done.length, 'earlier order'), rows(done.map(item), place)) : nothing}`,
    };
  },
};

export const encounters: Section = {
  id: 'visits',
  title: 'Visits',
  queries: ['Encounter?patient={patient}&_count=200'],
  nothing: 'No data: no visit is recorded in this chart.',
  show([found], place) {
    const all = newest((found?.matches ?? []) as Encounter[], (e) => e.period?.start);
    const item = (e: Encounter): Row => ({
      resource: e,
      when: e.period?.start,
      title: concepts(e.type) || e.class?.display || 'Visit',
      status: e.status === 'finished' ? undefined : e.status,
      tone: isEnteredInError(e) ? 'error' : 'plain',
      details: [
        labelled('For', concepts(e.reasonCode)),
        [e.class?.display ?? e.class?.code, reference(e.serviceProvider)].filter(Boolean).join(' · '),
        references((e.location ?? []).flatMap(({ location: at }) => at ?? [])),
      ],
    });
    const [recent, earlier] = [all.slice(0, 6), all.slice(6)];
    return {
      count: all.length,
      body: html`${rows(recent.map(item), place)}${
        earlier.length ? folded(plural(earlier.length, 'earlier visit'), rows(earlier.map(item), place)) : nothing
      }`,
    };
  },
};
