//! The page of a type: its parameters, the kinds of their values and its addresses, and a search beside its answer.

import type { Signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { typeWords } from '#reading/fhir/type-words.ts';
import { own } from '#reading/own.ts';
import { type PlainMessage, rich, t, words } from '../../../language/message.ts';
import { fact } from '../../../parts/fact.ts';
import { folded } from '../../../parts/folded.ts';
import type { Example } from '../../../search/examples.ts';
import type { SearchedType } from '../../../source/searched-types.ts';
import type { Page } from '../panes.ts';
import { Trial, trialView } from '../trial.ts';
import { described, marked } from './described.ts';
import type { Api, Operation, Parameter } from './openapi.ts';
import { parameterList } from './parameters.ts';

/** Returns the address of the page of a type or an operation. */
export const referenceUrl = (part: string): string => `/#/reference/${encodeURIComponent(part)}`;

/** The patient of the sample. */
export const PATIENT = 'amara-okafor';

/** The types with the search parameters that the server supports; `undefined` until it has answered. */
type Served = Signal<readonly SearchedType[] | undefined>;

/** Parameters that every type has, but not every index. */
const OF_RECORDS = ['_profile', '_security', '_source', '_tag'];

/** Returns the sort key of a parameter: its name without `_`, in lower case. */
const orderOf = ({ name }: Parameter): string => name.replace(/^_/, '').toLowerCase();

const searchIn = ({ operations }: Api, type: string): Operation | undefined =>
  operations.find((one) => one.type === type && one.method === 'get' && one.path.endsWith(`/${type}`));

export function typePage(api: Api, type: string, examples: readonly Example[], served: Served): () => Page {
  const search = searchIn(api, type);
  const trial = new Trial(`/fhir/r4/${searchOf(type, api, examples)}`).begin();
  const parameters = (search?.parameters ?? []).toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)));
  const kinds = [...new Set(parameters.flatMap(({ kind }) => kind ?? []))].sort();
  const ofType = parameters.filter(
    ({ name }) => OF_RECORDS.includes(name) || (!name.startsWith('_') && name !== 'Prefer'),
  );
  const shared = parameters.filter((one) => !ofType.includes(one));
  const text = typeWords(words(), type);
  return () => ({
    head: html`<h1 tabindex="-1">${type}</h1>
      <p class="lead">${text === type ? nothing : `${text}. `}${described(
        [api.holds.get(type), search?.description].join(' '),
      )}
        <a href=${`https://hl7.org/fhir/R4/${type.toLowerCase()}.html#resource`} rel="noreferrer">${t(
          'Elements in FHIR R4',
        )}</a></p>`,
    code: { title: t('Try it'), content: trialView(trial) },
    rest: html`<section aria-labelledby="parameters"><h2 id="parameters">${t('Search parameters')}</h2>
      ${ownParameters(
        ofType,
        served.value?.find((one) => one.type === type),
      )}
      ${folded(t('Parameters that every type has'), parameterList(shared))}
      ${folded(
        t('How values are written'),
        html`<dl class="kinds">${kinds.map((kind) => fact(html`<code>${kind}</code>`, kindSays(kind, api)))}</dl>`,
      )}</section>
      <section aria-labelledby="addresses"><h2 id="addresses">${t('Addresses')}</h2><ul class="operations"
        role="list">${api.operations.filter((one) => one.type === type).map(operationLink)}</ul></section>`,
  });
}

/** Draws the description of a kind of value, with an example. */
function kindSays(kind: string, { kinds }: Api): TemplateResult {
  const said = kinds.get(kind) ?? '';
  const words = own(KINDS_WITHOUT_WORDS, kind);
  const example = own(EXAMPLES, kind);
  return html`${said ? described(said) : words ? t(words) : nothing}${
    example
      ? html` <span class="detail">${rich('For example {value}', { value: html`<code>${example}</code>` })}</span>`
      : nothing
  }`;
}

const KINDS_WITHOUT_WORDS: Record<string, PlainMessage> = {
  Count: 'A number from 0 to 200; 50 where nothing is said.',
  Elements: 'Names of elements of the top level, with commas between them.',
};

/** An example of each kind of value, with the name of a parameter. */
const EXAMPLES: Record<string, string> = {
  Boolean: 'active=true',
  Canonical: 'instantiates-canonical=http://example.org/PlanDefinition/a',
  Code: 'status=final,amended',
  Composite: 'code-value-quantity=http://loinc.org|4548-4$gt7',
  Count: '_count=10',
  Date: 'date=ge2024-01-01&date=lt2025',
  Elements: '_elements=code,status',
  Id: '_id=amara-okafor',
  Identifier: 'identifier=http://hospital.example.org|12345',
  Number: 'probability=gt0.8',
  Quantity: 'value-quantity=gt7|http://unitsofmeasure.org|%',
  Reference: 'patient=amara-okafor',
  String: 'name=okafor',
  Token: 'code=http://loinc.org|4548-4',
  Uri: '_profile=http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient',
};

/** Draws the parameters of the type itself: those that the server supports, then those that its index lacks. */
function ownParameters(parameters: readonly Parameter[], of: SearchedType | undefined): TemplateResult {
  const names = new Set(of?.searchParam?.map(({ name }) => name));
  const [here, others] = [
    parameters.filter(({ name }) => !of || names.has(name)),
    parameters.filter(({ name }) => of && !names.has(name)),
  ];
  if (others.length === 0) return parameterList(here);
  return html`<p>${t('The records of this server are indexed by these. Sorting and includes go by the same.')}</p>
    ${parameterList(here)}
    ${folded(
      t('Parameters of FHIR R4 that this server is not indexed by: {n}', { n: others.length }),
      html`<p>${marked(t('A search by one of them is refused: `400 not-supported`.'))}</p>${parameterList(others)}`,
    )}`;
}

const operationLink = ({ id, method, path, summary }: Operation): TemplateResult =>
  html`<li><span class="method">${method.toUpperCase()}</span> <a href=${referenceUrl(id)}><code
    class="breakable">${path}</code></a> <span class="aside">${described(summary)}</span></li>`;

/** Returns whether an example has a patient and one more parameter, as most searches do. */
const isSimple = ({ query }: Example): boolean => /\?patient=[^&|]+&[a-z][^&|]*$/.test(query);

/** Returns a search of a type, if possible one that is known to find something in the sample. */
export function searchOf(type: string, api: Api, examples: readonly Example[]): string {
  const known = examples.filter((one) => one.type === type && one.query.startsWith(`${type}?`));
  const best = known.find(isSimple) ?? known[0];
  if (best) return best.query;
  const search = searchIn(api, type);
  if (search?.parameters.some(({ name }) => name === 'patient')) return `${type}?patient=${PATIENT}`;
  return /^Needs one/.test(search?.description ?? '') ? `${type}?_id=example` : `${type}?_count=3`;
}
