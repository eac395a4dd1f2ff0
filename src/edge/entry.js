// The entry point of the Worker: an instance of the module, and its handlers.

import { fetch, initSync, queue, scheduled } from './index.js';
import module from './index_bg.wasm';

initSync({ module });

export default { fetch, queue, scheduled };
