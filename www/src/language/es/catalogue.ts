//! The Spanish catalogue: one part for each part of the app. A text that several parts have stands in `common.ts`. Its
//! keys are the messages of the app.

import { care } from './care.ts';
import { chart } from './chart.ts';
import { checks } from './checks.ts';
import { codes } from './codes.ts';
import { common } from './common.ts';
import { documents } from './documents.ts';
import { examples } from './examples.ts';
import { exporting } from './exporting.ts';
import { files } from './files.ts';
import { launch } from './launch.ts';
import { pages } from './pages.ts';
import { playground } from './playground.ts';
import { results } from './results.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';
import { timeline } from './timeline.ts';

export const spanish = {
  ...care,
  ...chart,
  ...checks,
  ...codes,
  ...common,
  ...documents,
  ...examples,
  ...exporting,
  ...files,
  ...launch,
  ...pages,
  ...playground,
  ...results,
  ...session,
  ...shell,
  ...timeline,
} as const;

export type Message = keyof typeof spanish;
export type Catalogue = Readonly<Record<Message, string>>;
