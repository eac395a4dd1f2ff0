//! Calls to the engine's thread from the page: one promise for each call.

import { signal } from '@preact/signals-core';
import { issueText } from '#reading/fhir/text.ts';
import { errorText } from '../error-text.ts';
import { t } from '../language/message.ts';
import { trustedScriptUrl } from '../trusted-types.ts';
import type { LoadProgress, NamedFile, SamePeople } from './load/file-report.ts';
import type {
  Engine,
  EngineCall,
  EngineFault,
  EngineMessage,
  EngineReply,
  LoadedFiles,
  Operation,
  SentRequest,
} from './types.ts';

/** An answer, with the time that the engine took, in milliseconds. */
export interface TimedAnswer<T> {
  value: T;
  ms: number;
}

/** A refusal of the engine, with its OperationOutcome. */
export class EngineRefusal extends Error {
  readonly outcome: unknown;
  readonly ms: number;

  constructor(outcome: unknown, ms: number) {
    super(t('The engine refused the question.'));
    this.outcome = outcome;
    this.ms = ms;
  }
}

/** Returns the message of an error of a call: the words of a refusal, or those of the error. */
export const engineErrorText = (error: unknown): string =>
  error instanceof EngineRefusal ? issueText(error.outcome) : errorText(error);

interface PendingCall {
  settle: (reply: EngineReply) => void;
  onProgress: ((progress: LoadProgress) => void) | undefined;
}

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, PendingCall>();

/** The requests that the engine's thread reported last. */
export const engineRequests = signal<readonly SentRequest[]>([]);

function receive({ data: message }: MessageEvent<EngineMessage>): void {
  if ('requests' in message) {
    engineRequests.value = message.requests;
  } else if ('progress' in message) {
    pending.get(message.id)?.onProgress?.(message.progress);
  } else {
    pending.get(message.id)?.settle(message);
    pending.delete(message.id);
  }
}

/** Returns the message for a fault of the engine's thread. */
function faultText({ code, says }: EngineFault): string {
  switch (code) {
    case 'not-started':
      return t('The engine could not be started.');
    case 'stopped':
      return t('The engine was stopped.');
    case 'no-sample':
      return t('The sample could not be loaded: HTTP {status}.', { status: says });
    case 'no-files':
      return t('No files are open.');
    case 'broke-off':
      return t('The engine broke off ({why}). There may be more than its memory holds.', { why: says });
    case 'other':
      return says;
  }
}

const outcomeOf = (fault: EngineFault): unknown => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'fatal', code: 'exception', details: { text: faultText(fault) } }],
});

/** Rejects all calls that wait for an answer. */
function refuseAll(code: EngineFault['code']): void {
  const calls = [...pending];
  pending.clear();
  for (const [id, { settle }] of calls) settle({ id, ok: false, fault: { code, says: '' }, ms: 0 });
}

function engineWorker(): Worker {
  if (!worker) {
    worker = new Worker(trustedScriptUrl(ENGINE_URL), { type: 'module', name: 'engine' });
    worker.onmessage = receive;
    worker.onerror = (event) => {
      event.preventDefault();
      refuseAll('not-started');
    };
  }
  return worker;
}

/** Terminates the engine's thread and drops its records. The next call starts a new thread. */
export function stopEngine(): void {
  worker?.terminate();
  worker = undefined;
  refuseAll('stopped');
}

function call<O extends Operation>(
  operation: O,
  args: Parameters<Engine[O]>,
  onProgress?: (progress: LoadProgress) => void,
): Promise<TimedAnswer<ReturnType<Engine[O]>>> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const settle = (reply: EngineReply): void => {
      if (reply.ok) resolve({ value: reply.value as ReturnType<Engine[O]>, ms: reply.ms });
      else reject(new EngineRefusal('fault' in reply ? outcomeOf(reply.fault) : reply.outcome, reply.ms));
    };
    pending.set(id, { settle, onProgress });
    engineWorker().postMessage({ id, operation, args } satisfies { [K in keyof EngineCall]: unknown });
  });
}

/** Calls an operation of the engine. Rejects with an `EngineRefusal` if the engine refuses. */
export const engine = <O extends Operation>(
  operation: O,
  ...args: Parameters<Engine[O]>
): Promise<TimedAnswer<ReturnType<Engine[O]>>> => call(operation, args);

/** Loads files into the engine. `same` lists the pairs of Patients that are the same person. */
export const loadIntoEngine = async (
  files: NamedFile[],
  same: SamePeople[],
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadedFiles> => (await call('loadFiles', [files, same], onProgress)).value;
