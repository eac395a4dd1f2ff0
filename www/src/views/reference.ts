//! The reference, from `/openapi.json`: what there is to ask, with what parameters, and what comes.

import { html, nothing, type TemplateResult } from 'lit-html';
import { settled } from '../frame.ts';
import { plural } from '../fhir/text.ts';
import { block } from '../parts/copy.ts';
import { failed, waiting } from '../parts/notice.ts';
import { exchange } from '../source/http.ts';
import type { Open } from '../view.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  format?: string;
  $ref?: string;
}
interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}
interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  operationId?: string;
  parameters?: Parameter[];
  responses?: Record<string, { $ref?: string; description?: string }>;
  requestBody?: { content?: Record<string, unknown> };
  security?: unknown[];
}
interface OpenApi {
  info?: { title?: string; version?: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, unknown>>;
}

const METHODS = ['get', 'post', 'put', 'delete', 'head', 'options'];

export const reference: Open = (_route, redraw) => {
  let api: OpenApi | undefined;
  let problem: string | undefined;
  let filter = '';
  exchange('/openapi.json', { headers: { Accept: 'application/json' } }).then(({ status, body }) => {
    if (status === 200) api = body as OpenApi;
    else problem = status === 0 ? 'The server is out of reach.' : `The server answered ${status}.`;
    redraw();
  });
  const soon = settled(redraw, 80);
  /** `#/components/parameters/count` → what stands there. */
  const led = <T extends { $ref?: string }>(value: T): T => {
    const path = value.$ref?.replace(/^#\//, '').split('/');
    return path
      ? ((path.reduce<unknown>(
          (at, name) => (at as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/')],
          api,
        ) as T) ?? value)
      : value;
  };

  const operation = (path: string, method: string, shared: Parameter[], op: Operation): TemplateResult => {
    const parameters = [...shared, ...(op.parameters ?? [])].map(led);
    return html`<details class="operation"><summary><span class="method">${method.toUpperCase()}</span>
      <code class="breakable">${path}</code> <span class="aside">${op.summary}</span></summary>
        <div class="operation-body">
      ${op.description ? html`<p>${op.description}</p>` : nothing}
      ${
        parameters.length
          ? html`<div class="table-frame" tabindex="0" role="region" aria-label=${`Parameters of ${method} ${path}`}>
            <table class="plain"><caption class="visually-hidden">Parameters</caption><thead><tr>
              <th scope="col">Parameter</th><th scope="col">In</th><th scope="col">What it is</th></tr></thead>
        <tbody>${parameters.map(
          (p) =>
            html`<tr><th scope="row"><code>${p.name}</code>${
              p.required ? html`<small>required</small>` : nothing
            }</th><td>${p.in}</td><td>${p.description}${
              p.example === undefined ? nothing : html` <code>${String(p.example)}</code>`
            }</td></tr>`,
        )}</tbody></table></div>`
          : nothing
      }
      ${
        op.requestBody?.content
          ? html`<p class="detail"><span class="label">Body</span> ${Object.keys(op.requestBody.content).join(
              ', ',
            )}</p>`
          : nothing
      }
      <dl class="answers">${Object.entries(op.responses ?? {}).map(
        ([status, response]) => html`<div><dt>${status}</dt><dd>${led(response).description}</dd></div>`,
      )}</dl></div></details>`;
  };

  return {
    title: 'Reference',
    body: () => {
      if (problem) return html`<h1 tabindex="-1">Reference</h1>${failed(undefined, problem)}`;
      if (!api) return html`<h1 tabindex="-1">Reference</h1>${waiting('the description of the interface')}`;
      const wanted = filter.toLowerCase();
      const all = Object.entries(api.paths ?? {}).flatMap(([path, item]) =>
        METHODS.flatMap((method) => {
          const op = item[method];
          return op
            ? [
                {
                  path,
                  method,
                  op,
                  shared: (item as { parameters?: Parameter[] }).parameters ?? [],
                  tag: op.tags?.[0] ?? 'Other',
                },
              ]
            : [];
        }),
      );
      const shown = all.filter(({ path, op, tag }) => `${path} ${op.summary} ${tag}`.toLowerCase().includes(wanted));
      return html`<h1 tabindex="-1">Reference</h1>
        <p class="lead">${api.info?.title} ${api.info?.version}. Written by the same tables that parse and answer.
          <a href="/openapi.json">openapi.json</a></p>
        ${api.info?.description ? html`<p>${api.info.description}</p>` : nothing}
        <p class="field narrow"><label for="find">Find</label><input id="find" type="search" autocomplete="off"
          @input=${(event: InputEvent) => {
            filter = (event.target as HTMLInputElement).value;
            soon();
          }}></p>
        <p class="aside" role="status">${plural(shown.length, 'operation')}</p>
        <div class="operations">${[...Map.groupBy(shown, ({ tag }) => tag)].map(
          ([tag, list]) =>
            html`<section aria-label=${tag}><h2>${tag}</h2>${list.map(({ path, method, shared, op }) =>
              operation(path, method, shared, op),
            )}</section>`,
        )}</div>
        <details class="folded"><summary>How a token is got</summary>${block(
          JSON.stringify(api.components?.securitySchemes ?? {}, null, 2),
          'Security schemes',
        )}</details>`;
    },
  };
};
