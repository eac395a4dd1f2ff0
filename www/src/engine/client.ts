//! Asking the engine from the page: one promise for each question.

import { scriptAddress } from '../trusted.ts';
import type { Ask, Engine, Op, Told } from './types.ts';

export interface Timed<T> {
  value: T;
  ms: number;
}

/** What the engine refused, in its own OperationOutcome. */
export class Refused extends Error {
  constructor(
    readonly outcome: unknown,
    readonly ms: number,
  ) {
    super('The engine refused the question.');
  }
}

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, (told: Told) => void>();

function thread(): Worker {
  if (!worker) {
    worker = new Worker(scriptAddress(ENGINE_URL), { type: 'module', name: 'engine' });
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const outcome = {
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'fatal', code: 'exception', details: { text: 'The engine could not be started.' } }],
      };
      for (const [id, tell] of waiting) tell({ id, ok: false, outcome, ms: 0 });
      waiting.clear();
    };
  }
  return worker;
}

export function engine<O extends Op>(op: O, ...args: Parameters<Engine[O]>): Promise<Timed<ReturnType<Engine[O]>>> {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, (told) => {
      if (told.ok) resolve({ value: told.value as ReturnType<Engine[O]>, ms: told.ms });
      else reject(new Refused(told.outcome, told.ms));
    });
    thread().postMessage({ id, op, args } satisfies Ask);
  });
}
