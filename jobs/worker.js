// The script of the Worker for jobs: the handlers of the queue and of the cron trigger, and none for requests.

import worker from '../build/index.js';

const { queue, scheduled } = worker;

export default { queue, scheduled };
