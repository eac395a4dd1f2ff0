//! Cases of certainty: records that are not plain facts, their places in a chart, and the words next to their
//! names. The codes are of the value sets of FHIR R4 (<https://hl7.org/fhir/R4/valueset-condition-clinical.html>
//! and the like), of US Core and of IPS; other forms were seen in records.

import { OTHER_CASES } from './certainty-others.cases.ts';
import { type CertaintyCase, listed } from './certainty-row.cases.ts';

type Members = Record<string, unknown>;
const code = (value: string, system?: string): Members => ({
  coding: [{ code: value, ...(system ? { system } : {}) }],
});
const CLINICAL = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
const ALLERGY_CLINICAL = 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical';
const SNOMED = 'http://snomed.info/sct';
const IPS = 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips';

const condition = listed('Condition', { code: { text: 'Asthma' } });
const allergy = listed('AllergyIntolerance', { code: { text: 'Penicillin' } });

const VISIT = { category: [code('encounter-diagnosis')] };
const clinical = (value: string): Members => ({ clinicalStatus: code(value, CLINICAL) });
const sure = (value: string): Members => ({ verificationStatus: code(value) });

/** The code of a diagnosis with the letter of German profiles for its certainty. */
const lettered = (letter: string): Members => ({
  code: {
    text: 'Asthma',
    coding: [
      {
        code: 'J45',
        extension: [
          {
            url: 'http://fhir.de/StructureDefinition/icd-10-gm-diagnosesicherheit',
            valueCoding: { code: letter },
          },
        ],
      },
    ],
  },
});

export const CERTAINTY_CASES: CertaintyCase[] = [
  condition('active', clinical('active'), 'listed'),
  condition('recurrence', clinical('recurrence'), 'listed', 'recurrence'),
  condition('in remission', clinical('remission'), 'listed', 'remission'),
  condition('inactive', clinical('inactive'), 'past', 'inactive'),
  condition('resolved', clinical('resolved'), 'past', 'resolved'),
  condition('no status', {}, 'listed'),
  condition('a status without a system', { clinicalStatus: code('resolved') }, 'past', 'resolved'),
  condition('a status of a local code', { clinicalStatus: code('smouldering', 'urn:x') }, 'listed', 'smouldering'),
  condition('a status that is text', { clinicalStatus: { text: 'Inactive' } }, 'past', 'inactive'),
  condition(
    'a status that is text and of no value set',
    { clinicalStatus: { text: 'Mostly inactive' } },
    'listed',
    'Mostly inactive',
  ),
  condition(
    'a status as a display of a local code',
    { clinicalStatus: { coding: [{ system: 'urn:x', code: '3', display: 'In Remission' }] } },
    'listed',
    'remission',
  ),
  condition(
    'an active status of SNOMED CT',
    { clinicalStatus: { coding: [{ system: SNOMED, code: '55561003', display: 'Active' }] } },
    'listed',
  ),
  condition('a code excluded by its German letter', { ...lettered('A'), ...clinical('active') }, 'refuted', 'refuted'),
  condition('a code suspected by its German letter', lettered('V'), 'listed', 'provisional'),
  condition('a code that is over by its German letter', lettered('Z'), 'past', 'resolved'),
  condition('an end without a status', { abatementDateTime: '2015' }, 'past', 'ended'),
  condition(
    'an end in words, which may say that there is none',
    { abatementString: 'still present' },
    'listed',
    'an end is recorded',
  ),
  condition('an end as an age', { abatementAge: { value: 9, unit: 'a' } }, 'past', 'ended'),
  condition('an end that is ahead', { abatementDateTime: '2999-01-01' }, 'listed'),
  condition(
    'active, though an end is recorded',
    { ...clinical('active'), abatementAge: { value: 12, unit: 'a' } },
    'listed',
    'an end is recorded',
  ),
  condition('in remission since a day', { ...clinical('remission'), abatementDateTime: '2015' }, 'listed', 'remission'),
  condition('resolved on a day', { ...clinical('resolved'), abatementDateTime: '2015' }, 'past', 'resolved'),
  condition(
    'refuted in words',
    { ...clinical('active'), verificationStatus: { text: 'Refuted' } },
    'refuted',
    'refuted',
  ),
  condition(
    'entered in error, in words',
    { verificationStatus: { coding: [{ display: 'Entered in Error' }] } },
    'errors',
    'entered in error',
  ),
  condition('a status without anything', { clinicalStatus: {} }, 'listed'),
  condition(
    'codes that contradict each other',
    { clinicalStatus: { coding: [{ code: 'resolved' }, { code: 'active' }] } },
    'listed',
    'resolved',
  ),
  condition('confirmed', { ...clinical('active'), ...sure('confirmed') }, 'listed'),
  condition('unconfirmed', { ...clinical('active'), ...sure('unconfirmed') }, 'listed', 'unconfirmed'),
  condition('provisional', { ...clinical('active'), ...sure('provisional') }, 'listed', 'provisional'),
  condition('differential', { ...clinical('active'), ...sure('differential') }, 'listed', 'differential'),
  condition('refuted', { ...clinical('active'), ...sure('refuted') }, 'refuted', 'refuted'),
  condition('entered in error', sure('entered-in-error'), 'errors', 'entered in error'),
  condition(
    'in remission and provisional',
    { ...clinical('remission'), ...sure('provisional') },
    'listed',
    'remission, provisional',
  ),
  condition('a certainty that is text', { verificationStatus: { text: 'Suspected' } }, 'listed', 'Suspected'),
  condition('the active diagnosis of a visit', { ...clinical('active'), ...VISIT }, 'ofVisits'),
  condition('a past diagnosis of a visit', { ...clinical('resolved'), ...VISIT }, 'otherVisits', 'resolved'),
  condition(
    'a refuted diagnosis of a visit',
    { ...clinical('active'), ...sure('refuted'), ...VISIT },
    'refuted',
    'refuted',
  ),
  condition(
    'of a visit and on the list',
    { ...clinical('active'), category: [code('encounter-diagnosis'), code('problem-list-item')] },
    'listed',
  ),
  condition('a health concern', { ...clinical('active'), category: [code('health-concern')] }, 'concerns'),
  allergy('active', { clinicalStatus: code('active', ALLERGY_CLINICAL) }, 'active'),
  allergy('inactive', { clinicalStatus: code('inactive', ALLERGY_CLINICAL) }, 'past', 'inactive'),
  allergy('resolved', { clinicalStatus: code('resolved', ALLERGY_CLINICAL) }, 'past', 'resolved'),
  allergy('no status', {}, 'active'),
  allergy('a status that is text', { clinicalStatus: { text: 'Resolved?' } }, 'active', 'Resolved?'),
  allergy('unconfirmed', sure('unconfirmed'), 'active', 'unconfirmed'),
  allergy('refuted', sure('refuted'), 'refuted', 'refuted'),
  allergy('entered in error', sure('entered-in-error'), 'errors', 'entered in error'),
  allergy('no known allergy', { code: code('716186003', SNOMED) }, 'noneKnown'),
  allergy('no known drug allergy', { code: code('409137002', SNOMED) }, 'noneKnown'),
  allergy('no known allergy, refuted', { code: code('716186003', SNOMED), ...sure('refuted') }, 'refuted', 'refuted'),
  allergy(
    'no known allergy, unconfirmed',
    { code: code('716186003', SNOMED), ...sure('unconfirmed') },
    'noneKnown',
    'unconfirmed',
  ),
  allergy('the same number in another system', { code: code('716186003', 'urn:x') }, 'active'),
  allergy('not asked', { code: code('1631000175102', SNOMED) }, 'notAsked'),
  allergy('none of IPS', { code: code('no-known-allergies', IPS) }, 'noneKnown'),
  allergy('no information of IPS', { code: code('no-allergy-info', IPS) }, 'notAsked'),
  allergy('a status in words', { clinicalStatus: { text: 'Resolved' } }, 'past', 'resolved'),
  allergy('an older concept of SNOMED CT for none', { code: code('160244002', SNOMED) }, 'noneKnown'),
  allergy('not on file', { code: { text: 'Not on File' } }, 'notAsked'),
  allergy('unknown', { code: { text: 'Allergies unknown' } }, 'notAsked'),
  allergy('not asked, in words', { code: { text: 'Patient not asked' } }, 'notAsked'),
  allergy('not asked, in German', { code: { text: 'Nicht erhoben' } }, 'notAsked'),
  allergy('an unknown antibiotic', { code: { text: 'Unknown antibiotic' } }, 'active'),
  allergy('a sentence as text', { code: { text: 'No known allergies.' } }, 'said'),
  allergy('no code at all', { code: undefined, reaction: [{ substance: { text: 'Latex' } }] }, 'active'),
  ...OTHER_CASES,
];
