//! The person who has answered a form (QuestionnaireResponse).

import { valuesAt } from '../fhir/element-text.ts';
import { referenceIn } from '../fhir/loose.ts';
import { reference } from '../fhir/text.ts';
import type { Words } from '../language/words.ts';

/** Returns who has answered a form, or else who wrote the answers down; nothing for the patient. */
export function answeredBy(words: Words, form: object): string | undefined {
  const [subject] = valuesAt(form, 'subject.reference');
  const others = ['source', 'author']
    .flatMap((name) => referenceIn(valuesAt(form, name)[0]) ?? [])
    .filter((one) => one.reference === undefined || one.reference !== subject);
  return others.flatMap((one) => reference(words, one) ?? [])[0];
}
