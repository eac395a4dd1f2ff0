//! The search playground: build a query or write it, see how it is understood, run it at the edge, here, or both, and
//! compare: the same question, the same engine, so the difference should be nothing.

import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../engine/client.ts';
import type { Explanation, Grant } from '../engine/types.ts';
import { breath, settled } from '../frame.ts';
import { plural } from '../fhir/text.ts';
import { block, copyButton } from '../parts/copy.ts';
import { failed } from '../parts/notice.ts';
import { milliseconds, pretty, size } from '../parts/requests.ts';
import { writeDown } from '../routes.ts';
import { backendToken } from '../smart/backend.ts';
import { BASE } from '../smart/server.ts';
import { session } from '../smart/session.ts';
import { curl, fhirclient, http } from '../source/copy.ts';
import { edge, encoded } from '../source/edge.ts';
import { exchange } from '../source/http.ts';
import { local } from '../source/local.ts';
import type { Exchange } from '../source/source.ts';
import type { Open } from '../view.ts';
import { capabilities, type Capabilities } from '../search/capabilities.ts';
import { countsOnly, idsOf, median, verdict, type Verdict } from '../search/compare.ts';
import { parametersOf, written, type Parameter } from '../search/query.ts';

interface Example {
  row: string;
  level: string;
  type: string;
  query: string;
  note: string;
}
interface Ran {
  first: Exchange;
  times: number[];
}
interface Line {
  example: Example;
  edge?: Exchange;
  local: Exchange;
  verdict?: Verdict;
}

const FIRST = 'Observation?patient=amara-okafor&category=laboratory&date=ge2026-01-01';
/** Suggested values: what the sample has, and what the standard binds. */
const VALUES: Record<string, string[]> = {
  patient: [
    'amara-okafor',
    'zoe-obrien-nunez',
    'finn-obrien-nunez',
    'mateo-reyes',
    'matias-reyes',
    'walter-lindqvist',
    'dana-begay',
    'priya-raman',
    'jordan-ellis',
  ],
  date: ['ge2026-01-01', 'lt2020', '2024-05'],
  category: ['laboratory', 'vital-signs', 'survey', 'problem-list-item', 'assess-plan'],
  status: ['final', 'active', 'completed'],
  'clinical-status': ['active'],
  code: ['http://loinc.org|4548-4', 'http://loinc.org|85354-9'],
  _count: ['10', '50'],
  _sort: ['-date', 'date', '-_lastUpdated'],
  _total: ['accurate'],
};
const RESULT = ['_count', '_sort', '_total', '_summary', '_elements'];

export const searching: Open = ({ query: given }, redraw) => {
  let text = given.get('q') ?? FIRST;
  let cap: Capabilities | undefined;
  let examples: Example[] = [];
  let explained: Explanation | undefined;
  let atEdge: Ran | undefined;
  let here: Ran | undefined;
  let busy = '';
  let times = 1;
  let backend: { token: string; scope: string } | undefined;
  let problem: string | undefined;
  /** The query that the answers are to. */
  let ran = '';
  let sweep: Line[] | undefined;
  let full: 'edge' | 'local' = 'local';

  const grant = (): Grant | undefined =>
    backend ? { scopes: backend.scope, client: 'backend-basic' } : session.value ? edge().grant : undefined;
  const askEdge = (query: string): Promise<Exchange> =>
    backend
      ? exchange(`${BASE}/${encoded(query)}`, {
          headers: { Accept: 'application/fhir+json', Authorization: `Bearer ${backend.token}` },
        })
      : edge().search(query);
  const askHere = (query: string): Promise<Exchange> => local(grant()).search(encoded(query));

  let turn = 0;
  const explain = async (): Promise<void> => {
    const mine = ++turn;
    writeDown(`/search?${new URLSearchParams({ q: text })}`);
    try {
      const { value } = await engine('explain', encoded(text), grant(), BASE);
      if (mine === turn) explained = value;
    } catch {
      explained = undefined;
    }
    redraw();
  };
  const soon = settled(() => void explain(), 140);
  const set = (next: string): void => {
    text = next;
    atEdge = here = undefined;
    sweep = undefined;
    redraw();
    soon();
  };

  void capabilities().then((found) => {
    cap = found;
    redraw();
  });
  void fetch(EXAMPLES_URL)
    .then((answer) => answer.json())
    .then(
      (found: Example[]) => {
        examples = found;
        redraw();
      },
      () => undefined,
    );
  void explain();

  const several = async (ask: () => Promise<Exchange>): Promise<Ran> => {
    const first = await ask();
    const taken = [first.ms];
    for (let i = 1; i < times && first.status === 200; i += 1) {
      taken.push((await ask()).ms);
      await breath();
    }
    return { first, times: taken };
  };
  const run = (where: 'edge' | 'local' | 'both') => async (): Promise<void> => {
    busy = where;
    [atEdge, here, problem, sweep] = [undefined, undefined, undefined, undefined];
    redraw();
    const query = text.trim();
    ran = query;
    try {
      // One after the other: each has the machine to itself, so that the times can be compared.
      if (where !== 'edge') {
        here = await several(() => askHere(query));
        redraw();
      }
      if (where !== 'local') atEdge = await several(() => askEdge(query));
      full = where === 'edge' ? 'edge' : 'local';
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    busy = '';
    redraw();
  };

  const runAll = async (): Promise<void> => {
    busy = 'all';
    [atEdge, here] = [undefined, undefined];
    const mine: Line[] = [];
    sweep = mine;
    const withEdge = backend !== undefined || session.value !== undefined;
    for (const example of examples) {
      // Another question ends this one.
      if (sweep !== mine) break;
      const here = await askHere(example.query);
      const line: Line = { example, local: here };
      if (withEdge) {
        line.edge = await askEdge(example.query);
        line.verdict = verdict(example.query, line.edge, here);
      }
      mine.push(line);
      if (mine.length % 8 === 0) redraw();
      await breath();
    }
    busy = '';
    redraw();
  };

  const parameters = (): { type: string; list: Parameter[] } => parametersOf(text);
  const change = (list: Parameter[], type = parameters().type): void => set(written(type, list));

  function builder(): TemplateResult {
    const { type, list } = parameters();
    const known = cap?.types.find((one) => one.type === type);
    const names = [
      ...(known?.parameters.map(({ name }) => name) ?? []),
      ...RESULT,
      ...(known?.includes.length ? ['_include'] : []),
      ...(known?.reverse.length ? ['_revinclude'] : []),
    ];
    const valuesFor = (name: string): string[] =>
      (name === '_include' ? known?.includes : name === '_revinclude' ? known?.reverse : VALUES[name]) ?? [];
    return html`<fieldset class="builder"><legend>Parameters</legend>
      <p class="field narrow"><label for="q-type">Type</label><select id="q-type" @change=${(event: Event) => {
        const next = (event.target as HTMLSelectElement).value;
        change(
          list.filter(({ name }) => ['patient', '_count'].includes(name)),
          next,
        );
      }}>
        ${(cap?.types ?? [{ type }]).map(
          (one) => html`<option value=${one.type} ?selected=${one.type === type}>${one.type}</option>`,
        )}</select></p>
      <ul class="params" role="list">${list.map(
        (parameter, i) => html`<li>
        <label class="visually-hidden" for=${`p-name-${i}`}>Parameter ${i + 1}</label>
        <select id=${`p-name-${i}`} @change=${(event: Event) =>
          change(list.map((one, k) => (k === i ? { ...one, name: (event.target as HTMLSelectElement).value } : one)))}>
          ${[...new Set([...names, parameter.name])].map(
            (name) => html`<option value=${name} ?selected=${name === parameter.name}>${name}</option>`,
          )}</select>
        <label class="visually-hidden" for=${`p-value-${i}`}>Value of ${parameter.name}</label>
        <input id=${`p-value-${i}`} list=${`p-list-${i}`} autocomplete="off" spellcheck="false"
          .value=${parameter.value} @input=${(event: InputEvent) =>
            change(
              list.map((one, k) => (k === i ? { ...one, value: (event.target as HTMLInputElement).value } : one)),
            )}>
        <datalist id=${`p-list-${i}`}>${valuesFor(parameter.name).map(
          (value) => html`<option value=${value}></option>`,
        )}</datalist>
        <button type="button" class="quiet" aria-label=${`Remove ${parameter.name}`} @click=${() =>
          change(list.filter((_, k) => k !== i))}>✕</button></li>`,
      )}</ul>
      <p class="actions"><button type="button" class="quiet" @click=${() => {
        const next = names.find((name) => !list.some((one) => one.name === name)) ?? '_id';
        change([...list, { name: next, value: '' }]);
      }}>Add a parameter</button>
        ${known?.documentation ? html`<span class="aside">${known.documentation}</span>` : nothing}</p></fieldset>`;
  }

  function understood(): TemplateResult | typeof nothing {
    if (!explained) return nothing;
    return html`<section aria-labelledby="understood"><h2 id="understood">How it is understood</h2>
      ${
        explained.refused
          ? failed({
              where: 'local',
              method: 'GET',
              url: `${BASE}/`,
              headers: {},
              at: new Date(),
              status: 400,
              answerHeaders: {},
              text: '',
              body: explained.refused,
              ms: 0,
              bytes: 0,
            })
          : nothing
      }
      ${
        explained.criteria.length
          ? html`<ul class="criteria" role="list">${explained.criteria.map(
              ({ param, kind, says, added }) =>
                html`<li data-added=${Boolean(added)}><code>${param}</code> <span class="aside">${kind}</span>
                  <span>${says}${added ? html` <span class="tag">added by the grant</span>` : nothing}</span></li>`,
            )}</ul>`
          : nothing
      }
      ${explained.includes.map(
        ({ include, says, leftOut }) =>
          html`<p class="detail"><code>${include}</code> ${says}${
            leftOut ? html` <span class="tag" data-tone="alert">left out: no scope opens it</span>` : nothing
          }</p>`,
      )}
      ${explained.order ? html`<p class="detail"><span class="label">Order</span> ${explained.order}</p>` : nothing}
      ${
        explained.statement
          ? html`<details class="folded">
            <summary>The statement on D1</summary>${block(explained.statement.text, 'SQL')}${block(
              explained.statement.binds.map((bind, i) => `?${i + 1} = ${JSON.stringify(bind)}`).join('\n'),
              'What is bound',
            )}</details>`
          : nothing
      }</section>`;
  }

  const side = (title: string, ran: Ran | undefined): TemplateResult => {
    if (!ran) return html`<div class="side"><h3>${title}</h3><p class="state empty">Not run.</p></div>`;
    const { first, times: taken } = ran;
    const { matches, included, total } = idsOf(first.body);
    const fact = (label: string, value: unknown): TemplateResult => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
    return html`<div class="side"><h3>${title} <span class="status"
      data-ok=${first.status === 200}>${first.status || 'failed'}</span></h3>
      ${
        first.status === 200
          ? html`<dl class="facts tight">
        ${
          countsOnly(first.url)
            ? fact('Count', total ?? 'not said')
            : fact('Matches', `${matches.length}${total === undefined ? '' : ` of ${total}`}`)
        }${included.length ? fact('Included', included.length) : nothing}
        ${fact(
          taken.length > 1 ? `Median of ${taken.length}` : 'Time',
          milliseconds(median(taken)),
        )}${taken.length > 1 ? fact('First', milliseconds(taken[0] ?? 0)) : nothing}
        ${fact('Size', size(first.bytes))}${
          first.rowsRead === undefined
            ? nothing
            : fact(
                'Rows read',
                `${first.rowsRead}${first.trips === undefined ? '' : ` in ${plural(first.trips, 'trip')}`}`,
              )
        }</dl>`
          : failed(first)
      }</div>`;
  };

  const compared = (): TemplateResult | typeof nothing => {
    if (!atEdge || !here) return nothing;
    const d = verdict(ran, atEdge.first, here.first);
    const list = (title: string, ids: string[]): TemplateResult | typeof nothing =>
      ids.length ? html`<p><strong>${title}:</strong> ${ids.join(', ')}</p>` : nothing;
    return html`<div class="difference" data-same=${d.same} role="status">
      <p><span class="mark" aria-hidden="true">${d.same ? '=' : '≠'}</span>
      ${d.says}</p>${list('Only at the edge', d.onlyEdge)}${list('Only here', d.onlyLocal)}</div>`;
  };

  const results = (): TemplateResult | typeof nothing => {
    const shown = full === 'edge' ? atEdge : (here ?? atEdge);
    return html`<section aria-labelledby="results"><h2 id="results">Answers</h2>
      ${problem ? failed(undefined, problem) : nothing}
      ${compared()}
      <div class="sides">${side('This browser', here)}${side('The edge', atEdge)}</div>
      ${
        shown
          ? html`<p class="actions">${
              atEdge && here
                ? html`<button type="button" class="quiet" @click=${() => {
                    full = full === 'edge' ? 'local' : 'edge';
                    redraw();
                  }}>Show the answer of ${full === 'edge' ? 'this browser' : 'the edge'}</button>`
                : nothing
            }
        ${copyButton(() => pretty(shown.first), 'answer')}</p>${block(pretty(shown.first), 'The answer')}`
          : nothing
      }</section>`;
  };

  const sweepView = (): TemplateResult | typeof nothing => {
    if (!sweep) return nothing;
    const differing = sweep.filter((line) => line.verdict && !line.verdict.same).length;
    const same = sweep.filter((line) => line.verdict?.same).length;
    return html`<section aria-labelledby="sweep"><h2 id="sweep">Every row of the contract</h2>
      <p role="status">${
        busy === 'all'
          ? `Running: ${sweep.length} of ${examples.length}`
          : sweep.some(({ edge: one }) => one)
            ? `${same} of ${sweep.length} the same at the edge and here, ${differing} different.`
            : `${sweep.filter(({ local: one }) => one.status === 200).length} of ${sweep.length} answered here. Sign in, or take the sandbox’s backend token, to ask the edge as well.`
      }</p>
      <div class="table-frame" tabindex="0" role="region" aria-label="Every row of the contract">
        <table class="plain sweep"><caption class="visually-hidden">Each saved example with both answers</caption>
      <thead><tr><th scope="col">Row</th><th scope="col">Query</th><th scope="col" class="number">Here</th>
        <th scope="col" class="number">Edge</th><th scope="col">Difference</th></tr></thead>
      <tbody>${sweep.map(
        ({ example, edge: e, local: l, verdict: d }) => html`<tr><th scope="row" class="nowrap">${example.row}</th>
          <td class="breakable"><a href=${`/#/search?${new URLSearchParams({ q: example.query })}`}><code>${example.query}</code></a></td>
        <td class="number">${
          l.status === 200 ? idsOf(l.body).matches.length : l.status
        }<br><small>${milliseconds(l.ms)}</small></td><td class="number">${
          e
            ? html`${
                e.status === 200 ? idsOf(e.body).matches.length : e.status
              }<br><small>${milliseconds(e.ms)}${e.rowsRead === undefined ? '' : `, ${e.rowsRead} rows`}</small>`
            : nothing
        }</td>
        <td>${
          d ? (d.same ? 'none' : html`<strong>${d.onlyEdge.length + d.onlyLocal.length || d.says}</strong>`) : nothing
        }</td></tr>`,
      )}</tbody></table></div></section>`;
  };

  const url = (): string => `${BASE}/${encoded(text.trim())}`;
  const groups = (): [string, Example[]][] => [...Map.groupBy(examples, ({ type }) => type)];

  return {
    title: 'Search',
    body: () => html`<h1 tabindex="-1">Search</h1>
      <p class="lead">One engine, two places. Ask the server at the edge, the sample in this browser, or both, and
        compare the answers by id.</p>
      <form class="playground" @submit=${(event: Event) => {
        event.preventDefault();
        void run('local')();
      }}>
        <p class="field"><label for="q">Query, below <code>${BASE}/</code></label>
          <textarea id="q" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off" .value=${text} @input=${(
            event: InputEvent,
          ) => set((event.target as HTMLTextAreaElement).value)}
            @keydown=${(event: KeyboardEvent) => {
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault();
                void run('local')();
              }
            }}></textarea></p>
        <p class="actions run"><button class="primary" ?disabled=${busy !== ''}>Run here</button>
          <button type="button" ?disabled=${busy !== ''} @click=${run('edge')}>Run at the edge</button>
          <button type="button" ?disabled=${busy !== ''} @click=${run('both')}>Run both</button>
          <label class="inline">Times <select @change=${(event: Event) => {
            times = Number((event.target as HTMLSelectElement).value);
          }}>${[1, 5, 20].map((n) => html`<option value=${n} ?selected=${n === times}>${n}</option>`)}</select></label>
          <span class="grow"></span>${copyButton(() => curl(url()), 'curl')} ${copyButton(() => http(url()), '.http')}
            ${copyButton(() => fhirclient(url(), BASE), 'fhirclient')}</p>
        <p class="aside authority">${
          backend
            ? html`Asked with the sandbox’s backend token: <code>system/*</code>. <button type="button" class="quiet"
              @click=${() => {
                backend = undefined;
                void explain();
              }}>Give it back</button>`
            : session.value
              ? html`Asked with this session’s scopes, at the edge and here.`
              : html`Without a login everything is open here, and nothing at the edge. <button type="button"
                class="quiet" @click=${async () => {
                  problem = undefined;
                  try {
                    backend = await backendToken();
                  } catch (error) {
                    problem = error instanceof Error ? error.message : String(error);
                  }
                  void explain();
                }}>Take the sandbox’s backend token</button>`
        }</p>
        <div class="columns">${builder()}
          <fieldset class="builder"><legend>Saved examples</legend><p class="field"><label for="example">One for each
            row of the contract that finds something in the sample</label>
            <select id="example" @change=${(event: Event) => {
              const { value } = event.target as HTMLSelectElement;
              if (value) {
                set(value);
                void run('local')();
              }
            }}><option value="">Choose…</option>
              ${groups().map(
                ([type, list]) =>
                  html`<optgroup label=${type}>${list.map(
                    ({ row, level, query, note }) =>
                      html`<option value=${query} ?selected=${query === text}>${row} ${level} ·
                        ${query.slice(query.indexOf('?') + 1)}${note ? ` · ${note}` : ''}</option>`,
                  )}</optgroup>`,
              )}</select></p>
            <p class="actions"><button type="button" ?disabled=${busy !== '' || examples.length === 0}
              @click=${() => void runAll()}>Run all ${examples.length || ''}</button></p></fieldset></div>
      </form>
      ${understood()}
      ${sweep ? sweepView() : results()}`,
  };
};
