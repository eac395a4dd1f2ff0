// The consumers of the queues of jobs. A queue has one, and a deployment of before had another.

import { change, isAbsent, look, say, WRANGLER } from './commands.mjs';

/// The Workers that consume a queue, as the account says.
function consumersOf(queue) {
  const said = look(['queues', 'info', queue], isAbsent) ?? '';
  const [, list = ''] = /^Consumers: (.*)$/m.exec(said) ?? [];
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one.startsWith('worker:'))
    .map((one) => one.slice('worker:'.length));
}

/// Takes the queues of jobs from other Workers, which consumed them before there was one for jobs. Until that one is
/// deployed, its messages wait.
export function releaseQueues({ name, queues: { consumers = [] } }) {
  for (const { queue } of consumers) {
    for (const other of consumersOf(queue).filter((one) => one !== name)) {
      say(`taking the queue ${queue} from ${other}: ${name} consumes it from now on`);
      change([WRANGLER, 'queues', 'consumer', 'remove', queue, other]);
    }
  }
}
