//! The Worker `reading`, which the main Worker asks to write documents and to answer the tools of assistants. It has no
//! binding, no secret and no address of its own, and makes no request: it only knows the records of the request, which
//! the main Worker has permitted.

import { DAY, instant } from './fhir/date.ts';
import { compact, parsed } from './fhir/json.ts';
import { spanishTypes } from './fhir/type-words-es.ts';
import { isOfType, type Resource, resourceShape } from './fhir/types.ts';
import { spanish } from './language/es/catalogue.ts';
import { ENGLISH, Words } from './language/words.ts';
import { own } from './own.ts';
import { isShaped } from './shape.ts';
import { patientSummary, unknownPatient } from './summary/patient-summary.ts';
import { type Answer, stepOf, type Tool, type ToolCall } from './tools/call.ts';
import { TOOLS } from './tools/index.ts';

/** The answer of a Worker. */
declare class Response {
  constructor(body: string);
}

/** A request for a summary. `entries` are entries of a Bundle. */
interface Asked {
  language: string;
  base: string;
  /** The start of the day, in UTC. */
  day: string;
  uuids: string[];
  closed: string[];
  partly: string[];
  isCut: boolean;
  patient: { id: string };
  entries: { resource: unknown }[];
}

const SPANISH = new Words({ language: 'es', locale: 'es-ES', catalogue: { ...spanishTypes, ...spanish } });
const wordsFor = (language: string): Words => (language === 'es' ? SPANISH : ENGLISH);

/** Returns the time of the last change on a day, or its start: equal records give equal documents all day. */
function lastChange(day: string, records: Resource[]): Date {
  const start = Date.parse(day);
  const changes = records.flatMap(({ meta }) => instant(meta?.lastUpdated) ?? []);
  return new Date(Math.max(start, ...changes.filter((time) => time > start && time < start + DAY)));
}

/** Returns the document for a request. */
export function summaryOf(text: string): string {
  const { language, base, day, uuids, closed, partly, isCut, patient, entries } = parsed(text) as Asked;
  const uuid = () => uuids.shift() ?? '';
  const words = wordsFor(language);
  const isRead = (one: unknown): one is Resource => isShaped(resourceShape, one);
  const records = entries.map(({ resource }) => resource).filter(isRead);
  const person = isRead(patient) && isOfType('Patient', patient) ? patient : unknownPatient(words, patient.id);
  const unreadable = entries.length - records.length + (person === patient ? 0 : 1);
  const now = lastChange(day, [person, ...records]);
  return compact(
    patientSummary(words, person, records, { base, now, uuid, closed, partly, isCut, unreadable, hasOnlyNewest: true }),
  );
}

/** A call of a tool, with the answers of its rounds so far. */
interface Called extends Omit<ToolCall, 'words' | 'now'> {
  tool: string;
  language: string;
  now: string;
  rounds: Answer[][];
}

/** Calls that wait for answers, with what was sent. The next text of a call begins with it, or is read as a new one. */
let waiting: { sent: string; steps: ReturnType<Tool> }[] = [];

/** Returns a call from its beginning. The first step has no answers. */
function begun({ tool, language, now, rounds, ...call }: Called): { steps: ReturnType<Tool>; rounds: Answer[][] } {
  const known = own(TOOLS, tool);
  if (known === undefined) throw new Error(tool);
  return { steps: known({ ...call, words: wordsFor(language), now: new Date(now) }), rounds: [[], ...rounds] };
}

/** Returns the next step of a call with the rounds of answers so far. */
export function nextStep(text: string): string {
  const sent = text.slice(0, -']}'.length);
  const kept = waiting.find((one) => sent.startsWith(one.sent) && sent !== one.sent);
  waiting = waiting.filter((one) => one !== kept);
  const { steps, rounds } = kept
    ? { ...kept, rounds: parsed(`[${sent.slice(kept.sent.length).replace(/^,/, '')}]`) as Answer[][] }
    : begun(parsed(text) as Called);
  const [step] = rounds.map((answers) => stepOf(steps, answers)).slice(-1);
  if (step && 'requests' in step) waiting.push({ sent, steps });
  while (waiting.reduce((letters, one) => letters + one.sent.length, 0) > 4_000_000) waiting.shift();
  // Half of a letter, which a cut may leave, is no JSON for the main Worker.
  return compact(step).replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, String.raw`$1\ufffd`);
}

/** A request to the Worker. */
interface Asking {
  url: string;
  text(): Promise<string>;
}

export default {
  fetch: async (request: Asking) => {
    const text = await request.text();
    return new Response(request.url.endsWith('/tool') ? nextStep(text) : summaryOf(text));
  },
};
