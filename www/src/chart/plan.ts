//! The care plan with its goals.

import { html, nothing } from 'lit-html';
import { newest, period, periodDate, shortDate } from '../fhir/date.ts';
import { capital, concept, concepts, plain, quantity } from '../fhir/text.ts';
import type { Goal } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { planSides } from './care-plan.ts';
import { type Row, rows } from './row.ts';
import type { Section } from './section.ts';

export const GOALS = 'Goal?patient={patient}&_count=200';

export const plan: Section = {
  id: 'plan',
  title: 'Care plan and goals',
  queries: ['CarePlan?patient={patient}&category=assess-plan', GOALS],
  nothing: 'No data: no plan is recorded in this chart.',
  show([plans, goals], context) {
    const all = newest(ofType('CarePlan', plans?.matches), (p) => periodDate(p.period));
    const aims = newest(ofType('Goal', goals?.matches), (g) => g.startDate ?? g.statusDate);
    const goal = (g: Goal): Row => ({
      resource: g,
      when: g.startDate ?? g.statusDate,
      title: concept(g.description) ?? t('Goal'),
      status: concept(g.achievementStatus) ?? (g.lifecycleStatus === 'active' ? undefined : g.lifecycleStatus),
      tone: g.lifecycleStatus === 'active' || g.lifecycleStatus === 'planned' ? 'plain' : 'quiet',
      details: (g.target ?? []).map((target) =>
        [
          target.measure ? concept(target.measure) : '',
          quantity(target.detailQuantity) ?? target.detailString,
          target.dueDate ? t('by {date}', { date: shortDate(target.dueDate) }) : '',
        ]
          .filter(Boolean)
          .join(' '),
      ),
    });
    return {
      count: all.length,
      body: html`${all.map(
        (p) => html`<article class="plan" data-tone=${p.status === 'active' ? 'plain' : 'quiet'}>
          <p class="title">${context.link(
            p,
            p.title ?? concepts(p.category) ?? t('Plan'),
          )} <span class="tag">${capital(plain(p.status))}</span> <span class="aside">${period(p.period)}</span></p>
          ${planSides(p, context)}
        </article>`,
      )}
        ${aims.length ? html`<h3>${t('Goals')}</h3>${rows(aims.map(goal), context)}` : nothing}`,
    };
  },
};
