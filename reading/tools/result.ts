//! The frame of a tool's result, and its size. An assistant reads a result whole, so that it has a budget; what does
//! not fit is left out in whole facts, and said.

import { DAY, instant, isoDay, overlap } from '../fhir/date.ts';
import { compact } from '../fhir/json.ts';
import { nameOf } from '../fhir/text.ts';
import { isOfType } from '../fhir/types.ts';
import { EVERY_PATIENT } from '../people/every-patient.ts';
import { isObject } from '../shape.ts';
import { type Answer, pageOf, Refusal, type ToolCall } from './call.ts';
import { isPersonName } from './plain-text.ts';

/** The most bytes of a receipt, which the main Worker adds to a result. */
const RECEIPT = 1_270;

/** The budgets of results without their receipts, in bytes of JSON. */
export const BUDGET = {
  overview: 8_000 - RECEIPT,
  query: 8_000 - RECEIPT,
  trend: 6_000 - RECEIPT,
  search: 8_000,
  fetch: 24_000 - RECEIPT,
} as const;

const encoder = new TextEncoder();

/** Returns the size of a value as JSON, in bytes. */
export const sizeOf = (value: unknown): number => encoder.encode(compact(value)).length;

/** The most patients among whom an assistant chooses. */
const MAX_CHOICES = 10;

/**
 * Yields the requests that say whose records the call is about, and returns the patient. That is the patient of the
 * arguments or of the grant, or the only one whom the grant opens. A search on Patient needs a condition.
 */
export function* patientOf({
  patient,
  arguments: { patient: named },
}: ToolCall): Generator<string[], string, Answer[]> {
  if (typeof named === 'string') {
    const [, id] = /^(?:Patient\/)?([A-Za-z0-9.-]{1,64})$/.exec(named) ?? [];
    if (id === undefined) throw new Refusal('"patient" is the id of one patient.');
    return id;
  }
  if (patient !== null) return patient;
  const pages = (yield EVERY_PATIENT.map((condition) => `Patient?${condition}&_count=${MAX_CHOICES + 1}`)).map(pageOf);
  const warnings = [...new Set(pages.flatMap((page) => page.warnings))];
  const matches = [...new Map(pages.flatMap((page) => page.matches).map((one) => [one.id, one])).values()];
  const [only] = matches;
  if (matches.length === 1 && only && warnings.length === 0) return only.id;
  const names = matches.slice(0, MAX_CHOICES).map((one) => {
    const name = isOfType('Patient', one) ? nameOf(one.name) : undefined;
    return name !== undefined && isPersonName(name) ? `${one.id} (${name})` : one.id;
  });
  if (names.length === 0) throw new Refusal(['No patient is open to this app.', ...warnings].join(' '));
  const more = matches.length > MAX_CHOICES ? ', and others' : '';
  const choice = `Say whose record is meant, as "patient": ${names.join(', ')}${more}.`;
  throw new Refusal([choice, ...warnings].join(' '));
}

/** Returns the address of a search. Values are encoded, so that an argument stays within its parameter. */
export function searchOf(path: string, parameters: readonly (readonly [string, string])[]): string {
  const pairs = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${path}?${pairs.join('&')}`;
}

/** Returns a value of a search parameter whose separators belong to it. */
export const escaped = (code: string): string => code.replace(/[\\,|$]/g, String.raw`\$&`);

/** Makes results of items in turn until a budget is spent, and returns those that fit. */
export function fitted<T, M>(items: readonly T[], budget: number, make: (item: T) => M): M[] {
  const shown: M[] = [];
  let left = budget;
  for (const item of items) {
    const made = make(item);
    left -= sizeOf(made) + 1;
    if (left < 0) break;
    shown.push(made);
  }
  return shown;
}

export const textArgument = ({ arguments: of }: ToolCall, name: string): string | undefined => {
  const value = of[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** Returns the limits in time as search parameters. */
export function periodOf(call: ToolCall): [string, string][] {
  const limits: [string, string][] = [];
  for (const [name, prefix] of [
    ['since', 'ge'],
    ['until', 'le'],
  ] as const) {
    const value = textArgument(call, name);
    if (value === undefined) continue;
    const at = instant(value);
    if (at === undefined || (value.length <= 10 && !isoDay(at).startsWith(value)))
      throw new Refusal(`"${name}" is no date: YYYY, YYYY-MM or YYYY-MM-DD.`);
    if (!call.date) throw new Refusal(`The type is not searched by date here: leave out "${name}".`);
    limits.push([call.date, prefix + value]);
  }
  return limits;
}

/** Returns the first or the last day of a limit from below or above; `undefined` for a time of the day. */
function edgeOf(limit: string): string | undefined {
  if (limit.includes('T')) return undefined;
  const [year = 0, month, day] = limit.slice(2).split('-').map(Number);
  if (limit.startsWith('ge')) return isoDay(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  return isoDay(Date.UTC(year, day === undefined ? (month ?? 12) : (month ?? 1) - 1, day ?? 0));
}

/** Returns the limits in time, a day wider: a search without a zone is by UTC. */
export const widePeriodOf = (call: ToolCall): [string, string][] =>
  periodOf(call).map(([name, limit]) => {
    const [prefix, edge] = [limit.slice(0, 2), edgeOf(limit)];
    return [name, edge ? prefix + isoDay(Date.parse(edge) + (prefix === 'ge' ? -DAY : DAY)) : limit];
  });

/** Returns the limits in time as the first and the last moment in a zone, between which a period may begin or end. */
export const zonedPeriodOf = (call: ToolCall, zone = 'Z'): [string, string][] =>
  periodOf(call).map(([name, limit]) => {
    const [prefix, edge] = [limit.slice(0, 2), edgeOf(limit)];
    return [name, edge ? `${prefix}${edge}T${prefix === 'ge' ? '00:00:00' : '23:59:59.999'}${zone}` : limit];
  });

/** Returns whether a date may be within the limits in time. A limit that is a day is that of the zone of the date. */
export const isWithin = (call: ToolCall, on = ''): boolean =>
  periodOf(call).every(([, limit]) => {
    const day = edgeOf(limit)?.slice(0, on.length);
    const at = instant(limit.slice(2)) ?? 0;
    const [own, edge] = day === undefined ? [instant(on) ?? at, at] : [on.slice(0, 10), day];
    return (day === undefined && overlap(on, limit.slice(2))) || (limit.startsWith('ge') ? own >= edge : own <= edge);
  });

/** Returns the sentence about records that limits in time leave out: their number, if it is known. */
export const undatedText = ({ date }: ToolCall, n: number | undefined): string[] =>
  n === 0 ? [] : [`Records without the date "${date}"${n === undefined ? '' : `: ${n}`}.`];

/** Returns the sentences about types that the grant does not open, or of which it opens a part. */
export function closedText({ types, partly = [] }: ToolCall, asked: readonly string[]): string[] {
  const closed = asked.filter((type) => !types.includes(type));
  const part = asked.filter((type) => partly.includes(type));
  return [
    ...(closed.length > 0 ? [`Not open to this app: ${closed.join(', ')}.`] : []),
    ...(part.length > 0 ? [`Open to this app only in part: ${part.join(', ')}.`] : []),
  ];
}

/** Returns the members of an object argument, as text. */
export const filtersOf = ({ arguments: { filters } }: ToolCall): [string, string][] =>
  isObject(filters) ? Object.entries(filters).map(([name, value]) => [name, String(value)]) : [];
