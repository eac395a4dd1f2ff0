// The Worker, as the runtime takes it: an instance of the module, and its handlers.
import module from './index_bg.wasm';
import { fetch, initSync, scheduled } from './index.js';

initSync({ module });

export default { fetch, scheduled };
