//! The Spanish catalogue of the reading, whose keys are its messages. The first line of each file names its subjects. A
//! text of several subjects is in `common.ts`.

import { care } from './care.ts';
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
  ...care,
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
