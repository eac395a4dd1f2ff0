//! The calls of tools by assistants (Model Context Protocol). A tool is a generator: it yields FHIR requests, receives
//! their answers, and returns its result. The server sends the answers of all rounds so far with each request for the
//! next one, so that nothing need be stored between rounds. The tool asks the server for records as any app does, under
//! the grant of the call, and thus cannot learn more than an app.

import { issuesOf } from '../fhir/text.ts';
import { type Issue, type Resource, resourceShape } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { isObject, isShaped, itemsOf } from '../shape.ts';
import { type ReceiptFact, receiptFacts } from './receipt.ts';

/** The answer to a FHIR request. */
export interface Answer {
  status: number;
  body: unknown;
}

/** A call of a tool. Its arguments fit the schema of the tool (`src/api/mcp/tools.json`). */
export interface ToolCall {
  words: Words;
  now: Date;
  /** The FHIR base, for the addresses of records. */
  base: string;
  /** The patient of the grant, if it is of one patient. */
  patient: string | null;
  /** The types of records of patients that the grant opens. */
  types: readonly string[];
  /** Those of which the grant opens only the records that filters select. */
  partly?: readonly string[];
  /** Of `search`, the types of which the chart has open records. `null` if they are not known. */
  chart?: readonly string[] | null;
  /** The search parameter by which the type of the call is limited in time, if it has one. */
  date?: string | null;
  arguments: Readonly<Record<string, unknown>>;
}

export type Tool = (call: ToolCall) => Generator<string[], object, Answer[]>;

/** A call that cannot be answered. The message leads on. */
export class Refusal extends Error {}

/** The next step of a call: a round of requests, the result with the facts of its receipt, or why there is none. */
export type Step = { requests: string[] } | { told: { result: object; facts: ReceiptFact[] } } | { refusal: string };

/** Returns the step that follows the answers to the last one. The first step has no answers. */
export function stepOf(steps: ReturnType<Tool>, answers: Answer[]): Step {
  try {
    const { done, value } = steps.next(answers);
    return done ? { told: { result: value, facts: receiptFacts(value) } } : { requests: value };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    throw error;
  }
}

/** The records of a Bundle. */
export interface Page {
  matches: Resource[];
  /** The number of all matches, if the server counted them. */
  total: number | undefined;
  /** The cursor of the next page. */
  cursor: string | undefined;
  /** The warnings of the server: what was left out. */
  warnings: string[];
}

/** Returns the records of an answer; a refusal if there are none because the request failed. */
export function pageOf(answer: Answer | undefined): Page {
  const { status = 500, body } = answer ?? {};
  if (status !== 200 || !isObject(body)) throw new Refusal(refusalOf(status, body));
  const [matches, warnings, unreadable]: [Resource[], string[], unknown[]] = [[], [], []];
  for (const entry of itemsOf(body.entry).filter(isObject)) {
    const { resource } = entry;
    const mode = isObject(entry.search) ? entry.search.mode : undefined;
    if (mode === 'outcome') warnings.push(...issuesOf(resource).map(issueWords));
    else if (isShaped(resourceShape, resource)) matches.push(resource);
    else unreadable.push(resource);
  }
  warnings.push(...unreadableText(unreadable));
  const next = itemsOf(body.link)
    .filter(isObject)
    .find(({ relation }) => relation === 'next')?.url;
  const cursor = typeof next === 'string' ? /[?&]_cursor=([^&]+)/.exec(next)?.[1] : undefined;
  return { matches, total: typeof body.total === 'number' ? body.total : undefined, cursor, warnings };
}

/** Returns the sentences about records without the form of FHIR, if there are any, with some addresses. */
function unreadableText(records: readonly unknown[]): string[] {
  const addresses = records
    .map((one) => (isObject(one) ? `${one.resourceType}/${one.id}` : ''))
    .filter((address) => /^[A-Za-z]{1,64}\/[A-Za-z0-9.-]{1,64}$/.test(address))
    .slice(0, 5);
  return [
    ...(records.length > 0 ? [`Malformed records that cannot be read: ${records.length}.`] : []),
    ...(addresses.length > 0 ? [`Their JSON: fetch with raw ${addresses.join(', ')}.`] : []),
  ];
}

/** Returns the words of an issue without what they quote from the request. */
const issueWords = ({ details, diagnostics }: Issue): string =>
  [details?.text?.replace(/".*"/s, 'this'), diagnostics].filter(Boolean).join(' ');

/** Returns the reason for which a request failed. */
function refusalOf(status: number, body: unknown): string {
  if (status === 404) return 'No such record is among those that this app may see.';
  return issuesOf(body).map(issueWords).join(' ') || `The records could not be read (${status}).`;
}
