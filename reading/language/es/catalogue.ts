//! The Spanish catalogue of the reading: one part for each subject. A text of several subjects is in `common.ts`. The
//! keys are the messages of the reading.

import { certainty } from './certainty.ts';
import { codes, elements } from './codes.ts';
import { common } from './common.ts';
import { documents } from './documents.ts';
import { imaging } from './imaging.ts';
import { medications } from './medications.ts';
import { observations } from './observations.ts';
import { records } from './records.ts';
import { results } from './results.ts';
import { timeline } from './timeline.ts';

export const spanish = {
  ...certainty,
  ...codes,
  ...common,
  ...documents,
  ...elements,
  ...imaging,
  ...medications,
  ...observations,
  ...records,
  ...results,
  ...timeline,
} as const;

export type Message = keyof typeof spanish;
