//! The care plan with its goals.

import { html, nothing } from 'lit-html';
import { cautionOf } from '../fhir/certainty.ts';
import { newest, period, periodDate, shortDate } from '../fhir/date.ts';
import { textAt } from '../fhir/element-text.ts';
import { capital, concept, concepts, isEnteredInError, plain } from '../fhir/text.ts';
import type { Goal } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { planSides } from './care-plan.ts';
import { type Row, rows } from './row.ts';
import type { Section } from './section.ts';
import { ASSESSMENT_AND_PLAN } from './store.ts';

export const GOALS = 'Goal?patient={patient}&_count=200';

const GOALS_OVER = ['completed', 'cancelled', 'rejected', 'entered-in-error'];

/** The values that a target may have. */
const TARGET_VALUES = [
  'detailQuantity',
  'detailRange',
  'detailCodeableConcept',
  'detailString',
  'detailBoolean',
  'detailInteger',
  'detailRatio',
];

/** US Core has servers find a plan by its category. Where it need not be named, plans of all categories are found. */
const PLANS = `CarePlan?patient={patient}&${ASSESSMENT_AND_PLAN}`;

export const plan: Section = {
  id: 'plan',
  title: 'Care plan and goals',
  queries: [PLANS, GOALS],
  nothing: 'No data: no plan is recorded in this chart.',
  show([plans, goals], context) {
    const all = newest(ofType('CarePlan', plans?.matches), (p) => periodDate(p.period));
    const aims = newest(ofType('Goal', goals?.matches), (g) => g.startDate ?? g.statusDate);
    const goal = (g: Goal): Row => ({
      resource: g,
      when: g.startDate ?? g.statusDate,
      title: concept(g.description) ?? t('Goal'),
      status:
        [cautionOf(g), isEnteredInError(g) ? undefined : concept(g.achievementStatus)].filter(Boolean).join(', ') ||
        undefined,
      tone: isEnteredInError(g) ? 'error' : GOALS_OVER.includes(g.lifecycleStatus ?? '') ? 'quiet' : 'plain',
      details: [
        ...(g.target ?? []).map((target) =>
          [
            target.measure ? concept(target.measure) : '',
            textAt(target, ...TARGET_VALUES),
            target.dueDate ? t('by {date}', { date: shortDate(target.dueDate) }) : '',
          ]
            .filter(Boolean)
            .join(' '),
        ),
        textAt(g, 'note'),
      ],
    });
    return {
      count: all.length,
      body: html`${all.map(
        (p) => html`<article class="plan" data-tone=${p.status === 'active' ? 'plain' : 'quiet'}>
          <p class="title">${context.link(
            p,
            p.title ?? concepts(p.category) ?? t('Plan'),
          )} <span class="tag" data-tone=${isEnteredInError(p) ? 'error' : nothing}>${capital(
            cautionOf(p) ?? plain(p.status ?? 'unknown'),
          )}</span> <span class="aside">${period(p.period)}</span></p>
          ${planSides(p, context)}
        </article>`,
      )}
        ${aims.length ? html`<h3>${t('Goals')}</h3>${rows(aims.map(goal), context)}` : nothing}`,
    };
  },
};
