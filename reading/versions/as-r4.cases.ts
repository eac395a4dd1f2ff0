//! Records of other versions of FHIR, and what they are in R4.

const MG = { value: 5, unit: 'mg' };
const warfarin = { text: 'Warfarin' };
const IN_PLACE = 'http://hl7.org/fhir/StructureDefinition/alternate-reference';
const GP_CONNECT = 'https://fhir.nhs.uk/STU3/StructureDefinition/Extension-CareConnect-GPC';
const DOCTOR = { reference: 'Practitioner/d' };
const status = (system: string, code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
});
const code = (value: string) => ({ code: { coding: [{ code: value }] } });

/** A resource without its type, and the expected resource of R4. */
export const CASES: [string, string, object, object][] = [
  [
    'R5: a medication by its concept',
    'MedicationRequest',
    { medication: { concept: warfarin } },
    { medicationCodeableConcept: warfarin },
  ],
  [
    'R5: a medication by reference',
    'MedicationDispense',
    { medication: { reference: { reference: 'Medication/1' } } },
    { medicationReference: { reference: 'Medication/1' } },
  ],
  ...Object.entries({
    ...{ taking: 'active', 'taking-not-as-directed': 'active', 'stopped-as-directed': 'stopped' },
    ...{ 'not-taking': 'not-taken', 'Not taking': 'not-taken', 'Not taking as directed': 'unknown' },
  }).map(([said, status]): [string, string, object, object] => {
    const adherence = said.includes(' ') ? { code: { text: said } } : code(said);
    return [`R5: ${said}`, 'MedicationStatement', { status: 'recorded', adherence }, { status, adherence }];
  }),
  ['R5: recorded alone', 'MedicationStatement', { status: 'recorded' }, { status: 'unknown' }],
  [
    'R5: an error stays one',
    'MedicationStatement',
    { status: 'entered-in-error', adherence: code('not-taking') },
    { status: 'entered-in-error', adherence: code('not-taking') },
  ],
  [
    'R5: the time of an administration',
    'MedicationAdministration',
    { occurenceDateTime: '2020' },
    { effectiveDateTime: '2020' },
  ],
  [
    'R5: an ingredient',
    'Medication',
    { ingredient: [{ item: { concept: warfarin } }] },
    { ingredient: [{ itemCodeableConcept: warfarin }] },
  ],
  ['R5: what is ordered', 'ServiceRequest', { code: { concept: { text: 'MRI' } } }, { code: { text: 'MRI' } }],
  [
    'R5: the normal value of a finding',
    'Observation',
    { referenceRange: [{ normalValue: { text: 'Negative' } }] },
    { referenceRange: [{ text: 'Negative' }] },
  ],
  [
    'R5: the interval of a series in a component',
    'Observation',
    { component: [{ valueSampledData: { interval: 2, intervalUnit: 's', data: '1' } }] },
    { component: [{ valueSampledData: { data: '1', period: 2000 } }] },
  ],
  ['R5: notes on a report', 'DiagnosticReport', { conclusion: 'A', note: [{ text: 'B' }] }, { conclusion: 'A\nB' }],
  ['R5: the time of a procedure', 'Procedure', { occurrenceDateTime: '2020' }, { performedDateTime: '2020' }],
  [
    'R5: a visit',
    'Encounter',
    { status: 'completed', class: [{ coding: [{ code: 'AMB' }] }], actualPeriod: { start: '2020' } },
    { status: 'finished', class: { code: 'AMB' }, period: { start: '2020' } },
  ],
  [
    'STU3: a dose beside the timing',
    'MedicationRequest',
    { dosageInstruction: [{ text: 'x', doseQuantity: MG, rateRatio: { numerator: MG } }] },
    { dosageInstruction: [{ text: 'x', doseAndRate: [{ doseQuantity: MG, rateRatio: { numerator: MG } }] }] },
  ],
  [
    'STU3: a range',
    'MedicationStatement',
    { dosage: [{ doseRange: { low: MG } }] },
    { dosage: [{ doseAndRate: [{ doseRange: { low: MG } }] }] },
  ],
  [
    'DSTU2: a quantity',
    'MedicationStatement',
    { dosage: [{ quantityQuantity: MG }] },
    { dosage: [{ doseAndRate: [{ doseQuantity: MG }] }] },
  ],
  ['STU3: a comment', 'Observation', { comment: 'haemolysed' }, { note: [{ text: 'haemolysed' }] }],
  [
    'DSTU2: comments beside a note',
    'Observation',
    { comments: 'b', note: [{ text: 'a' }] },
    { note: [{ text: 'a' }, { text: 'b' }] },
  ],
  [
    'DSTU2: family names',
    'Patient',
    { name: [{ family: ['de', 'Casa'] }, null] },
    { name: [{ family: 'de Casa' }, null] },
  ],
  [
    'R4: a dose',
    'MedicationRequest',
    { dosageInstruction: [{ doseAndRate: [{ doseQuantity: MG }] }] },
    { dosageInstruction: [{ doseAndRate: [{ doseQuantity: MG }] }] },
  ],
  [
    'R4: a visit',
    'Encounter',
    { status: 'finished', class: { code: 'AMB' } },
    { status: 'finished', class: { code: 'AMB' } },
  ],
  ['R4: an administration', 'MedicationAdministration', { dosage: { dose: MG } }, { dosage: { dose: MG } }],
  [
    'odd shapes',
    'MedicationRequest',
    { medication: 3, dosageInstruction: [null, 'x'] },
    { medication: 3, dosageInstruction: [null, 'x'] },
  ],
  ['odd lists', 'Encounter', { class: [null], adherence: [] }, { class: [null], adherence: [] }],
  ['another type', 'constructor', { status: 'recorded' }, { status: 'recorded' }],
  [
    'R5: reactions and people of an allergy',
    'AllergyIntolerance',
    {
      type: { text: 'Allergy' },
      reaction: [{ manifestation: [{ concept: warfarin }, { reference: { display: 'Rash' } }, { reference: DOCTOR }] }],
      participant: [{ function: { coding: [{ code: 'author' }] }, actor: DOCTOR }],
    },
    {
      type: 'allergy',
      reaction: [
        { manifestation: [warfarin, { text: 'Rash' }, { extension: [{ url: IN_PLACE, valueReference: DOCTOR }] }] },
      ],
      participant: [{ function: { coding: [{ code: 'author' }] }, actor: DOCTOR }],
      recorder: DOCTOR,
    },
  ],
  [
    'R5: the reasons and diagnoses of a visit',
    'Encounter',
    {
      status: 'discharged',
      reason: [{ value: [{ concept: warfarin }, { reference: DOCTOR }] }],
      diagnosis: [{ condition: [{ reference: DOCTOR }, { concept: warfarin }], use: [warfarin] }],
      participant: [{ actor: DOCTOR }],
      admission: { dischargeDisposition: warfarin },
    },
    {
      status: 'finished',
      reasonCode: [warfarin],
      reasonReference: [DOCTOR],
      diagnosis: [
        { condition: DOCTOR, use: warfarin },
        { condition: { display: 'Warfarin' }, use: warfarin },
      ],
      participant: [{ individual: DOCTOR }],
      hospitalization: { dischargeDisposition: warfarin },
    },
  ],
  [
    'R5: a consent',
    'Consent',
    { subject: DOCTOR, date: '2020', decision: 'deny', provision: [{ code: [warfarin] }] },
    { patient: DOCTOR, dateTime: '2020', provision: { type: 'deny', provision: [{ code: [warfarin] }] } },
  ],
  [
    'R5: a procedure with a reason and a complication',
    'Procedure',
    { reason: [{ concept: warfarin }], complication: [{ concept: warfarin }, { reference: DOCTOR }] },
    { reasonCode: [warfarin], complication: [warfarin], complicationDetail: [DOCTOR] },
  ],
  [
    'R5: the activities of a plan',
    'CarePlan',
    { activity: [{ performedActivity: [{ concept: warfarin }] }, { plannedActivityReference: DOCTOR }] },
    { activity: [{ outcomeCodeableConcept: [warfarin] }, { reference: DOCTOR }] },
  ],
  [
    'R5: a device',
    'Device',
    { name: [{ value: 'Heartbeat 3000', type: 'user-friendly-name' }], type: [warfarin] },
    { deviceName: [{ name: 'Heartbeat 3000', type: 'user-friendly-name' }], type: warfarin },
  ],
  [
    'R5: a device with a name to show',
    'Device',
    { displayName: 'Glucose sensor' },
    { deviceName: [{ name: 'Glucose sensor', type: 'user-friendly-name' }] },
  ],
  [
    'R5: a visit of two classes',
    'Encounter',
    { class: [code('AMB').code, warfarin] },
    { class: { code: 'AMB' }, type: [warfarin] },
  ],
  [
    'R5: a diet as needed',
    'NutritionOrder',
    { oralDiet: { schedule: { timing: [{}], asNeeded: true } } },
    { oralDiet: { schedule: [{}, { code: { text: 'as needed' } }] } },
  ],
  ...[
    ['revoked', 'rejected', 'rejected'],
    ['completed', 'completed', 'completed'],
    ['active', 'completed', 'requested'],
  ].map(([made, ...all]): [string, string, object, object] => [
    `DSTU2: an order of items that are ${all}`,
    'DiagnosticOrder',
    { status: 'requested', item: all.map((one) => ({ code: warfarin, status: one })) },
    { resourceType: 'ServiceRequest', status: made, intent: 'order', code: { text: 'Warfarin; Warfarin' } },
  ]),
  [
    'DSTU2: the site and the specimen of an item, and notes of an order',
    'DiagnosticOrder',
    { status: 'requested', item: [{ code: warfarin, bodySite: warfarin, specimen: [DOCTOR] }], note: { text: 'x' } },
    {
      ...{ resourceType: 'ServiceRequest', status: 'active', intent: 'order', code: warfarin },
      ...{ bodySite: [warfarin], specimen: [DOCTOR], note: [{ text: 'x' }] },
    },
  ],
  [
    'DSTU2: notes',
    'Procedure',
    { notes: [{ text: 'x' }], request: DOCTOR },
    { note: [{ text: 'x' }], basedOn: [DOCTOR] },
  ],
  ['DSTU2: notes that are texts', 'DeviceUseStatement', { notes: ['x'] }, { note: [{ text: 'x' }] }],
  [
    'DSTU2: the diagnoses of a stay',
    'Encounter',
    { hospitalization: { admitSource: warfarin, dischargeDiagnosis: [DOCTOR] } },
    {
      hospitalization: { admitSource: warfarin },
      diagnosis: [{ condition: DOCTOR, use: status('diagnosis-role', 'DD') }],
    },
  ],
  [
    'STU3: a vaccine that only an extension of GP Connect names',
    'Immunization',
    {
      vaccineCode: { coding: [{ code: 'UNK' }] },
      extension: [{ url: `${GP_CONNECT}-VaccinationProcedure-1`, valueCodeableConcept: warfarin }],
    },
    {
      vaccineCode: warfarin,
      extension: [{ url: `${GP_CONNECT}-VaccinationProcedure-1`, valueCodeableConcept: warfarin }],
    },
  ],
  [
    'STU3: how a cause was assessed',
    'AdverseEvent',
    { suspectEntity: [{ instance: DOCTOR, causality: 'causality1', causalityAssessment: warfarin }] },
    { suspectEntity: [{ instance: DOCTOR, causality: [{ assessment: warfarin }] }] },
  ],
  [
    'R5: a part of a dose',
    'MedicationAdministration',
    { isSubPotent: true, subPotentReason: [warfarin] },
    { isSubpotent: true, subpotentReason: [warfarin] },
  ],
  [
    'R5: several sources of a statement',
    'MedicationStatement',
    { medication: { concept: warfarin }, informationSource: [{ display: 'Ann' }, DOCTOR] },
    { medicationCodeableConcept: warfarin, informationSource: { display: 'Ann; Practitioner/d' } },
  ],
  [
    'R5: who has given a consent, and to whom',
    'Consent',
    { subject: DOCTOR, grantor: [{ display: 'Ann' }], grantee: [DOCTOR] },
    { patient: DOCTOR, performer: [{ display: 'Ann' }], grantee: [DOCTOR] },
  ],
  ...['Observation', 'ServiceRequest'].map((type): [string, string, object, object] => [
    'R5: a result or an order of a part of the body',
    type,
    { bodyStructure: DOCTOR },
    { extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/bodySite', valueReference: DOCTOR }] },
  ]),
  [
    'R5: a structure with its side',
    'BodyStructure',
    { includedStructure: [{ structure: { text: 'Eye' }, laterality: { text: 'Left' } }] },
    { location: { text: 'Eye' }, locationQualifier: [{ text: 'Left' }] },
  ],
  [
    'R5: two structures with their sides',
    'BodyStructure',
    { includedStructure: ['Left', 'Right'].map((text) => ({ structure: { text: 'Eye' }, laterality: { text } })) },
    { location: { text: 'Eye, Left; Eye, Right' } },
  ],
  [
    'R5: a document of a visit',
    'DocumentReference',
    {
      context: [{ reference: 'Encounter/e' }],
      period: { start: '2020' },
      relatesTo: [{ code: { coding: [{ code: 'replaces' }] } }],
    },
    {
      relatesTo: [{ code: 'replaces' }],
      context: { encounter: [{ reference: 'Encounter/e' }], period: { start: '2020' } },
    },
  ],
  [
    'R5: a summary in place of another',
    'Composition',
    { subject: [DOCTOR], relatesTo: [{ type: 'replaces', resourceReference: DOCTOR }] },
    { subject: DOCTOR, relatesTo: [{ code: 'replaces', targetReference: DOCTOR }] },
  ],
  [
    'R5: a restricted diet',
    'NutritionOrder',
    { subject: DOCTOR, supplement: [{ type: { concept: warfarin } }] },
    { patient: DOCTOR, supplement: [{ type: warfarin }] },
  ],
  [
    'R5: an appointment of its subject',
    'Appointment',
    { subject: DOCTOR, reason: [{ concept: warfarin }], note: [{ text: 'x' }] },
    { reasonCode: [warfarin], comment: 'x', participant: [{ actor: DOCTOR }] },
  ],
  [
    'R5: a task',
    'Task',
    {
      reason: [{ concept: warfarin }],
      statusReason: { concept: warfarin },
      requestedPerformer: [{ concept: warfarin }],
    },
    { reasonCode: warfarin, statusReason: warfarin, performerType: [warfarin] },
  ],
  [
    'R5: a planned visit',
    'Encounter',
    { status: 'planned', plannedStartDate: '2027-01-01' },
    { status: 'planned', period: { start: '2027-01-01' } },
  ],
  [
    'R5: the number of a dose',
    'ImmunizationRecommendation',
    { recommendation: [{ doseNumber: '2' }] },
    { recommendation: [{ doseNumberString: '2' }] },
  ],
  [
    'STU3: the number of a dose',
    'ImmunizationRecommendation',
    { recommendation: [{ vaccineCode: warfarin, doseNumber: 2 }] },
    { recommendation: [{ vaccineCode: [warfarin], doseNumberPositiveInt: 2 }] },
  ],
  [
    'DSTU2: answers',
    'QuestionnaireResponse',
    {
      group: {
        linkId: 'root',
        group: [{ title: 'Habits', question: [{ linkId: '1', text: 'Smoker?', answer: [{ valueBoolean: true }] }] }],
      },
    },
    { item: [{ text: 'Habits', item: [{ linkId: '1', text: 'Smoker?', answer: [{ valueBoolean: true }] }] }] },
  ],
  [
    'STU3: glasses',
    'VisionPrescription',
    { dispense: [{ eye: 'right', prism: 0.5, base: 'up' }] },
    { lensSpecification: [{ eye: 'right', prism: [{ amount: 0.5, base: 'up' }] }] },
  ],
  [
    'STU3: an allergy',
    'AllergyIntolerance',
    { clinicalStatus: 'active', verificationStatus: 'confirmed', assertedDate: '2016' },
    {
      clinicalStatus: status('allergyintolerance-clinical', 'active'),
      verificationStatus: status('allergyintolerance-verification', 'confirmed'),
      recordedDate: '2016',
    },
  ],
  [
    'DSTU2: an allergy',
    'AllergyIntolerance',
    { substance: warfarin, status: 'refuted', criticality: 'CRITH', category: 'food', note: { text: 'x' } },
    {
      code: warfarin,
      verificationStatus: status('allergyintolerance-verification', 'refuted'),
      criticality: 'high',
      category: ['food'],
      note: [{ text: 'x' }],
    },
  ],
  [
    'STU3: a problem of a visit',
    'Condition',
    { clinicalStatus: 'resolved', assertedDate: '2016', context: DOCTOR },
    { clinicalStatus: status('condition-clinical', 'resolved'), recordedDate: '2016', encounter: DOCTOR },
  ],
  [
    'DSTU2: a problem',
    'Condition',
    { patient: DOCTOR, dateRecorded: '2014', category: warfarin, notes: 'x' },
    { subject: DOCTOR, recordedDate: '2014', category: [warfarin], note: [{ text: 'x' }] },
  ],
  [
    'STU3: who has prescribed',
    'MedicationRequest',
    { requester: { agent: DOCTOR, onBehalfOf: { display: 'Ward' } }, context: { reference: 'Encounter/e' } },
    { requester: DOCTOR, onBehalfOf: { display: 'Ward' }, encounter: { reference: 'Encounter/e' } },
  ],
  ['STU3: not taken', 'MedicationStatement', { status: 'active', taken: 'n' }, { status: 'not-taken' }],
  ['STU3: taken', 'MedicationStatement', { status: 'active', taken: 'y' }, { status: 'active' }],
  ['STU3: not known', 'MedicationStatement', { status: 'active', taken: 'unk' }, { status: 'active', taken: 'unk' }],
  [
    'DSTU2: an error is not a medication that was not taken',
    'MedicationStatement',
    { status: 'entered-in-error', wasNotTaken: true },
    { status: 'entered-in-error' },
  ],
  [
    'STU3: an immunization',
    'Immunization',
    {
      status: 'completed',
      date: '2014',
      notGiven: false,
      practitioner: [{ role: warfarin, actor: DOCTOR }],
      vaccinationProtocol: [{ doseSequence: 2, seriesDoses: 3 }],
      explanation: { reason: [warfarin] },
    },
    {
      status: 'completed',
      occurrenceDateTime: '2014',
      performer: [{ actor: DOCTOR, function: warfarin }],
      protocolApplied: [{ doseNumberPositiveInt: 2, seriesDosesPositiveInt: 3 }],
      reasonCode: [warfarin],
    },
  ],
  [
    'STU3: an immunization that was not given',
    'Immunization',
    { status: 'completed', notGiven: true, explanation: { reasonNotGiven: [warfarin] } },
    { status: 'not-done', statusReason: warfarin },
  ],
  ['DSTU2: a reported immunization', 'Immunization', { reported: true }, { primarySource: false }],
  [
    'DSTU2: a visit',
    'Encounter',
    { patient: DOCTOR, class: 'inpatient', reason: [warfarin] },
    {
      subject: DOCTOR,
      class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP', display: 'inpatient' },
      reasonCode: [warfarin],
    },
  ],
  [
    'STU3: results that belong together',
    'Observation',
    {
      context: DOCTOR,
      related: [
        { type: 'has-member', target: DOCTOR },
        { type: 'replaces', target: DOCTOR },
      ],
    },
    { encounter: DOCTOR, hasMember: [DOCTOR], related: [{ type: 'replaces', target: DOCTOR }] },
  ],
  [
    'STU3: a report',
    'DiagnosticReport',
    { performer: [{ role: warfarin, actor: DOCTOR }], codedDiagnosis: [warfarin] },
    { performer: [DOCTOR], conclusionCode: [warfarin] },
  ],
  [
    'STU3: a procedure that was not done',
    'Procedure',
    { status: 'completed', notDone: true, notDoneReason: warfarin },
    { status: 'not-done', statusReason: warfarin },
  ],
  [
    'STU3: a dispense that was not done',
    'MedicationDispense',
    { status: 'completed', notDone: true, notDoneReasonCodeableConcept: warfarin },
    { status: 'declined', statusReasonCodeableConcept: warfarin },
  ],
  [
    'STU3: a family history that was not taken',
    'FamilyMemberHistory',
    { status: 'completed', notDone: true, notDoneReason: warfarin },
    { status: 'health-unknown', dataAbsentReason: warfarin },
  ],
  [
    'DSTU2: the meaning of a range',
    'Observation',
    { referenceRange: [{ text: '1-5', meaning: { text: 'Treatment' } }] },
    { referenceRange: [{ text: '1-5', type: { text: 'Treatment' } }] },
  ],
  [
    'STU3: a goal',
    'Goal',
    { status: 'achieved', target: { dueDate: '2020' } },
    {
      lifecycleStatus: 'completed',
      achievementStatus: status('goal-achievement', 'achieved'),
      target: [{ dueDate: '2020' }],
    },
  ],
  [
    'STU3: a goal on target',
    'Goal',
    { status: 'on-target' },
    { lifecycleStatus: 'active', achievementStatus: { text: 'on-target' } },
  ],
  [
    'STU3: a letter',
    'DocumentReference',
    { indexed: '2020', class: warfarin, context: { encounter: DOCTOR, practiceSetting: warfarin } },
    { date: '2020', category: [warfarin], context: { encounter: [DOCTOR], practiceSetting: warfarin } },
  ],
  [
    'STU3: the strength of an ingredient',
    'Medication',
    { ingredient: [{ itemCodeableConcept: warfarin, amount: { numerator: MG } }] },
    { ingredient: [{ itemCodeableConcept: warfarin, strength: { numerator: MG } }] },
  ],
  [
    'STU3: a visit',
    'Encounter',
    { reason: [warfarin], diagnosis: [{ condition: DOCTOR, role: warfarin }] },
    { reasonCode: [warfarin], diagnosis: [{ condition: DOCTOR, use: warfarin }] },
  ],
  [
    'STU3: no substitution',
    'MedicationRequest',
    { substitution: { allowed: false } },
    { substitution: { allowedBoolean: false } },
  ],
  [
    'DSTU2: the kind of a substitution',
    'MedicationRequest',
    { substitution: { type: warfarin } },
    { substitution: { allowedCodeableConcept: warfarin } },
  ],
  ['STU3: one interpretation', 'Observation', { interpretation: warfarin }, { interpretation: [warfarin] }],
  [
    'STU3: one category, and a visit',
    'DiagnosticReport',
    { category: warfarin, context: DOCTOR },
    { category: [warfarin], encounter: DOCTOR },
  ],
  [
    'STU3: who has operated',
    'Procedure',
    { context: DOCTOR, performer: [{ role: warfarin, actor: DOCTOR }] },
    { encounter: DOCTOR, performer: [{ function: warfarin, actor: DOCTOR }] },
  ],
  [
    'STU3: the referral of an appointment',
    'Appointment',
    { reason: [warfarin], incomingReferral: [DOCTOR] },
    { reasonCode: [warfarin], basedOn: [DOCTOR] },
  ],
  [
    'STU3: what is contained',
    'MedicationRequest',
    { contained: [{ resourceType: 'Medication', product: { ingredient: [{ item: DOCTOR }] } }] },
    { contained: [{ resourceType: 'Medication', ingredient: [{ itemReference: DOCTOR }] }] },
  ],
];

/** A resource of a type that has another name in R4, and the expected resource of R4. */
export const NAMED: [string, object, object][] = [
  [
    'R5: the use of a device',
    { resourceType: 'DeviceUsage', patient: DOCTOR, device: { reference: { reference: 'Device/d' } } },
    { resourceType: 'DeviceUseStatement', subject: DOCTOR, device: { reference: 'Device/d' } },
  ],
  [
    'R5: a device in a body',
    {
      resourceType: 'DeviceAssociation',
      subject: DOCTOR,
      device: { reference: 'Device/d' },
      status: { coding: [{ code: 'explanted' }] },
    },
    {
      resourceType: 'DeviceUseStatement',
      subject: DOCTOR,
      device: { reference: 'Device/d' },
      status: 'completed',
      usageStatus: { coding: [{ code: 'explanted' }] },
    },
  ],
  [
    'R5: a genomic study, which R4 has as a procedure',
    {
      resourceType: 'GenomicStudy',
      subject: DOCTOR,
      status: 'available',
      type: [warfarin],
      description: 'Exome of the family',
      startDate: '2020',
      reason: [{ concept: { text: 'Cough' } }],
      interpreter: [DOCTOR],
    },
    {
      resourceType: 'Procedure',
      subject: DOCTOR,
      status: 'completed',
      code: warfarin,
      note: [{ text: 'Exome of the family' }],
      performedDateTime: '2020',
      reasonCode: [{ text: 'Cough' }],
      performer: [{ actor: DOCTOR }],
    },
  ],
  ['R5: a group of orders', { resourceType: 'RequestOrchestration' }, { resourceType: 'RequestGroup' }],
  [
    'DSTU2: a prescription',
    { resourceType: 'MedicationOrder', patient: DOCTOR, prescriber: DOCTOR, dateWritten: '2014', note: 'x' },
    {
      intent: 'order',
      resourceType: 'MedicationRequest',
      subject: DOCTOR,
      requester: DOCTOR,
      authoredOn: '2014',
      note: [{ text: 'x' }],
    },
  ],
  [
    'DSTU2: a laboratory order',
    {
      resourceType: 'DiagnosticOrder',
      subject: DOCTOR,
      orderer: DOCTOR,
      item: [{ code: warfarin }, { code: { text: 'INR' } }],
    },
    {
      intent: 'order',
      resourceType: 'ServiceRequest',
      subject: DOCTOR,
      requester: DOCTOR,
      code: { text: 'Warfarin; INR' },
    },
  ],
  [
    'STU3: a referral',
    {
      resourceType: 'ReferralRequest',
      intent: 'plan',
      status: 'cancelled',
      requester: { agent: DOCTOR },
      serviceRequested: [warfarin],
      recipient: [DOCTOR],
      type: MG,
      specialty: MG,
      description: 'x',
      groupIdentifier: { value: 'g' },
    },
    {
      resourceType: 'ServiceRequest',
      intent: 'plan',
      status: 'revoked',
      requester: DOCTOR,
      code: warfarin,
      performer: [DOCTOR],
      category: [MG],
      performerType: MG,
      note: [{ text: 'x' }],
      requisition: { value: 'g' },
    },
  ],
  [
    'STU3: an order',
    { resourceType: 'ProcedureRequest', intent: 'plan', context: DOCTOR, performer: DOCTOR },
    { resourceType: 'ServiceRequest', intent: 'plan', encounter: DOCTOR, performer: [DOCTOR] },
  ],
];
