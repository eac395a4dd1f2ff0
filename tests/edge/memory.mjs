// The memory of the Worker's module. A WebAssembly memory never shrinks, so its size is exactly the most memory that
// was used, independent of the garbage collection of the runtime.

import { built } from '../../tools/server/workerd.mjs';

/// Returns the modules of the Worker, or of the Worker for jobs, changed to log the size of their memory at each event.
export const measured = () => [
  {
    type: 'ESModule',
    path: 'build/measured.js',
    contents: `
    import { memory } from './memory.js';
    import worker from './index.js';
    const logged = (handler) => async (...of) => {
      try {
        return await handler(...of);
      } finally {
        console.log(JSON.stringify({ memory: memory().buffer.byteLength }));
      }
    };
    export default {
      fetch: logged(worker.fetch),
      queue: logged(worker.queue),
      scheduled: logged(worker.scheduled),
    };`,
  },
  {
    type: 'ESModule',
    path: 'build/memory.js',
    contents: `
    const { Instance } = WebAssembly;
    let exported;
    WebAssembly.Instance = function (module, imports) {
      const instance = new Instance(module, imports);
      exported = instance.exports;
      return instance;
    };
    export const memory = () => exported.memory;`,
  },
  ...built(),
];

/// Returns the most memory that a module of the server has used so far, in MiB.
export const mostMemory = ({ messages }) => {
  const sizes = messages.filter((message) => message.startsWith('{"memory":')).map((message) => JSON.parse(message));
  return Math.max(...sizes.map(({ memory }) => memory)) / 2 ** 20;
};
