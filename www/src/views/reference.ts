//! The reference, from `/openapi.json`: the operations of the server, with their parameters and answers.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { errorText } from '../error-text.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { block } from '../parts/copy.ts';
import { fieldValue } from '../parts/form.ts';
import { failed, waiting } from '../parts/notice.ts';
import { debounced } from '../scheduling.ts';
import { anything, boolean, checked, list, object, partial, record, type Shaped, string } from '../shape.ts';
import type { OpenView } from '../view.ts';

// OpenAPI 3.1 (<https://spec.openapis.org/oas/v3.1.1>), as far as it is shown.
const parameter = partial({
  $ref: string,
  name: string,
  in: string,
  description: string,
  required: boolean,
  example: anything,
});
type Parameter = Shaped<typeof parameter>;
const response = partial({ $ref: string, description: string });
const operation = partial({
  summary: string,
  description: string,
  tags: list(string),
  parameters: list(parameter),
  responses: record(response),
  requestBody: partial({ content: record(anything) }),
});
type Operation = Shaped<typeof operation>;
const pathItem = partial({
  parameters: list(parameter),
  get: operation,
  post: operation,
  put: operation,
  delete: operation,
  head: operation,
  options: operation,
});
const openApi = object(
  {},
  {
    info: partial({ title: string, version: string, description: string }),
    paths: record(pathItem),
    components: partial({
      parameters: record(parameter),
      responses: record(response),
      securitySchemes: record(anything),
    }),
  },
);
type OpenApi = Shaped<typeof openApi>;

const METHODS = ['get', 'post', 'put', 'delete', 'head', 'options'] as const;

interface ListedOperation {
  path: string;
  method: string;
  tag: string;
  operation: Operation;
  parameters: Parameter[];
}

/** The operations of a description, with references to components followed. */
function operationsOf({ paths = {}, components = {} }: OpenApi): ListedOperation[] {
  const nameIn = (ref: string | undefined, kind: string): string =>
    ref?.startsWith(`#/components/${kind}/`) ? ref.slice(`#/components/${kind}/`.length).replaceAll('~1', '/') : '';
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      if (!found) return [];
      const parameters = [...(item.parameters ?? []), ...(found.parameters ?? [])].map(
        (one) => components.parameters?.[nameIn(one.$ref, 'parameters')] ?? one,
      );
      const responses = Object.fromEntries(
        Object.entries(found.responses ?? {}).map(([status, one]) => [
          status,
          components.responses?.[nameIn(one.$ref, 'responses')] ?? one,
        ]),
      );
      return [
        { path, method, tag: found.tags?.[0] ?? t('Other#operations'), operation: { ...found, responses }, parameters },
      ];
    }),
  );
}

export const reference: OpenView = () => {
  const loaded = signal<{ api: OpenApi; operations: ListedOperation[] } | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  const filter = signal('');
  const load = async (): Promise<void> => {
    const { status, body } = await exchange('/openapi.json', { headers: { Accept: 'application/json' } });
    try {
      if (status === 0) problem.value = t('The server is out of reach.');
      else if (status !== 200) problem.value = t('The server answered {status}.', { status });
      else {
        const api = checked(openApi, body, 'the description of the interface');
        loaded.value = { api, operations: operationsOf(api) };
      }
    } catch (error) {
      problem.value = errorText(error);
    }
  };
  void load();
  const setFilter = debounced((text: string): void => {
    filter.value = text.toLowerCase();
  }, 80);
  const content = ({ info, components }: OpenApi, operations: ListedOperation[]): TemplateResult => {
    const shown = operations.filter(({ path, tag, operation: { summary } }) =>
      `${path} ${summary} ${tag}`.toLowerCase().includes(filter.value),
    );
    const schemes = JSON.stringify(components?.securitySchemes ?? {}, null, 2);
    return html`<p class="lead">${info?.title} ${info?.version}. ${t(
      'Written by the same tables that parse and answer.',
    )}
        <a href="/openapi.json">openapi.json</a></p>
      ${info?.description ? html`<p>${info.description}</p>` : nothing}
      <p class="field narrow"><label for="find">${t('Find')}</label><input id="find" type="search" autocomplete="off"
        @input=${(event: Event) => setFilter(fieldValue(event))}></p>
      <p class="aside" role="status">${t('{n} operation|{n} operations', { n: shown.length })}</p>
      <div class="operations">${[...Map.groupBy(shown, ({ tag }) => tag)].map(
        ([tag, group]) => html`<section aria-label=${tag}><h2>${tag}</h2>${group.map(operationView)}</section>`,
      )}</div>
      <details class="folded"><summary>${t('How a token is got')}</summary>${block(
        schemes,
        t('Security schemes'),
      )}</details>`;
  };
  return {
    title: t('Reference'),
    body: () => {
      const [says, description] = [problem.value, loaded.value];
      return html`<h1 tabindex="-1">${t('Reference')}</h1>${
        says
          ? failed(undefined, says)
          : description
            ? content(description.api, description.operations)
            : waiting(t('the description of the interface'))
      }`;
    },
  };
};

const operationView = ({ path, method, operation: found, parameters }: ListedOperation): TemplateResult =>
  html`<details class="operation"><summary><span class="method">${method.toUpperCase()}</span> <code
    class="breakable">${path}</code> <span class="aside">${found.summary}</span></summary><div class="operation-body">
    ${found.description ? html`<p>${found.description}</p>` : nothing}
    ${
      parameters.length
        ? parameterTable(parameters, t('Parameters of {operation}', { operation: `${method} ${path}` }))
        : nothing
    }
    ${
      found.requestBody?.content
        ? html`<p class="detail"><span class="label">${t('Body')}</span> ${Object.keys(found.requestBody.content).join(
            ', ',
          )}</p>`
        : nothing
    }
    <dl class="answers">${Object.entries(found.responses ?? {}).map(
      ([status, { description }]) => html`<div><dt>${status}</dt><dd>${description}</dd></div>`,
    )}</dl></div></details>`;

const parameterTable = (parameters: Parameter[], label: string): TemplateResult =>
  html`<div class="table-frame" tabindex="0" role="region" aria-label=${label}><table class="plain"><caption
    class="visually-hidden">${t('Parameters')}</caption><thead><tr><th scope="col">${t('Parameter')}</th><th
    scope="col">${t('In#a part of a request')}</th><th scope="col">${t('What it is')}</th></tr></thead>
    <tbody>${parameters.map(
      ({ name, required, in: place, description, example }) =>
        html`<tr><th scope="row"><code>${name}</code>${
          required ? html`<small>${t('required')}</small>` : nothing
        }</th><td>${place}</td><td>${description}${
          example === undefined ? nothing : html` <code>${String(example)}</code>`
        }</td></tr>`,
    )}</tbody></table></div>`;
