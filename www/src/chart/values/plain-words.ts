//! The plain words of a test, and of the marks and statuses of its results. They are marked as our own.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital, plain } from '#reading/fhir/text.ts';
import { type Concept, isOfType, type Resource } from '#reading/fhir/types.ts';
import { FLAGS, type Flag, judgements } from '#reading/results/flags/flag.ts';
import { plainFlag, plainStatus, plainTest } from '#reading/results/plain-words.ts';
import { t, words } from '../../language/message.ts';
import { fact } from '../../parts/fact.ts';
import { flagView } from './reading.ts';

/** Draws what a test is. Draws nothing for a test without plain words. */
export function plainTestView(of: Concept | undefined): TemplateResult | typeof nothing {
  const [name, says] = plainTest(words(), of) ?? [];
  return name
    ? html`<p class="plain-words"><strong>${name}</strong>: ${says} <small>${t(
        'In edgechart’s own words, not the laboratory’s.',
      )}</small></p>`
    : nothing;
}

/** Draws what the flags and the statuses of results mean. Draws nothing if no result has one that needs it. */
export function plainMarksView(
  flags: readonly (Flag | undefined)[],
  statuses: readonly (string | undefined)[],
): TemplateResult | typeof nothing {
  const marks = (Object.keys(FLAGS) as Flag[]).filter((flag) => flags.includes(flag));
  const others = [...new Set(statuses)].flatMap((status) => {
    const says = plainStatus(words(), status);
    return says ? [fact(capital(plain(words(), status) ?? ''), says)] : [];
  });
  if (marks.length + others.length === 0) return nothing;
  return html`<div class="plain-words"><dl>${marks.map((flag) =>
    fact(flagView(flag), plainFlag(words(), flag)),
  )}${others}</dl>${
    marks.length > 0
      ? html`<p><small>${t(
          'A mark compares a value with its range. What it means for a person, their care team can say.',
        )}</small></p>`
      : nothing
  }</div>`;
}

/** Draws the plain words of a record of a result. Draws nothing for other records. */
export function plainResultView(resource: Resource): TemplateResult | typeof nothing {
  if (isOfType('Observation', resource)) {
    const flags = judgements(resource).map(({ judgement }) => judgement.flag);
    return html`${plainTestView(resource.code)}${plainMarksView(flags, [resource.status])}`;
  }
  return isOfType('DiagnosticReport', resource)
    ? html`${plainTestView(resource.code)}${plainMarksView([], [resource.status])}`
    : nothing;
}
