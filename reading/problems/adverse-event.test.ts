import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { eventDate, eventName, isGrave, outcomeText, seriousnessText, suspectedCauses } from './adverse-event.ts';

const event = (more: Record<string, unknown> = {}): Resource => ({ resourceType: 'AdverseEvent', id: 'e', ...more });
const coded = (code: string) => ({ coding: [{ code }] });

test('what is serious and happened must be seen at a glance', () => {
  for (const [more, expected] of [
    [{ seriousness: coded('serious') }, true],
    [{ seriousness: coded('Serious') }, true],
    [{ seriousness: coded('SeriousIsLifeThreatening') }, true],
    [{ seriousness: { text: 'Serious' } }, true],
    [{ seriousness: { text: 'Life-threatening' } }, true],
    [{ seriousness: coded('Non-serious') }, false],
    [{ seriousness: { text: 'Not serious' } }, false],
    [{ outcome: coded('fatal') }, true],
    [{ outcome: coded('fatal'), seriousness: coded('Non-serious') }, true],
    [{ outcome: coded('resolved') }, false],
    [{ severity: coded('severe') }, true],
    // A severe event, such as a severe headache, is not always serious.
    [{ severity: coded('severe'), seriousness: coded('Non-serious') }, false],
    [{ severity: coded('moderate') }, false],
    [{ seriousness: coded('serious'), actuality: 'actual' }, true],
    [{ seriousness: coded('serious'), actuality: 'potential' }, false],
    [{ seriousness: coded('serious'), status: 'entered-in-error' }, false],
    [{ seriousness: [7, null], severity: 'severe', outcome: { coding: 'x' } }, true],
    [{ seriousness: {}, severity: [null], outcome: 4 }, false],
    [{}, false],
  ] as const)
    assert.equal(isGrave(event(more)), expected, JSON.stringify(more));
});

test('the codes of seriousness and outcome are said in words, and others in their own', () => {
  const all = event({ seriousness: coded('SeriousResultsInHospitalization'), outcome: coded('resolvedWithSequelae') });
  assert.equal(seriousnessText(ENGLISH, all), 'serious: it led to a stay in hospital');
  assert.equal(outcomeText(ENGLISH, all), 'resolved with sequelae');
  assert.equal(outcomeText(ENGLISH, event({ outcome: { text: 'Better' } })), 'Better');
  assert.equal(seriousnessText(ENGLISH, event({ seriousness: coded('constructor') })), 'constructor');
  assert.equal(seriousnessText(ENGLISH, event({ seriousness: 3 })), '3');
});

test('an event has the name and the date that it has in R4 or R5', () => {
  assert.equal(eventName(ENGLISH, event({ event: { text: 'Rash' }, category: [{ text: 'Mishap' }] })), 'Rash');
  assert.equal(eventName(ENGLISH, event({ code: { text: 'Fall' } })), 'Fall');
  assert.equal(eventName(ENGLISH, event({ category: [coded('medication-mishap')] })), 'medication mishap');
  assert.equal(eventName(ENGLISH, event()), undefined);
  assert.equal(eventDate(event({ detected: '2025-02', recordedDate: '2025-03' })), '2025-02');
  assert.equal(eventDate(event({ occurrencePeriod: { start: '2024' } })), '2024');
});

test('a suspected cause has the name of the record that is referred to', () => {
  const statement = {
    resourceType: 'MedicationStatement',
    id: 'm',
    medicationReference: { reference: 'Medication/d' },
  };
  const drug = { resourceType: 'Medication', id: 'd', code: { text: 'Amoxicillin' } };
  const vaccine = { resourceType: 'Immunization', id: 'v', vaccineCode: { text: 'MMR' } };
  const causes = (...suspectEntity: unknown[]): string[] =>
    suspectedCauses(
      ENGLISH,
      event({ suspectEntity, contained: [{ resourceType: 'Substance', id: 's', code: { text: 'Latex' } }] }),
      [statement, drug, vaccine],
    );
  const to = (reference: string, more = {}) => ({ instance: { reference }, ...more });
  assert.deepEqual(causes(to('MedicationStatement/m')), ['Amoxicillin']);
  assert.deepEqual(causes(to('https://a.example/fhir/Immunization/v/_history/2')), ['MMR']);
  assert.deepEqual(causes(to('#s', { causality: [{ assessment: { text: 'probable' } }] })), ['Latex (probable)']);
  for (const one of [{ productRelatedness: 'Unrelated' }, { entityRelatedness: { text: 'Unrelated' } }])
    assert.deepEqual(causes(to('#s', { causality: [one] })), ['Latex (Unrelated)']);
  assert.deepEqual(causes({ instance: { reference: 'Medication/x', display: 'Aspirin' } }), ['Aspirin']);
  assert.deepEqual(causes(to('Medication/x')), ['Medication x']);
  assert.deepEqual(causes({ instanceCodeableConcept: { text: 'Contrast' } }), ['Contrast']);
  assert.deepEqual(causes({ instance: [7, null] }, 'x', null, { instance: {} }), ['7']);
});

test('elsewhere an event says its cause too, and that it only might have happened', () => {
  const suspectEntity = [{ instance: { display: 'Heparin' } }];
  const { what, value, caution, kind } = meaningOf(
    ENGLISH,
    event({ event: { text: 'Wrong dose' }, actuality: 'potential', severity: coded('mild'), suspectEntity }),
  );
  assert.deepEqual([kind, what, caution], ['Adverse event', 'Wrong dose', 'potential, did not happen']);
  assert.equal(value, 'Suspected cause: Heparin; Severity: mild');
});
