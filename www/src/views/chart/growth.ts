//! The part of a chart that shows growth. Its curves are fetched when they are first wanted.

import { html, type TemplateResult } from 'lit-html';
import { patientOf } from '../../chart/banner.ts';
import type { SectionContext } from '../../chart/section.ts';
import { VITALS } from '../../chart/test-groups.ts';
import { ofType } from '../../fhir/types.ts';
import { t } from '../../language/message.ts';
import { empty, failed, notGranted, waiting } from '../../parts/notice.ts';
import { obstacleText } from '../../source/abilities.ts';

type GrowthModule = typeof import('../../growth/view.ts');

let module: GrowthModule | undefined;
let problem = false;

async function load(redraw: () => void): Promise<void> {
  try {
    module = await import('../../growth/view.ts');
    problem = false;
  } catch {
    problem = true;
  }
  redraw();
}

/** Returns what is drawn: the growth, or the reason for none yet. */
export function growthPart(context: SectionContext, redraw: () => void): TemplateResult {
  const state = context.store.of(VITALS);
  if (state.is === 'withheld') return notGranted(state.why);
  if (state.is === 'not offered') return empty(obstacleText(state.obstacle));
  if (state.is === 'failed') return failed(state.exchange, state.says);
  if (!module && !problem) void load(redraw);
  if (problem) {
    const again = (): void => {
      problem = false;
      redraw();
    };
    return html`${failed(undefined, t('The growth curves could not be loaded.'))}
      <p class="actions"><button type="button" @click=${again}>${t('Try again')}</button></p>`;
  }
  if (!module || state.is === 'waiting') return waiting(t('growth'));
  return module.growthView(ofType('Observation', state.found.matches), patientOf(context.store), context);
}
