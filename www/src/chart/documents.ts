//! Reports and notes, and reading them safely: text as text, pictures as pictures, everything else only to keep.
//! A document that lies elsewhere is shown as what it is, an address: it is never fetched, and never sent a token.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate, newest, shortDate } from '../fhir/date.ts';
import { flag } from '../fhir/measure.ts';
import { shortName } from '../fhir/names.ts';
import { capital, concept, concepts, isEnteredInError, plain, plural, reference, references } from '../fhir/text.ts';
import type { Attachment, DocumentReference, Observation, Report, Resource } from '../fhir/types.ts';
import { block, download } from '../parts/copy.ts';
import { openDrawer, redrawDrawer } from '../parts/drawer.ts';
import { failed } from '../parts/notice.ts';
import { size } from '../parts/requests.ts';
import type { Exchange } from '../source/source.ts';
import { flagView, rangeView, readingView } from './reading.ts';
import { folded, labelled, rows, type Row } from './row.ts';
import type { Place, Section } from './section.ts';

/** Types whose characters are shown as they are. */
const TEXT = /^(text\/(plain|xml|csv|markdown|rtf)|application\/(xml|json|fhir\+json|hl7-sda\+xml|cda\+xml))/;
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
const LONGEST = 200_000;

const kindOf = ({ contentType = '' }: Attachment): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
}

function inline(attachment: Attachment, data: string, name: string): TemplateResult {
  const kind = kindOf(attachment);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = bytesOf(data);
  } catch {
    return html`<p class="state failed">The document's data is damaged: it is no base64.</p>`;
  }
  const extension =
    {
      'application/pdf': 'pdf',
      'application/xml': 'xml',
      'text/xml': 'xml',
      'text/html': 'html',
      'application/xhtml+xml': 'html',
    }[kind] ?? 'bin';
  const keep = html`<button type="button" @click=${() =>
    download(`${name}.${TEXT.test(kind) && extension === 'bin' ? 'txt' : extension}`, 'application/octet-stream', [
      bytes,
    ])}>Keep a copy</button>`;
  const about = html`<p class="actions"><span class="aside">${kind || 'no type given'}, ${size(bytes.length)}</span>
    ${keep}</p>`;
  if (TEXT.test(kind)) {
    const text = new TextDecoder().decode(bytes);
    return html`${about}<div class="document-text" tabindex="0" role="region" aria-label="The document's text">${
      kind === 'text/plain' ? text.slice(0, LONGEST) : block(text.slice(0, LONGEST), 'The document as it is written')
    }</div>`;
  }
  if (PICTURE.test(kind))
    return html`${about}<img class="document-picture" alt=${
      attachment.title ?? 'Picture from the record; it has no description'
    } src=${`data:${kind};base64,${data.replace(/\s/g, '')}`}>`;
  if (kind === 'text/html' || kind === 'application/xhtml+xml') {
    // Without permissions a frame runs nothing; this page's policy forbids scripts in it once more.
    return html`${about}<p class="aside">A web page: shown as its source, nothing in it runs.</p>${block(
      new TextDecoder().decode(bytes).slice(0, LONGEST),
      'The source of the document',
    )}`;
  }
  return html`${about}<p class="aside">This kind of document is not opened inside the chart. Keep a copy, and open it
    with a program that you trust.</p>`;
}

interface Opened {
  exchange?: Exchange;
  pending?: boolean;
}
const opened = new WeakMap<Attachment, Opened>();

export function attachmentView(attachment: Attachment, name: string, place: Place): TemplateResult {
  const title = html`<h3>${attachment.title ?? 'Document'}</h3>`;
  if (attachment.data)
    return html`<section class="attachment">${title}${inline(attachment, attachment.data, name)}</section>`;
  const binary = /(?:^|\/)(Binary\/[A-Za-z0-9.-]{1,64})$/.exec(attachment.url ?? '')?.[1];
  if (binary) {
    const state = opened.get(attachment);
    const body = state?.exchange?.body as (Resource & { data?: string; contentType?: string }) | undefined;
    const open = async (): Promise<void> => {
      opened.set(attachment, { pending: true });
      redrawDrawer();
      const cell = await place.store.cell('Binary', 'read');
      if (cell && !cell.open) {
        opened.set(attachment, {
          exchange: {
            where: 'local',
            method: 'GET',
            url: binary,
            headers: {},
            at: new Date(),
            status: 401,
            answerHeaders: {},
            text: '',
            ms: 0,
            bytes: 0,
            body: {
              resourceType: 'OperationOutcome',
              issue: [
                { details: { text: `Not granted: ${cell.why ?? 'no scope opens Binary'}. Nothing was requested.` } },
              ],
            },
          },
        });
      } else opened.set(attachment, { exchange: await place.store.source.read(binary) });
      redrawDrawer();
    };
    return html`<section class="attachment">${title}
      ${
        body?.data
          ? inline({ ...attachment, contentType: body.contentType ?? attachment.contentType ?? '' }, body.data, name)
          : state?.exchange
            ? failed(state.exchange)
            : html`<p class="actions"><button type="button" ?disabled=${state?.pending ?? false} @click=${open}>Open
              ${binary}</button></p>`
      }</section>`;
  }
  if (attachment.url) {
    const safe = /^https:\/\//.test(attachment.url);
    return html`<section class="attachment">${title}
      <p>${kindOf(attachment) || 'A document'} at another address${
        safe ? html`, <strong>${new URL(attachment.url).host}</strong>` : ''
      }. It is not fetched from here, and no token goes there.</p>
      <p class="breakable">${
        safe
          ? html`<a href=${attachment.url} target="_blank" rel="noopener noreferrer external">${attachment.url}</a>`
          : html`<code>${attachment.url}</code>`
      }</p></section>`;
  }
  return html`<section class="attachment">${title}<p class="state empty">The record names no content.</p></section>`;
}

const titleOf = (r: Report): string => shortName(concept(r.code) ?? 'Report').main;
const dated = (r: Report): string | undefined => r.effectiveDateTime ?? r.effectivePeriod?.start ?? r.issued;
const statusOf = (status: string | undefined, usual: string): string | undefined =>
  status === usual ? undefined : status === 'entered-in-error' ? 'entered in error' : status;

function readReport(r: Report, place: Place): void {
  openDrawer(() => ({
    title: titleOf(r),
    body: html`<p class="lead">${clockDate(dated(r))}${
      r.status === 'final' ? nothing : html` · <span class="tag">${capital(plain(r.status))}</span>`
    } · ${references(r.performer)}</p>
      ${r.conclusion ? html`<p class="conclusion">${r.conclusion}</p>` : nothing}
      ${
        r.result?.length
          ? html`<div class="table-frame" tabindex="0" role="region" aria-label="Results of this report">
            <table class="results"><caption>Results</caption>
        <thead><tr><th scope="col">Test</th><th scope="col" class="number">Result</th><th scope="col">Flag</th>
          <th scope="col">Range</th></tr></thead>
        <tbody>${r.result.map((to) => {
          const o = place.store.known(to.reference?.split('/').slice(-2).join('/') ?? '') as Observation | undefined;
          const f = o ? flag(o) : undefined;
          return html`<tr><th scope="row">${
            o ? shortName(concept(o.code) ?? 'Result').main : reference(to)
          }</th><td class="number">${o ? readingView(o) : '—'}</td><td>${flagView(f)}</td><td class="quiet">${
            o ? rangeView(o.referenceRange?.[0]) : 'not shown here'
          }</td></tr>`;
        })}</tbody></table></div>`
          : nothing
      }
      ${(r.presentedForm ?? []).map((attachment) => attachmentView(attachment, r.id, place))}
      ${(r.media ?? []).map(
        ({ comment, link }) => html`<p class="detail">${labelled('Picture', comment ?? reference(link))}</p>`,
      )}
      <p class="actions">${place.link(r, 'The whole record')}</p>`,
  }));
}

export const reports: Section = {
  id: 'reports',
  title: 'Reports',
  queries: ['DiagnosticReport?patient={patient}&_count=200'],
  nothing: 'No data: no report is recorded in this chart.',
  show([found], place) {
    const all = newest((found?.matches ?? []) as Report[], dated);
    const item = (r: Report): Row => ({
      resource: r,
      when: dated(r),
      title: titleOf(r),
      status: statusOf(r.status, 'final'),
      tone: isEnteredInError(r) ? 'error' : 'plain',
      details: [
        r.conclusion,
        [concepts(r.category), references(r.performer)].filter(Boolean).join(' · '),
        html`<button type="button" class="quiet inset" @click=${() => readReport(r, place)}>Read<span
          class="visually-hidden"> ${titleOf(r)}, ${shortDate(dated(r))}</span></button>
          <span class="aside">${[
            r.result?.length ? plural(r.result.length, 'result') : '',
            r.presentedForm?.length ? plural(r.presentedForm.length, 'document') : '',
          ]
            .filter(Boolean)
            .join(', ')}</span>`,
      ],
    });
    const [recent, earlier] = [all.slice(0, 5), all.slice(5)];
    return {
      count: all.length,
      body: html`${rows(recent.map(item), place)}${
        earlier.length ? folded(plural(earlier.length, 'earlier report'), rows(earlier.map(item), place)) : nothing
      }`,
    };
  },
};

const written = (d: DocumentReference): string | undefined => d.context?.period?.start ?? d.date;

function readDocument(d: DocumentReference, place: Place): void {
  openDrawer(() => ({
    title: concept(d.type) ?? 'Document',
    body: html`<p class="lead">${clockDate(written(d))} · ${references(d.author)}</p>
      ${d.description ? html`<p>${d.description}</p>` : nothing}
      ${(d.content ?? []).map(({ attachment }) => (attachment ? attachmentView(attachment, d.id, place) : nothing))}
      <p class="actions">${place.link(d, 'The whole record')}</p>`,
  }));
}

export const documents: Section = {
  id: 'documents',
  title: 'Notes and documents',
  queries: ['DocumentReference?patient={patient}&_count=200'],
  nothing: 'No data: no document is recorded in this chart.',
  show([found], place) {
    const all = newest((found?.matches ?? []) as DocumentReference[], written);
    const valid = all.filter(({ status }) => status === 'current' || status === undefined);
    const rest = all.filter((d) => !valid.includes(d));
    const item = (d: DocumentReference): Row => ({
      resource: d,
      when: written(d),
      title: concept(d.type) ?? 'Document',
      status:
        [statusOf(d.status, 'current'), d.docStatus === 'final' ? '' : d.docStatus].filter(Boolean).join(', ') ||
        undefined,
      tone: isEnteredInError(d) ? 'error' : d.status === 'superseded' ? 'quiet' : 'plain',
      details: [
        d.description,
        references(d.author),
        html`<button type="button" class="quiet inset" @click=${() => readDocument(d, place)}>Read<span
          class="visually-hidden"> ${concept(d.type)}, ${shortDate(written(d))}</span></button>
          <span class="aside">${(d.content ?? [])
            .map(({ attachment }) => (attachment ? kindOf(attachment) : ''))
            .filter(Boolean)
            .join(', ')}</span>`,
      ],
    });
    return {
      count: valid.length,
      body: html`${rows(valid.map(item), place)}${
        rest.length
          ? folded(plural(rest.length, 'replaced or withdrawn document'), rows(rest.map(item), place))
          : nothing
      }`,
    };
  },
};
