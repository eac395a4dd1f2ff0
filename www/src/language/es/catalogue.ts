//! The Spanish catalogue: that of `reading/`, and one file for each part of the app. Texts that several parts share are
//! in `common.ts`. The keys are the messages of the app.

import { spanishTypes } from '#reading/fhir/type-words-es.ts';
import { spanish as reading } from '#reading/language/es/catalogue.ts';
import { care } from './care.ts';
import { certainty } from './certainty.ts';
import { chart } from './chart.ts';
import { checks } from './checks.ts';
import { common } from './common.ts';
import { developers } from './developers.ts';
import { documents } from './documents.ts';
import { examples } from './examples.ts';
import { files } from './files.ts';
import { launch } from './launch.ts';
import { leftOut } from './left-out.ts';
import { pages } from './pages.ts';
import { playground } from './playground.ts';
import { results } from './results.ts';
import { sandboxPatients } from './sandbox-patients.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';
import { timeline } from './timeline.ts';
import { widgets } from './widgets.ts';

export const spanish = {
  ...reading,
  ...care,
  ...certainty,
  ...chart,
  ...checks,
  ...common,
  ...developers,
  ...documents,
  ...examples,
  ...files,
  ...launch,
  ...leftOut,
  ...pages,
  ...playground,
  ...results,
  ...session,
  ...shell,
  ...timeline,
  ...widgets,
} as const;

export type Message = keyof typeof spanish;

/**
 * The messages, the types of resources, and the texts about the sandbox's patients and apps. A message that equals the
 * name of a type has its own translation.
 */
export const spanishWords: Readonly<Record<string, string>> = {
  ...spanishTypes,
  ...sandboxPatients,
  ...spanish,
};

/** The texts of the page in this language. */
export const texts = { catalogue: spanishWords };
