//! The care plan with its goals.

import { html, nothing, type TemplateResult } from 'lit-html';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { goalDate, newest, period, periodDate, shortDate } from '#reading/fhir/date.ts';
import { textAt } from '#reading/fhir/element-text.ts';
import { concept, isEnteredInError, plain, quantity } from '#reading/fhir/text.ts';
import { type Goal, ofType, type ResourceOf } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { namesReferredTo } from '#reading/records/reasons.ts';
import { t, words } from '../../language/message.ts';
import { folded } from '../../parts/folded.ts';
import { longList } from '../../parts/long-list.ts';
import { tag } from '../../parts/tag.ts';
import { ASSESSMENT_AND_PLAN, type ChartStore } from '../loading/store.ts';
import { otherRow } from '../other-records.ts';
import { recordButton } from '../record/record-link.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, labelled, newestRows, type Row } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { planSides } from './care-plan.ts';

type CarePlan = ResourceOf<'CarePlan'>;
type Target = NonNullable<Goal['target']>[number];

export const GOALS = 'Goal?patient={patient}&_count=200';

const GOALS_OVER = ['completed', 'cancelled', 'rejected'];
const isStanding = ({ lifecycleStatus }: Goal): boolean => !GOALS_OVER.includes(lifecycleStatus ?? '');

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

/** US Core requires the category in a search for plans. `ChartStore` drops it for local records and our own server. */
export const PLANS = `CarePlan?patient={patient}&${ASSESSMENT_AND_PLAN}`;

export const plan: Section = {
  id: 'plan',
  title: 'Care plan and goals',
  queries: [PLANS, GOALS],
  nothing: 'No data: no plan is recorded in this chart.',
  show([plans, goals], store) {
    const all = newest(ofType('CarePlan', plans?.matches), (p) => periodDate(p.period));
    const aims = newest(ofType('Goal', goals?.matches), goalDate);
    const errors = [...all, ...aims].filter(isEnteredInError);
    const [valid, valued] = [all.filter((p) => !errors.includes(p)), aims.filter((g) => !errors.includes(g))];
    const over = valid.filter(isOver);
    const current = valid.filter((p) => !over.includes(p));
    const article = (p: CarePlan): TemplateResult => planArticle(p, store);
    const folding = { name: t('Goals'), stays: isStanding };
    const brief = valued.length > 0 && t('{n} goal|{n} goals', { n: valued.length });
    return {
      ...counted(current),
      ...(current.length === 0 && brief ? { brief } : {}),
      none: current.length === 0 ? 'No care plan is current.' : undefined,
      body: html`${longList(current, article)}${
        over.length > 0
          ? folded(t('{n} earlier plan|{n} earlier plans', { n: over.length }), html`${longList(over, article)}`)
          : nothing
      }
        ${valued.length ? html`<h3>${t('Goals')}</h3>${newestRows(valued, goalRow, folding, store)}` : nothing}
        ${errorsFolded(errors, (one) => otherRow(one), store)}`,
    };
  },
};

/** Returns whether a plan is over by its status. Its period does not count, since many systems do not update it. */
const isOver = ({ status }: CarePlan): boolean => ['completed', 'revoked'].includes(status ?? '');

const planArticle = (p: CarePlan, store: ChartStore): TemplateResult => html`<article class="plan"
  data-tone=${p.status === 'active' ? 'plain' : 'quiet'}>
  <p class="title">${recordButton(store, p, meaningOf(words(), p).what ?? t('Plan'))}${tag(
    statusCaution(words(), p) ?? plain(words(), p.status ?? 'unknown'),
  )} <span class="aside">${period(words(), p.period)}</span></p>
  ${planSides(p, store)}
</article>`;

/** Returns a target of a goal in words: what is measured, the value, and until when. */
const targetText = (target: Target): string =>
  joinedBy(
    ' ',
    target.measure ? concept(words(), target.measure) : '',
    textAt(words(), target, ...TARGET_VALUES),
    target.dueDate
      ? t('by {date}', { date: shortDate(words(), target.dueDate) })
      : target.dueDuration && t('within {time}', { time: quantity(words(), target.dueDuration) ?? '' }),
  );

function goalRow(g: Goal, store: ChartStore): Row {
  return {
    resource: g,
    when: goalDate(g),
    title: concept(words(), g.description) ?? t('Goal'),
    status: joined(statusCaution(words(), g), concept(words(), g.achievementStatus)) || undefined,
    tone: isStanding(g) ? 'plain' : 'quiet',
    details: [
      ...(g.target ?? []).map(targetText),
      labelled('Priority', textAt(words(), g, 'priority')),
      labelled('For', namesReferredTo(words(), g, 'addresses', store).join(', ')),
      labelled('Why this status', textAt(words(), g, 'statusReason')),
      labelled(
        'Outcome',
        joined(textAt(words(), g, 'outcomeCode'), ...namesReferredTo(words(), g, 'outcomeReference', store)),
      ),
      textAt(words(), g, 'note'),
    ],
  };
}
