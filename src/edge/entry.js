// The Worker, as the runtime takes it: an instance of the module, and its handlers.
import module from './index_bg.wasm';
import { answer, initSync, purge } from './index.js';

initSync({ module });

// Each turn takes what the promise came to that the last one gave, and gives the next; the last gives none.
function inTurns(work) {
  const after = (promise) => promise?.then((value) => after(work.resolve(value)), (reason) => after(work.reject(reason))) ?? work.outcome();
  return after(work.resolve());
}

export default {
  fetch: (request, env) => inTurns(answer(request, env)),
  scheduled: (_, env) => inTurns(purge(env)),
};
