//! The page of a type: its search with a request to try, its parameters, the kinds of their values, its addresses.

import { html, nothing, type TemplateResult } from 'lit-html';
import { typeWords } from '../../../fhir/type-words.ts';
import { t } from '../../../language/message.ts';
import type { Example } from '../../../search/examples.ts';
import { described } from './described.ts';
import { referenceUrl } from './find.ts';
import type { Api, Operation } from './openapi.ts';
import { parameterTable } from './operation-page.ts';
import { Trial, trialView } from './trial.ts';

/** The patient of the sample. */
const PATIENT = 'amara-okafor';

export function typePage(api: Api, type: string, examples: readonly Example[]): () => TemplateResult {
  const of = api.operations.filter((one) => one.type === type);
  const search = of.find(({ path, method }) => method === 'get' && path.endsWith(`/${type}`));
  const trial = new Trial(`/fhir/r4/${exampleOf(type, search, examples)}`);
  const parameters = search?.parameters ?? [];
  const kinds = [...new Set(parameters.flatMap(({ kind }) => kind ?? []))].sort();
  const own = parameters.filter(({ name }) => !name.startsWith('_') && name !== 'Prefer');
  const shared = parameters.filter((one) => !own.includes(one));
  const words = typeWords(type);
  return () =>
    html`<h1 tabindex="-1">${type}</h1>
      <p class="lead">${words === type ? nothing : `${words}. `}${search ? described(search.description) : nothing}
        <a href=${`https://hl7.org/fhir/R4/${type.toLowerCase()}.html`} rel="noreferrer">FHIR R4</a></p>
      <section aria-labelledby="try"><h2 id="try">${t('Try it')}</h2>${trialView(trial)}</section>
      <section aria-labelledby="parameters"><h2 id="parameters">${t('Search parameters')}</h2>${parameterTable(
        own,
        t('Search parameters of {type}', { type }),
      )}
      <details class="folded"><summary>${t('Parameters that every type has')}</summary>${parameterTable(
        shared,
        t('Parameters that every type has'),
      )}</details>
      <details class="folded"><summary>${t('How values are written')}</summary><dl class="kinds">${kinds.map(
        (kind) => html`<div><dt><code>${kind}</code></dt><dd>${described(api.kinds.get(kind) ?? '')}</dd></div>`,
      )}</dl></details></section>
      <section aria-labelledby="addresses"><h2 id="addresses">${t('Addresses')}</h2><ul class="operations"
        role="list">${of.map(addressView)}</ul></section>`;
}

const addressView = ({ id, method, path, summary }: Operation): TemplateResult =>
  html`<li><span class="method">${method.toUpperCase()}</span> <a href=${referenceUrl(id)}><code
    class="breakable">${path}</code></a> <span class="aside">${described(summary)}</span></li>`;

/** A search of the type that finds something in the sample where one is known. */
function exampleOf(type: string, search: Operation | undefined, examples: readonly Example[]): string {
  const known = examples.find((one) => one.type === type && one.query.startsWith(`${type}?`));
  if (known) return known.query;
  const names = search?.parameters.map(({ name }) => name) ?? [];
  return names.includes('patient') ? `${type}?patient=${PATIENT}` : `${type}?_count=3`;
}
