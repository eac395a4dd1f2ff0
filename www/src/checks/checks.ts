//! The checks of the checks page, by group: the promises that this server makes to strangers, tried on it live.

import type { PlainMessage } from '../language/message.ts';
import { answers } from './answers.ts';
import type { ServerCheck } from './check.ts';
import { discovery } from './discovery.ts';
import { otherOrigins } from './other-origins.ts';
import { refusals } from './refusals.ts';
import { signIn } from './sign-in.ts';

export const CHECK_GROUPS: { title: PlainMessage; checks: ServerCheck[] }[] = [
  { title: 'Discovery', checks: discovery },
  { title: 'Refusals', checks: refusals },
  { title: 'Answers', checks: answers },
  { title: 'Other origins', checks: otherOrigins },
  { title: 'Sign-in', checks: signIn },
];
