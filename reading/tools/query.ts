//! The tool `query`: the records of a type that filters select, newest first.

import { compact } from '../fhir/json.ts';
import { clipped } from '../fhir/text.ts';
import { typeWords } from '../fhir/type-words.ts';
import { own } from '../own.ts';
import { meaningOf } from '../records/meaning.ts';
import { type Answer, pageOf, Refusal, type Tool, type ToolCall } from './call.ts';
import { factOf } from './fact.ts';
import { hiddenText } from './plain-text.ts';
import * as result from './result.ts';
import { sourceSearches, withTargets } from './targets.ts';

/** Parameters that the tool sets, or that would change the form of the answer. */
const RESERVED =
  /^(?:patient|subject|_(?:count|cursor|elements|summary|total|format|pretty|include|revinclude|contained|type)\b)/;

/** The parameters by which a type without `patient` is searched for the records of a patient. */
const OF_PATIENT: Readonly<Record<string, string>> = {
  Patient: '_id',
  AdverseEvent: 'subject',
  Group: 'member',
  Schedule: 'actor',
  SupplyRequest: 'subject',
};

/** The cursor of a page: its size, the facts that were shown, the mark of the query, and the cursor of the server. */
const CURSOR = /^(?:[1-9]\d?|100)~\d{1,2}~[0-9a-z]{1,7}(?:~[\w.-]+)?$/;

type Parameters = readonly (readonly [string, string])[];

/** The zone of the days that limits in time mean, and the number of records without the date. */
type Dated = { zone?: string | undefined; undated: number | undefined };

/** Yields a search for the newest record within limits in time, whose zone is meant, and a count without the date. */
function* datedOf(call: ToolCall, type: string, of: Parameters): Generator<string[], Dated, Answer[]> {
  const undated = [[`${call.date}:missing`, 'true'] as const, ['_summary', 'count'] as const];
  const [answer, count] = yield [
    result.searchOf(type, [...of, ...result.widePeriodOf(call), ['_count', '1']]),
    result.searchOf(type, [...of, ...undated]),
  ];
  const [newest] = pageOf(answer).matches;
  const zone = newest && /[+-]\d\d:\d\d$/.exec(meaningOf(call.words, newest, []).when ?? '')?.[0];
  return { zone, undated: count?.status === 200 ? pageOf(count).total : undefined };
}

export const query: Tool = function* (call): Generator<string[], object, Answer[]> {
  const { words, now } = call;
  const type = result.textArgument(call, 'type') ?? '';
  const filters = result.filtersOf(call);
  const reserved = filters.find(([name]) => RESERVED.test(name));
  if (reserved)
    throw new Refusal(
      '"filters" takes search parameters of the type alone: not the patient, and nothing that shapes the answer.',
    );
  const patient = yield* result.patientOf(call);
  const limit = typeof call.arguments.limit === 'number' ? call.arguments.limit : 20;
  const cursor = result.textArgument(call, 'cursor');
  const by = own(OF_PATIENT, type) ?? 'patient';
  const path = [[by, by === '_id' || by === 'patient' ? patient : `Patient/${patient}`]] as const;
  const hasLimits = result.periodOf(call).length > 0;
  const { zone, undated } = hasLimits ? yield* datedOf(call, type, [...path, ...filters]) : { undated: 0 };
  const asked = [...filters, ...result.zonedPeriodOf(call, zone)] as const;
  // The mark tells queries apart. It protects nothing: the grant does.
  const letters = [...compact([patient, type, asked, call.patient, call.types])];
  const mark = letters.reduce((sum, one) => (Math.imul(sum, 31) + (one.codePointAt(0) ?? 0)) >>> 0, 0).toString(36);
  const [size = String(limit), offset = '0', of = mark, position] = cursor?.split('~') ?? [];
  if (cursor !== undefined && !(CURSOR.test(cursor) && of === mark && Number(offset) < Number(size)))
    throw new Refusal('"cursor" is the "next" of a page of this query: this cursor does not fit it.');
  const at = position === undefined ? [] : [['_cursor', position] as const];
  const [answer, ...sources] = yield [
    result.searchOf(type, [...path, ...asked, ['_count', size], ['_total', 'accurate'], ...at]),
    ...(type === 'Observation' ? sourceSearches(call, patient) : []),
  ];
  const page = pageOf(answer);
  const { all, known, notIndexed } = yield* withTargets(call, page.matches, sources);
  const facts = all.slice(Number(offset)).map((one) => factOf(call, one, known));
  const head = {
    now: now.toISOString(),
    patient,
    asked: {
      words: words.translated(typeWords(words, type)),
      fhir: clipped(result.searchOf(type, [...path, ...asked])),
    },
  };
  const fit = result.fitted(facts, result.BUDGET.query - result.sizeOf([head, notIndexed]) - 500, (one) => one);
  // A page goes on, even if one fact alone does not fit.
  const shown = fit.length > 0 ? fit : facts.slice(0, 1).map(({ quoted: _, ...fact }) => fact);
  const closed = result.closedText(call, [type]);
  const left = facts.length - shown.length;
  const [from, on] = left > 0 ? [Number(offset) + shown.length, position] : [0, page.cursor];
  const next = left > 0 || on !== undefined ? [size, from, mark, on].filter((one) => one !== undefined) : undefined;
  return {
    ...head,
    facts: shown,
    none:
      (page.total ?? page.matches.length) === 0 && cursor === undefined
        ? 'No such record among those that this app may see.'
        : undefined,
    complete: next === undefined && closed.length + page.warnings.length + (undated ?? 0) === 0,
    shown: shown.length,
    total: page.total ?? shown.length,
    next: next?.join('~'),
    left_out: [
      ...closed,
      ...notIndexed,
      ...page.warnings,
      ...result.undatedText(call, undated),
      ...hiddenText(page.matches),
    ],
  };
};
