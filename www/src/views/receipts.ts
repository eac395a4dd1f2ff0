//! `check.html`: compares what an assistant wrote with the receipts of what it was told. Nothing is sent but, after a
//! press, the addresses of the records of the receipts.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { date } from '#reading/fhir/date.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import type { ReceiptFact } from '#reading/tools/receipt.ts';
import { errorText } from '../error-text.ts';
import { type PlainMessage, sentences, t, words } from '../language/message.ts';
import { instead, keepsValue } from '../parts/form.ts';
import { failed } from '../parts/notice.ts';
import { judged, type Mark, type Part } from '../receipts/judge.ts';
import { type Receipt, type ReceiptFault, receiptsIn, serverKeys, verified } from '../receipts/receipt.ts';
import { session } from '../smart/session.ts';
import { searchAnew, server } from '../source/server.ts';
import { allPages } from '../source/source.ts';
import { headed, type OpenView } from '../view.ts';

const MARKS: Record<Mark, { sign: string; says: PlainMessage }> = {
  same: { sign: '✓', says: 'in the record' },
  other: { sign: '✗', says: 'another value' },
  absent: { sign: '∅', says: 'not there' },
  unjudged: { sign: '?', says: 'not judged' },
};

const FAULTS: Record<ReceiptFault, PlainMessage> = {
  form: 'A receipt cannot be read.',
  key: 'A receipt is of another server, or signed with a key that this server no longer has.',
  signature: 'A receipt was changed: its signature is wrong.',
};

/** The words below the title. */
const LEAD: PlainMessage[] = [
  'Did the assistant repeat what the record says?',
  'Each number and date is compared with the receipts that came with its answers.',
  'This happens in this browser: no text is sent, and no model is asked.',
];

/** The most records of a type that are looked up. A receipt has fewer. */
const MAX_LOOKED_UP = 100;

class ReceiptsModel {
  readonly answer = signal('');
  readonly receipts = signal('');
  readonly problems = signal<readonly string[]>([]);
  readonly parts = signal<readonly Part[] | undefined>(undefined);
  readonly read = signal<readonly Receipt[]>([]);
  /** The records that have a newer version, once they were looked up. */
  readonly changed = signal<readonly string[] | undefined>(undefined);

  async check(): Promise<void> {
    const texts = receiptsIn(`${this.receipts.value}\n${this.answer.value}`);
    const keys = await serverKeys();
    const read = await Promise.all(texts.map((text) => verified(text, keys).catch((): ReceiptFault => 'form')));
    const receipts = read.filter((one) => typeof one !== 'string');
    const faults = new Set(read.filter((one) => typeof one === 'string'));
    this.problems.value =
      texts.length === 0 ? [t('There is no receipt in these texts.')] : [...faults].map((one) => t(FAULTS[one]));
    const answer = texts.reduce((text, receipt) => text.replaceAll(receipt, ''), this.answer.value);
    const facts = receipts.flatMap((one) => one.facts);
    this.read.value = receipts;
    this.parts.value =
      receipts.length > 0
        ? judged(
            answer,
            facts,
            receipts.map(({ day }) => day),
            receipts.some((one) => one.facts.length < one.total),
          )
        : undefined;
    this.changed.value = undefined;
  }

  async lookForChanges(): Promise<void> {
    const facts = this.read.value.flatMap((one) => one.facts);
    const told = new Map(
      facts.flatMap(([, , , , ref = '']) => (ref === '' ? [] : [[ref, ref.split(/[/@]/)] as const])),
    );
    const types = Map.groupBy(told.values(), ([type = '']) => type);
    const source = { ...server(), search: searchAnew };
    const found = async ([type, own]: [string, string[][]]): Promise<Resource[]> => {
      const ids = own.slice(0, MAX_LOOKED_UP).map(([, id]) => id);
      return (await allPages(source, `${type}?_id=${ids.join(',')}&_count=${ids.length}`)).matches;
    };
    try {
      const records = (await Promise.all([...types].map(found))).flat();
      const versions = new Map(records.map((one) => [recordAddress(one), one.meta?.versionId]));
      this.changed.value = [...told].flatMap(([ref, [type, id, version]]) => {
        const newest = versions.get(`${type}/${id}`);
        return newest === undefined || newest === version ? [] : [ref];
      });
    } catch (error) {
      this.problems.value = [errorText(error)];
    }
  }
}

export const receipts: OpenView = () => {
  const model = new ReceiptsModel();
  return headed(
    'Check an answer',
    () => html`<p class="lead">${sentences(LEAD)}</p>
      ${form(model)}
      ${model.problems.value.map((says) => failed(undefined, says))}
      ${model.parts.value ? result(model, model.parts.value) : nothing}`,
    { isTranslatedInPlace: true },
  );
};

const form = (model: ReceiptsModel): TemplateResult =>
  html`<form class="receipts-form" @submit=${instead(() => model.check())}>
    <p class="field"><label for="answer">${t('What the assistant wrote')}</label><textarea id="answer" rows="8"
      required .value=${model.answer.value}
      @input=${keepsValue(model.answer)}></textarea></p>
    <p class="field"><label for="receipts">${t('Receipts')}</label><textarea id="receipts" rows="4" spellcheck="false"
      autocomplete="off" aria-describedby="receipts-hint" .value=${model.receipts.value}
      @input=${keepsValue(model.receipts)}></textarea><span class="aside" id="receipts-hint">${t(
        'Ask the assistant for the receipts of its tools, or copy the results of the tools whole.',
      )} ${t('A receipt tells what the record says: treat it like the record.')}</span></p>
    <p class="actions"><button class="primary">${t('Check')}</button></p></form>`;

function result(model: ReceiptsModel, parts: readonly Part[]): TemplateResult {
  const count = (mark: Mark): number => parts.filter((part) => part.mark === mark).length;
  const total = model.read.value.reduce((sum, one) => sum + one.total - one.facts.length, 0);
  return html`<section aria-labelledby="result"><h2 id="result">${t('Result')}</h2>
    <ul class="receipt-marks" role="list">${(['same', 'other', 'absent', 'unjudged'] as const).map(
      (mark) =>
        html`<li><span class="receipt-mark" data-mark=${mark}><span aria-hidden="true">${MARKS[mark].sign}</span> ${t(
          MARKS[mark].says,
        )}</span> ${count(mark)}</li>`,
    )}</ul>
    <p class="judged">${parts.map(partView)}</p>
    <p class="aside">${t('Only numbers and dates are compared, by the name before them.')}
      ${t('Words such as “high” or “stopped” are not.')}
      ${
        total > 0
          ? t('{n} fact did not fit into the receipts.|{n} facts did not fit into the receipts.', { n: total })
          : nothing
      }</p>
    ${changesView(model)}</section>`;
}

const partView = ({ text, mark, facts = [] }: Part): TemplateResult | string => {
  if (!mark) return text;
  const known = facts.slice(0, 3).map(factText).join('; ');
  return html`<span class="receipt-mark" data-mark=${mark}>${text}<span aria-hidden="true"> ${
    MARKS[mark].sign
  }</span><span class="visually-hidden"> (${t(MARKS[mark].says)})</span>${
    mark === 'other' && known ? html` <small>${t('The record: {known}', { known })}</small>` : nothing
  }</span>`;
};

const factText = ([what, value, unit, when]: ReceiptFact): string =>
  joined(what, joinedBy(' ', value, unit), when && date(words(), when));

function changesView(model: ReceiptsModel): TemplateResult | typeof nothing {
  if (!session.value) return nothing;
  const { value: changed } = model.changed;
  if (changed === undefined)
    return html`<p class="actions"><button type="button" @click=${() => void model.lookForChanges()}>${t(
      'Look whether the records have changed since',
    )}</button></p>`;
  if (changed.length === 0) return html`<p role="status">${t('No record has changed since.')}</p>`;
  return html`<p role="status">${t('Changed since:')}</p>
    <ul>${changed.map((ref) => html`<li class="breakable">${ref}</li>`)}</ul>`;
}
