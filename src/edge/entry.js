// The entry point of the Worker: an instance of the module, and its handlers.

import { fetch, initSync, queue, rehearse, scheduled } from './index.js';
import module from './index_bg.wasm';
import { rehearsal } from './rehearsal.js';

initSync({ module });
await rehearsal(rehearse);

export default { fetch, queue, scheduled };
