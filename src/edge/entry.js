// The Worker, as the runtime takes it: an instance of the module, and its handlers.
import module from './index_bg.wasm';
import { answer, initSync, purge } from './index.js';
import { inTurns } from '../../src/edge/turns.js';

initSync({ module });

// What reads records may stop where its caller has gone away; what writes goes on to its end.
const isRead = (url) => url.startsWith('/fhir/', url.indexOf('/', 8));

export default {
  fetch: (request, env) => inTurns(answer(request, env), isRead(request.url) ? request.signal : undefined),
  scheduled: (_, env) => inTurns(purge(env)),
};
