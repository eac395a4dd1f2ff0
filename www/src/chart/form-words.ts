//! Answers on forms that name allergies. They are no entries of the list, which says where it has none that there are
//! such answers.

import { formAnswers } from '#reading/documents/form-answers.ts';
import { isOfAllergies } from '#reading/documents/titles.ts';
import { clipped, isEnteredInError, plain } from '#reading/fhir/text.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { keptWhile } from '#reading/kept.ts';
import { words } from '../language/language.ts';
import type { ChartStore } from './store.ts';

/** The search for the forms of a chart, which the section of screening makes. */
export const FORMS = 'QuestionnaireResponse?patient={patient}&_count=50';

/** The longest question that is told, and the most answers. */
const MAX_LENGTH = 80;
const MAX = 6;

/** The answers about allergies among the forms of an answer, which are read once. */
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
 * The answers on forms about allergies, each with its question; none where the forms are not here. Of the user's own
 * files they are read at once, of a server once the section of screening has asked for them.
 */
export function allergyAnswers(store: ChartStore): string[] {
  const state = store.source.name === 'files' ? store.load(FORMS) : store.answers.get(FORMS);
  return state?.is === 'loaded' ? answersIn(state.found.matches) : [];
}
