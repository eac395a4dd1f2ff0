//! The answers of a form (QuestionnaireResponse), each with its question.

import { firstWritten, valuesAt, valueText } from '../fhir/element-text.ts';
import type { Words } from '../language/words.ts';
import { isObject } from '../shape.ts';

interface FormAnswer {
  /** The text of the question, or its id in the questionnaire. */
  question: string;
  /** The answers to the question in words, without duplicates. */
  answers: string[];
}

/** The greatest depth of items that are read. */
const MAX_DEPTH = 30;

/** Returns the value of an answer in words, for any type. */
const wordsOf = (words: Words, answer: unknown): string[] =>
  isObject(answer)
    ? Object.entries(answer).flatMap(([name, value]) =>
        /^value[A-Z]/.test(name) ? (valueText(words, value) ?? []) : [],
      )
    : [];

/** Returns the answered questions of a form in its order, including those in groups and those within an answer. */
export function formAnswers(words: Words, form: unknown, depth = 0): FormAnswer[] {
  if (depth > MAX_DEPTH) return [];
  return valuesAt(form, 'item').flatMap((item) => {
    const answers = [...new Set(valuesAt(item, 'answer').flatMap((answer) => wordsOf(words, answer)))];
    const question = firstWritten(item, ['text', 'linkId']) ?? '';
    const within = [item, ...valuesAt(item, 'answer')].flatMap((one) => formAnswers(words, one, depth + 1));
    return answers.length > 0 ? [{ question, answers }, ...within] : within;
  });
}
