//! Common tests, statuses and flags in plain words, for readers who are no clinicians. The words are our own, and not
//! those of a laboratory or of LOINC. They say what is measured, and never what a result means for a person
//! (docs/decisions/app.md#plain-words).

import type { Concept } from '../fhir/types.ts';
import { isLoinc, vitalCodeMeant } from '../fhir/vital-codes.ts';
import type { Words } from '../language/words.ts';
import { own } from '../own.ts';
import type { Flag } from './flags/flag-signs.ts';
import { english } from './plain-words/en.ts';
import { spanish } from './plain-words/es.ts';
import { PLAIN_TESTS, type PlainTest, type PlainTexts } from './plain-words/texts.ts';

const LANGUAGES: Readonly<Record<string, PlainTexts>> = { es: spanish };
const textsIn = ({ language }: Words): PlainTexts => own(LANGUAGES, language) ?? english;

const TESTS: ReadonlyMap<string, keyof typeof PLAIN_TESTS> = new Map(
  Object.entries(PLAIN_TESTS).flatMap(([test, codes]) =>
    codes.map((code) => [code, test as keyof typeof PLAIN_TESTS] as const),
  ),
);

/** Returns the plain words of a test or a panel; `undefined` for one that is not in the table. */
export function plainTest(words: Words, of: Concept | undefined): PlainTest | undefined {
  const codes = (of?.coding ?? []).flatMap(({ system, code }) => (code && isLoinc(system) ? code : []));
  const test = [...codes, vitalCodeMeant(of) ?? ''].map((code) => TESTS.get(code)).find(Boolean);
  return test && textsIn(words).tests[test];
}

/** Returns the explanation of the status of a result; `undefined` for `final`, which needs none. */
export const plainStatus = (words: Words, status: string | undefined): string | undefined =>
  own<string>(textsIn(words).statuses, status ?? '');

export const plainFlag = (words: Words, flag: Flag): string => textsIn(words).flags[flag];
