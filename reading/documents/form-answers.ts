//! The answers of a form (QuestionnaireResponse), each with its question.

import { firstWritten, valuesAt, valueText } from '../fhir/element-text.ts';
import { referenceIn } from '../fhir/loose.ts';
import { reference } from '../fhir/text.ts';
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

/** Returns who has answered a form, or else who wrote the answers down; nothing for the patient. */
export function answeredBy(words: Words, form: object): string | undefined {
  const [subject] = valuesAt(form, 'subject.reference');
  const others = ['source', 'author']
    .flatMap((name) => referenceIn(valuesAt(form, name)[0]) ?? [])
    .filter((one) => one.reference === undefined || one.reference !== subject);
  return others.flatMap((one) => reference(words, one) ?? [])[0];
}

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
