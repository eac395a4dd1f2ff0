//! Answers on forms that mention allergies. They are not entries of the list of allergies. An empty list refers to
//! them.

import { formAnswers } from '#reading/documents/form-answers.ts';
import { isOfAllergies } from '#reading/documents/titles.ts';
import { clipped, isEnteredInError, plain } from '#reading/fhir/text.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { keptWhile } from '#reading/kept.ts';
import { words } from '../../language/language.ts';
import { type ChartStore, matchesIn } from '../loading/store.ts';

/** The search for the forms of a chart. The section of screening makes it. */
export const FORMS = 'QuestionnaireResponse?patient={patient}&_count=50';

/** The longest question in characters, and the most answers. */
const MAX_LENGTH = 80;
const MAX = 6;

/** The answers about allergies in some forms, kept for the same list of forms. */
const answersIn = keptWhile(
  () => [words()],
  (forms: readonly Resource[]): string[] => {
    const told = forms
      .filter((one) => isOfType('QuestionnaireResponse', one) && !isEnteredInError(one))
      .flatMap((form) => formAnswers(words(), form))
      .filter(({ question, answers }) => isOfAllergies(question) || answers.some(isOfAllergies))
      .map(
        ({ question, answers }) =>
          `${clipped(question, MAX_LENGTH)}: ${answers.map((code) => plain(words(), code)).join(', ')}`,
      );
    return [...new Set(told)].slice(0, MAX);
  },
);

/**
 * Returns the answers on forms about allergies, each with its question. The forms of the user's own files are read at
 * once. Those of a server are used once the section of screening has loaded them.
 */
export function allergyAnswers(store: ChartStore): string[] {
  return answersIn(matchesIn(store.source.name === 'files' ? store.load(FORMS) : store.answers.get(FORMS)));
}
