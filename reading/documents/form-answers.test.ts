import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { formAnswers } from './form-answers.ts';

test('answers stand with their questions, those of groups and within answers too', () => {
  const form = {
    resourceType: 'QuestionnaireResponse',
    item: [
      {
        linkId: 'sleep',
        text: 'Sleep',
        item: [
          { linkId: 'hours', text: 'How many hours?', answer: [{ valueDecimal: 4.5 }] },
          {
            linkId: 'aids',
            text: 'What helps?',
            answer: [
              {
                valueCoding: { code: 'tea', display: 'Tea' },
                item: [{ linkId: 'kind', answer: [{ valueString: 'Mint' }] }],
              },
              { valueString: 'Reading' },
            ],
          },
        ],
      },
      { linkId: 'pain', text: 'Any pain?', answer: [{ valueBoolean: false }] },
      { linkId: 'skipped', text: 'Skipped' },
    ],
  };
  assert.deepEqual(formAnswers(ENGLISH, form), [
    { question: 'How many hours?', answers: ['4.5'] },
    { question: 'What helps?', answers: ['Tea', 'Reading'] },
    { question: 'kind', answers: ['Mint'] },
    { question: 'Any pain?', answers: ['no'] },
  ]);
});

test('odd shapes give no answers, and nothing throws', () => {
  for (const item of [null, 'x', [null, 7, { answer: 'x' }], { answer: [null, { valueString: 7 }] }, [[[]]]]) {
    assert.ok(Array.isArray(formAnswers(ENGLISH, { item })));
  }
  let deep: unknown = { text: 'end', answer: [{ valueString: 'x' }] };
  for (let i = 0; i < 5_000; i += 1) deep = { item: [deep] };
  assert.deepEqual(formAnswers(ENGLISH, deep), []);
});
