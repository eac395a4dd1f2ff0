//! Cases of certainty of records that are neither problems nor allergies. Only their words are checked.

import { type CertaintyCase, row } from './certainty-row.cases.ts';

const procedure = row('Procedure', { code: { text: 'Biopsy' } });
const immunization = row('Immunization', { vaccineCode: { text: 'MMR' } });
const order = row('ServiceRequest', { code: { text: 'MRI' }, intent: 'order' });
const report = row('DiagnosticReport', { code: { text: 'Blood count' } });
const result = row('Observation', { code: { text: 'Sodium' } });
const goal = row('Goal', { description: { text: 'Walk' } });
const plan = row('CarePlan', { title: 'Plan', intent: 'plan' });
const visit = row('Encounter');
const relative = row('FamilyMemberHistory', { relationship: { text: 'mother' } });

const adherence = { url: 'medicationAdherence', valueCodeableConcept: { text: 'left out' } };
const extension = [
  { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-medication-adherence', extension: [adherence] },
];

/** The cases of types without lists of their own. */
export const OTHER_CASES: CertaintyCase[] = [
  procedure('completed', { status: 'completed' }),
  procedure('not done', { status: 'not-done' }, 'not done'),
  procedure('R5: on a donor', { status: 'completed', focus: { display: 'Donor' } }, 'about: Donor'),
  procedure('R5: on the patient', {
    status: 'completed',
    subject: { reference: 'Patient/p' },
    focus: { reference: 'Patient/p' },
  }),
  procedure('in progress', { status: 'in-progress' }, 'in progress'),
  procedure('of a status that is not known', { status: 'unknown' }, 'status unknown'),
  procedure(
    'made by rules that must be understood',
    { status: 'completed', implicitRules: 'http://example.org/rules' },
    'changed by something not understood: the rules http://example.org/rules',
  ),
  procedure('of an odd status', { status: 'half-done' }, 'half done'),
  immunization('not given', { status: 'not-done' }, 'not given'),
  immunization('given', { status: 'completed' }),
  order('active', { status: 'active' }),
  order('not to be done', { status: 'active', doNotPerform: true }, 'do not perform'),
  order('a proposal', { status: 'active', intent: 'proposal' }, 'proposal'),
  order(
    'R5: about donors',
    { status: 'active', focus: [{ display: 'Donor' }, { display: 'Twin' }] },
    'about: Donor, Twin',
  ),
  order('on hold', { status: 'on-hold' }, 'on hold'),
  report('final', { status: 'final' }),
  report('preliminary', { status: 'preliminary' }, 'preliminary'),
  report('partial', { status: 'partial' }, 'partial'),
  report('cancelled', { status: 'cancelled' }, 'cancelled'),
  result('amended', { status: 'amended' }, 'amended'),
  result('corrected', { status: 'corrected' }, 'corrected'),
  report('appended', { status: 'appended' }, 'appended'),
  result('preliminary', { status: 'preliminary' }, 'preliminary'),
  result('registered', { status: 'registered' }, 'registered'),
  result('cancelled', { status: 'cancelled' }, 'cancelled'),
  goal('active', { lifecycleStatus: 'active' }),
  goal('proposed', { lifecycleStatus: 'proposed' }, 'proposed'),
  goal('rejected', { lifecycleStatus: 'rejected' }, 'rejected'),
  goal('by mistake', { lifecycleStatus: 'entered-in-error' }, 'entered in error'),
  plan('active', { status: 'active' }),
  plan('a proposal', { status: 'active', intent: 'proposal' }, 'proposal'),
  plan('revoked', { status: 'revoked' }, 'revoked'),
  row('CareTeam')('suspended', { status: 'suspended' }, 'suspended'),
  row('CareTeam')('proposed', { status: 'proposed' }, 'proposed'),
  visit('finished', { status: 'finished' }),
  visit('planned', { status: 'planned' }, 'planned'),
  visit('cancelled', { status: 'cancelled' }, 'cancelled'),
  relative('partial', { status: 'partial' }, 'partial'),
  relative('of unknown health', { status: 'health-unknown' }, 'health unknown'),
  row('Flag')('active', { status: 'active' }),
  row('Consent')('rejected', { status: 'rejected' }, 'rejected'),
  row('Consent')('a draft', { status: 'draft' }, 'draft'),
  row('DeviceRequest')(
    'a proposal that must not be',
    { status: 'active', intent: 'proposal', doNotPerform: true },
    'proposal, do not perform',
  ),
  row('NutritionOrder')('a plan', { status: 'active', intent: 'plan' }, 'plan'),
  row('DocumentReference')('a preliminary document', { status: 'current', docStatus: 'preliminary' }, 'preliminary'),
  row('RiskAssessment')('preliminary', { status: 'preliminary' }, 'preliminary'),
  row('Appointment')('not kept', { status: 'noshow' }, 'noshow'),
  row('MedicationRequest')('not to be taken', { status: 'active', intent: 'order', doNotPerform: true }, 'do not take'),
  row('MedicationRequest')('not taken, by US Core', { status: 'active', intent: 'order', extension }, 'left out'),
  row('AdverseEvent')('actual', { actuality: 'actual' }),
  row('AdverseEvent')('a near miss', { actuality: 'potential' }, 'potential, did not happen'),
  row('Claim')('a status that is an object', { status: { odd: true } }),
];
