//! The tool `fetch`: one record in words, with its texts.

import { binaryOf, textsIn, textsOfBinary } from '../documents/texts-in-record.ts';
import { type ElementLine, elementTree } from '../fhir/element-tree.ts';
import { compact } from '../fhir/json.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { isOfType, type Resource, resourceShape } from '../fhir/types.ts';
import { isObject, isShaped } from '../shape.ts';
import { visible } from '../visible.ts';
import { type Answer, Refusal, type Tool, type ToolCall } from './call.ts';
import { factOf, refOf } from './fact.ts';
import { hiddenText } from './plain-text.ts';
import { BUDGET, sizeOf, textArgument } from './result.ts';
import { sourceSearches, withTargets } from './targets.ts';

const ADDRESS = /^(?:chart:\/\/)?([A-Za-z]{1,64}\/[A-Za-z0-9.-]{1,64})(?:@(\S{1,64}))?$/;
/** The most attachments at other addresses that are read, and the most records that are named. */
const MAX_BINARIES = 3;
const MAX_NAMED = 10;

/** The mark that stands in the JSON for a document that is stored apart. */
const MARK = /"~[0-9a-f]{64}\./;

/** Returns the elements of a record as lines, indented by their depth. */
const linesOf = (lines: readonly ElementLine[], depth = 0): string[] =>
  lines.flatMap(({ label, values, groups }) => [
    `${'  '.repeat(depth)}${label}: ${values.join('; ')}`.trimEnd(),
    ...groups.flatMap((group) => linesOf(group, depth + 1)),
  ]);

const recordIn = (answer: Answer | undefined): Resource | undefined =>
  answer?.status === 200 && isShaped(resourceShape, answer.body) ? answer.body : undefined;

/** Returns the addresses of the records to which a record refers, of open types. */
const referencesOf = (call: ToolCall, record: Resource): string[] => {
  const all = [...compact(record).matchAll(/"reference":"((\w+)\/[\w.-]+)"/g)];
  const open = all.flatMap(([, to = '', type = '']) => (call.types.includes(type) && type !== 'Patient' ? to : []));
  return [...new Set(open)].slice(0, MAX_NAMED);
};

export const fetch: Tool = function* (call): Generator<string[], object, Answer[]> {
  const { words, now, base } = call;
  const asked = (textArgument(call, 'id') ?? '').replace(`${base}/`, '');
  const [, address, version] = ADDRESS.exec(asked) ?? [];
  if (address === undefined) throw new Refusal('"id" is the id of a fact: Type/id.');
  const [answer] = yield [address];
  if (answer?.status !== 200 || !isObject(answer.body))
    throw new Refusal('No such record is among those that this app may see.');
  const record = recordIn(answer);
  const isRaw = call.arguments.raw === true;
  if (record === undefined && !isRaw)
    throw new Refusal(`This record is malformed and cannot be read. Fetch it with "raw", or open ${base}/${address}.`);
  const head = {
    id: address,
    url: `${base}/${address}`,
    now: now.toISOString(),
    changed:
      record && version !== undefined && version !== record.meta?.versionId
        ? `This is ${refOf(record)}, the newest version.`
        : undefined,
  };
  if (isRaw || record === undefined) {
    const [size, hasMark] = [sizeOf(answer.body), MARK.test(compact(answer.body))];
    const isWhole = size <= BUDGET.fetch - 600;
    const leftOut = [
      ...(isWhole ? [] : [`The JSON has ${size} bytes. Open it at its address, or fetch it without raw.`]),
      ...(hasMark ? ['A document, for which a mark stands: open the record at its address.'] : []),
    ];
    return {
      ...head,
      quoted: isWhole ? { resource: answer.body } : undefined,
      complete: leftOut.length === 0,
      left_out: [...leftOut, ...hiddenText(answer.body)],
    };
  }
  const references = referencesOf(call, record);
  const inRecord = textsIn(words, record);
  const unread = inRecord.unread.flatMap((one) => {
    const binary = binaryOf(one);
    return binary === undefined ? [] : [{ one, binary }];
  });
  const binaries = call.types.includes('Binary') ? unread.slice(0, MAX_BINARIES) : [];
  const subject = isOfType('Observation', record) ? referredAddress(record.subject?.reference) : '';
  const patient = call.patient ?? subject.split('Patient/')[1];
  const hasResults = [address, ...references].some((one) => one.startsWith('Observation/'));
  const sources = hasResults ? sourceSearches(call, patient) : [];
  const asks = [...references, ...binaries.map(({ binary }) => binary), ...sources];
  const answers = asks.length > 0 ? yield asks : [];
  const referred = answers.slice(0, references.length).flatMap((one) => recordIn(one) ?? []);
  const { all, known, notIndexed } = yield* withTargets(
    call,
    [record, ...referred],
    answers.slice(asks.length - sources.length),
  );
  const [named = record] = all;
  const read = binaries.map(({ one }, i) => textsOfBinary(words, one, answers[references.length + i]?.body));
  const texts = [...inRecord.texts, ...read.flatMap((one) => one ?? [])];
  const { lines, isCut } = elementTree(words, named);
  const fact = factOf(call, named, known);
  const elements = visible(linesOf(lines).join('\n'));
  const whole = visible(texts.join('\n'));
  const room = BUDGET.fetch - sizeOf([head, fact]) - 800;
  const cutTo = (text: string, most: number): string => {
    let cut = text.slice(0, Math.max(0, most));
    while (cut !== '' && sizeOf(cut) > most) cut = cut.slice(0, Math.floor(cut.length * 0.9));
    return cut;
  };
  const shownElements = cutTo(elements, whole === '' ? room : room / 2);
  const shownText = cutTo(whole, room - sizeOf(shownElements));
  const withContent = inRecord.unread.filter(({ data, url }) => data !== undefined || url !== undefined);
  const unreadCount = withContent.length - read.filter((one) => one !== undefined).length;
  const leftOut = [
    ...(shownElements.length < elements.length || isCut || elements.includes('…')
      ? ['Elements that did not fit.']
      : []),
    ...(shownText.length < whole.length ? [`${whole.length - shownText.length} letters of its text.`] : []),
    ...(unreadCount > 0 || MARK.test(compact(record))
      ? [`Attachments that are no text, or are not open here: ${Math.max(1, unreadCount)}. See the record's address.`]
      : []),
  ];
  return {
    ...head,
    title: fact.what,
    fact: { ...fact, quoted: { ...fact.quoted, elements: shownElements, ...(shownText ? { text: shownText } : {}) } },
    complete: leftOut.length === 0,
    left_out: [...leftOut, ...notIndexed, ...hiddenText(record)],
  };
};
