//! Cases of advance directives in records of all types: codes of LOINC, SNOMED CT, ICD-10-CM and FHIR, and words.

import type { Resource } from '../fhir/types.ts';

export interface DirectiveCase {
  from: string;
  of: Resource;
  /** The words for the directive; `undefined` if the record is no directive or is not in force. */
  says: string | undefined;
}

const SNOMED = 'http://snomed.info/sct';
const LOINC = 'http://loinc.org';
const ICD = 'http://hl7.org/fhir/sid/icd-10-cm';
const coded = (system: string, code: string, display?: string) => ({
  coding: [{ system, code, ...(display ? { display } : {}) }],
});
const named = (text: string) => ({ text });
const status = (system: string, code: string) => coded(`http://terminology.hl7.org/CodeSystem/${system}`, code);

type More = Record<string, unknown>;
const record =
  (resourceType: string, usual: More = {}) =>
  (from: string, more: More, says?: string): DirectiveCase => {
    const of: Resource & More = { resourceType, id: 'x', ...usual, ...more };
    return { from, of, says };
  };
const order = record('ServiceRequest', { status: 'active', intent: 'order' });
const answer = record('Observation', { status: 'final' });
const problem = record('Condition', { clinicalStatus: status('condition-clinical', 'active') });
const done = record('Procedure', { status: 'completed' });
const document = record('DocumentReference', { status: 'current' });
const consent = record('Consent', { status: 'active' });

const CPR = coded(SNOMED, '89666000', 'Cardiopulmonary resuscitation');
const YES = coded(LOINC, 'LA33-6', 'Yes');

export const DIRECTIVE_CASES: readonly DirectiveCase[] = [
  order('PACIO: no resuscitation', { code: CPR, doNotPerform: true }, 'Cardiopulmonary resuscitation'),
  order('PACIO: resuscitation is wanted', { code: CPR }, 'Cardiopulmonary resuscitation'),
  order(
    'PACIO: the category of orders for treatment',
    { category: [coded(LOINC, '100823-4')], code: named('Selective treatments') },
    'Selective treatments',
  ),
  order('an order in words', { code: named('DNR/DNI') }, 'DNR/DNI'),
  order('an order for comfort', { code: named('Comfort measures only') }, 'Comfort measures only'),
  order('an order in French', { code: named('Ne pas réanimer') }, 'Ne pas réanimer'),
  order('an order in Spanish', { code: named('Orden de no reanimación') }, 'Orden de no reanimación'),
  order('the status of the code', { code: named('Full code') }, 'Full code'),
  order('an order that was withdrawn', { status: 'revoked', code: named('DNR') }),
  order('an order that is over', { status: 'completed', code: named('DNR') }),
  order('an order of fluid', { code: named('Fluid resuscitation') }),
  order('an order of another kind', { code: coded(LOINC, '58410-2', 'CBC panel') }),
  answer(
    'US Core: an answer on a directive',
    { code: coded(LOINC, '45474-4', 'Advance directive - do not resuscitate'), valueCodeableConcept: YES },
    'Advance directive - do not resuscitate: Yes',
  ),
  answer(
    'US Core: the category of directives',
    { category: [coded(LOINC, '42348-3')], code: named('Living arrangements wished'), valueString: 'At home' },
    'Living arrangements wished: At home',
  ),
  answer(
    'a value of SNOMED CT',
    {
      code: named('Status on admission'),
      valueCodeableConcept: coded(SNOMED, '304253006', 'Not for resuscitation'),
    },
    'Status on admission: Not for resuscitation',
  ),
  answer(
    'US Core: a preference of treatment',
    {
      category: [coded('http://hl7.org/fhir/us/core/CodeSystem/us-core-category', 'treatment-intervention-preference')],
      code: named('Preferences'),
      valueString: 'No blood of others',
    },
    'Preferences: No blood of others',
  ),
  answer('a note that speaks of it', { code: named('Note'), valueString: `${'Seen today. '.repeat(20)}Code status.` }),
  answer('the status of the code in words', { code: named('Code status'), valueString: 'DNR' }, 'Code status: DNR'),
  answer('entered in error', { status: 'entered-in-error', code: named('Code status'), valueString: 'DNR' }),
  answer('an Apgar score', { code: coded(LOINC, '9274-2', '5 minute Apgar Score'), valueInteger: 2 }),
  problem('ICD-10-CM', { code: coded(ICD, 'Z66', 'Do not resuscitate') }, 'Do not resuscitate'),
  problem('a problem in words', { code: named('Not for attempted resuscitation') }, 'Not for attempted resuscitation'),
  problem('a problem that is over', {
    clinicalStatus: status('condition-clinical', 'inactive'),
    code: coded(ICD, 'Z66', 'Do not resuscitate'),
  }),
  problem('refuted', {
    verificationStatus: status('condition-ver-status', 'refuted'),
    code: coded(ICD, 'Z66', 'Do not resuscitate'),
  }),
  problem('a history of it', { code: named('History of cardiopulmonary resuscitation') }),
  done('a resuscitation', { code: CPR }),
  done('a directive that was made', { code: named('Advance directive completed') }, 'Advance directive completed'),
  done('a talk about plans', { code: named('Advance care planning') }),
  document(
    'US Core: a document',
    { category: [coded(LOINC, '42348-3')], type: coded(LOINC, '64298-3', 'Power of attorney') },
    'Power of attorney',
  ),
  document('a document in words', { type: named('POLST form') }, 'POLST form'),
  document('a document that was replaced', { status: 'superseded', type: named('POLST form') }),
  document('a document of another kind', { type: named('Discharge summary') }),
  consent('the scope of directives', { scope: coded('x', 'adr'), category: [named('Living will')] }, 'Living will'),
  consent(
    'a permission with an exception',
    {
      category: [named('Living will')],
      provision: { type: 'permit', period: { end: '2999' }, provision: [{ type: 'deny', code: [CPR] }] },
    },
    'Living will: permit: until 2999; except: deny: Cardiopulmonary resuscitation',
  ),
  consent(
    'the Netherlands: the treatment in an extension',
    {
      category: [coded('x', '11291000146105', 'Treatment instructions')],
      provision: { provision: [{ type: 'deny', extension: [{ url: 'x', valueCodeableConcept: CPR }] }] },
    },
    'Treatment instructions: except: deny: Cardiopulmonary resuscitation',
  ),
  consent('a consent that has ended', { category: [named('DNR')], provision: { period: { end: '2020-01-01' } } }),
  consent('a consent to research', { scope: coded('x', 'research'), category: [named('Biobank')] }),
  consent('a consent that was rejected', { status: 'rejected', scope: coded('x', 'adr') }),
  record('Flag')('an alert has its own line', { status: 'active', code: named('Do not resuscitate') }),
];
