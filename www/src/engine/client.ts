//! Calls to the engine's thread from the page: one promise for each call.

import { checked } from '../shape.ts';
import { trustedScriptUrl } from '../trusted-types.ts';
import { ANSWERS, type Engine, type EngineCall, type EngineReply, engineReply, type Operation } from './types.ts';

/** An answer, with the time that the engine took for it, in milliseconds. */
export interface Timed<T> {
  value: T;
  ms: number;
}

/** A refusal of the engine, with its OperationOutcome. */
export class EngineRefusal extends Error {
  readonly outcome: unknown;
  readonly ms: number;

  constructor(outcome: unknown, ms: number) {
    super('The engine refused the question.');
    this.outcome = outcome;
    this.ms = ms;
  }
}

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, (reply: EngineReply) => void>();

function engineWorker(): Worker {
  if (!worker) {
    worker = new Worker(trustedScriptUrl(ENGINE_URL), { type: 'module', name: 'engine' });
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      const reply = checked(engineReply, data, 'reply');
      pending.get(reply.id)?.(reply);
      pending.delete(reply.id);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const issue = { severity: 'fatal', code: 'exception', details: { text: 'The engine could not be started.' } };
      for (const [id, settle] of pending) {
        settle({ id, ok: false, outcome: { resourceType: 'OperationOutcome', issue: [issue] }, ms: 0 });
      }
      pending.clear();
    };
  }
  return worker;
}

/** Calls an operation of the engine. Rejects with an `EngineRefusal` where the engine refuses. */
export function engine<O extends Operation>(
  operation: O,
  ...args: Parameters<Engine[O]>
): Promise<Timed<ReturnType<Engine[O]>>> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, (reply) => {
      if (!reply.ok) return reject(new EngineRefusal(reply.outcome, reply.ms));
      try {
        resolve({ value: checked(ANSWERS[operation], reply.value, operation), ms: reply.ms });
      } catch (error) {
        reject(error);
      }
    });
    engineWorker().postMessage({ id, operation, args } satisfies { [K in keyof EngineCall]: unknown });
  });
}
