// A general practitioner's record of FHIR STU3, in the manner of exports of British practices: 1,300 resources whose
// references have no display. Each resource has a twin of R4, written by hand by the rules of the two versions
// (<https://hl7.org/fhir/R4/diff.html>).

const TERMS = 'http://terminology.hl7.org/CodeSystem';
const CONNECT = 'https://fhir.nhs.uk/STU3/StructureDefinition/Extension-CareConnect-GPC';
export const PATIENT = 'gp-1';

const to = (type, id) => ({ reference: `${type}/${id}` });
const subject = to('Patient', PATIENT);
const text = (words) => ({ text: words });
const coded = (system, code, display) => ({ coding: [{ system, code, display }] });
const status = (system, code) => ({ coding: [{ system: `${TERMS}/${system}`, code }] });
const category = (code) => [{ coding: [{ system: `${TERMS}/observation-category`, code }] }];
const amount = (value, unit, code = unit) => ({ value, unit, system: 'http://unitsofmeasure.org', code });

const day = (n) => new Date(Date.UTC(2006, 0, 9) + n * 86_400_000).toISOString().slice(0, 10);
const at = (n) => `${day(n)}T09:30:00+00:00`;
const doctor = (n) => to('Practitioner', `d${n % 5}`);
const visitOf = (n) => to('Encounter', `e${n % 60}`);
const DRUGS = [
  'Amlodipine',
  'Atorvastatin',
  'Metformin',
  'Ramipril',
  'Salbutamol',
  'Omeprazole',
  'Sertraline',
  'Naproxen',
];
const drug = (n) => `${DRUGS[n % DRUGS.length]} ${5 * (1 + Math.floor(n / DRUGS.length))} mg`;

/// The resources of a type: how many, and a function that returns what both versions have, what STU3 has, and what R4
/// has, each without the type and the id.
const KINDS = {
  Practitioner: [5, (n) => [{ name: [{ use: 'official', family: `Doctor${n}`, given: ['Ann'], prefix: ['Dr'] }] }]],
  Organization: [3, (n) => [{ name: `Practice ${n}`, active: true }]],
  PractitionerRole: [5, (n) => [{ practitioner: doctor(n), organization: to('Organization', `o${n % 3}`) }]],
  Location: [4, (n) => [{ name: `Surgery ${n}`, status: 'active' }]],
  Medication: [
    40,
    (n) => [
      { code: coded('http://snomed.info/sct', `3200${n}`, drug(n)) },
      n % 4 === 0
        ? {
            isOverTheCounter: false,
            ingredient: [{ itemCodeableConcept: text(drug(n)), amount: { numerator: amount(5, 'mg') } }],
          }
        : {},
      n % 4 === 0
        ? {
            isOverTheCounter: false,
            ingredient: [{ itemCodeableConcept: text(drug(n)), strength: { numerator: amount(5, 'mg') } }],
          }
        : {},
    ],
  ],
  Encounter: [
    60,
    (n) => [
      {
        status: 'finished',
        type: [text(n % 3 ? 'GP Surgery' : 'Telephone encounter')],
        subject,
        period: { start: at(n * 100), end: `${day(n * 100)}T09:45:00+00:00` },
        serviceProvider: to('Organization', `o${n % 3}`),
        participant: [{ type: [text('Consultant')], individual: doctor(n) }],
      },
      {
        reason: [text(`Reason ${n}`)],
        diagnosis: [{ condition: to('Condition', `c${n}`), role: text('Main problem') }],
      },
      {
        reasonCode: [text(`Reason ${n}`)],
        diagnosis: [{ condition: to('Condition', `c${n}`), use: text('Main problem') }],
      },
    ],
  ],
  Condition: [
    80,
    (n) => [
      {
        extension: [{ url: `${CONNECT}-ProblemSignificance-1`, valueCode: n % 2 ? 'minor' : 'major' }],
        code: coded('http://snomed.info/sct', `3840${n}`, `Problem ${n}`),
        category: [
          coded(
            'https://fhir.hl7.org.uk/STU3/CodeSystem/CareConnect-ConditionCategory-1',
            'problem-list-item',
            'Problem List Item',
          ),
        ],
        subject,
        onsetDateTime: day(n * 50),
        asserter: doctor(n),
        note: [text(`About problem ${n}`)],
        ...(n % 4 === 3 ? { abatementDateTime: day(n * 50 + 200) } : {}),
      },
      { clinicalStatus: n % 4 === 3 ? 'inactive' : 'active', assertedDate: at(n * 50), context: visitOf(n) },
      {
        clinicalStatus: status('condition-clinical', n % 4 === 3 ? 'inactive' : 'active'),
        recordedDate: at(n * 50),
        encounter: visitOf(n),
      },
    ],
  ],
  AllergyIntolerance: [
    10,
    (n) => [
      {
        type: n % 3 ? 'allergy' : 'intolerance',
        category: [n % 2 ? 'food' : 'medication'],
        criticality: n % 5 ? 'low' : 'high',
        code: text(`Allergen ${n}`),
        patient: subject,
        onsetDateTime: day(n * 300),
        recorder: doctor(n),
        asserter: doctor(n + 1),
        reaction: [{ manifestation: [text(`Reaction ${n}`)], severity: 'severe' }],
      },
      { clinicalStatus: n === 9 ? 'resolved' : 'active', verificationStatus: 'confirmed', assertedDate: day(n * 310) },
      {
        clinicalStatus: status('allergyintolerance-clinical', n === 9 ? 'resolved' : 'active'),
        verificationStatus: status('allergyintolerance-verification', 'confirmed'),
        recordedDate: day(n * 310),
      },
    ],
  ],
  MedicationRequest: [
    160,
    (n) => {
      const common = {
        extension: [
          {
            url: `${CONNECT}-MedicationRepeatInformation-1`,
            extension: [
              { url: 'numberOfRepeatPrescriptionsAllowed', valuePositiveInt: 6 },
              { url: 'numberOfRepeatPrescriptionsIssued', valuePositiveInt: 1 + (n % 6) },
              { url: 'authorisationExpiryDate', valueDateTime: day(7300 + n) },
            ],
          },
          { url: `${CONNECT}-PrescriptionType-1`, valueCodeableConcept: text('Repeat') },
        ],
        status: n % 4 === 0 ? 'active' : n % 4 === 1 ? 'stopped' : 'completed',
        intent: n % 2 ? 'order' : 'plan',
        medicationReference: to('Medication', `m${n % 40}`),
        subject,
        authoredOn: at(n * 40),
        recorder: doctor(n),
        groupIdentifier: { value: `group-${n}` },
        ...(n % 2 ? { basedOn: [to('MedicationRequest', `mr${n - 1}`)] } : {}),
        dispenseRequest: {
          validityPeriod: { start: day(n * 40), end: day(n * 40 + 28) },
          quantity: { value: 28, unit: 'tablet' },
          expectedSupplyDuration: amount(28, 'day', 'd'),
        },
        note: [text(`Prescription note ${n}`)],
      };
      const dosage = {
        text: '2 tablets twice a day',
        timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd' } },
      };
      const dose = { value: 2, unit: 'tablet' };
      return [
        common,
        {
          context: visitOf(n),
          requester: { agent: doctor(n), onBehalfOf: to('Organization', 'o0') },
          dosageInstruction: [{ ...dosage, doseQuantity: dose, additionalInstruction: [text('with food')] }],
          substitution: { allowed: false },
        },
        {
          encounter: visitOf(n),
          requester: doctor(n),
          dosageInstruction: [
            { ...dosage, additionalInstruction: [text('with food')], doseAndRate: [{ doseQuantity: dose }] },
          ],
          substitution: { allowedBoolean: false },
        },
      ];
    },
  ],
  MedicationStatement: [
    70,
    (n) => [
      {
        extension: [{ url: `${CONNECT}-MedicationStatementLastIssueDate-1`, valueDateTime: day(n * 80 + 28) }],
        basedOn: [to('MedicationRequest', `mr${n * 2}`)],
        status: n % 2 ? 'completed' : 'active',
        medicationReference: to('Medication', `m${(n * 2) % 40}`),
        effectivePeriod: { start: day(n * 80), ...(n % 2 ? { end: day(n * 80 + 90) } : {}) },
        dateAsserted: at(n * 80),
        subject,
        reasonCode: [text('Prophylaxis')],
      },
      {
        taken: n % 7 === 0 ? 'n' : n % 7 === 1 ? 'y' : 'unk',
        context: visitOf(n),
        dosage: [{ text: '1 tablet at night', doseQuantity: { value: 1, unit: 'tablet' } }],
      },
      {
        ...(n % 7 === 0 ? { status: 'not-taken' } : n % 7 === 1 ? {} : { taken: 'unk' }),
        context: visitOf(n),
        dosage: [{ text: '1 tablet at night', doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet' } }] }],
      },
    ],
  ],
  Immunization: [
    40,
    (n) => [
      {
        patient: subject,
        encounter: visitOf(n),
        vaccineCode: text(`Vaccine ${n % 12}`),
        primarySource: true,
        lotNumber: `L${n}`,
        expirationDate: day(n * 120 + 400),
        site: text('Left arm'),
        doseQuantity: amount(0.5, 'mL'),
        location: to('Location', `l${n % 4}`),
        note: [text(`Vaccination note ${n}`)],
      },
      {
        status: 'completed',
        notGiven: n % 10 === 0,
        date: day(n * 120),
        practitioner: [{ role: text('Administering Provider'), actor: doctor(n) }],
        vaccinationProtocol: [{ doseSequence: 1 + (n % 3), series: 'Course', targetDisease: [text('Tetanus')] }],
        explanation: n % 10 === 0 ? { reasonNotGiven: [text('Declined')] } : { reason: [text('Travel')] },
      },
      {
        status: n % 10 === 0 ? 'not-done' : 'completed',
        occurrenceDateTime: day(n * 120),
        performer: [{ function: text('Administering Provider'), actor: doctor(n) }],
        protocolApplied: [{ doseNumberPositiveInt: 1 + (n % 3), series: 'Course', targetDisease: [text('Tetanus')] }],
        ...(n % 10 === 0 ? { statusReason: text('Declined') } : { reasonCode: [text('Travel')] }),
      },
    ],
  ],
  Observation: [
    480,
    (n) => {
      const group = n % 8 === 0;
      return [
        {
          status: n % 31 === 0 ? 'amended' : 'final',
          category: category(n % 8 < 6 ? 'laboratory' : 'vital-signs'),
          code: group ? text(`Blood panel ${n % 3}`) : text(`Test ${n % 8}`),
          subject,
          effectiveDateTime: at(n * 14 - (n % 8) * 14),
          issued: at(n * 14),
          performer: [doctor(n)],
          ...(group ? {} : { valueQuantity: amount(4 + (n % 50) / 10, 'mmol/L') }),
          ...(group ? {} : { referenceRange: [{ low: amount(3, 'mmol/L'), high: amount(6, 'mmol/L') }] }),
        },
        {
          context: visitOf(n),
          comment: `Comment ${n}`,
          ...(group
            ? { related: [1, 2, 3].map((one) => ({ type: 'has-member', target: to('Observation', `ob${n + one}`) })) }
            : {
                interpretation: coded(
                  'http://hl7.org/fhir/v2/0078',
                  n % 50 > 20 ? 'H' : 'N',
                  n % 50 > 20 ? 'High' : 'Normal',
                ),
              }),
        },
        {
          encounter: visitOf(n),
          note: [text(`Comment ${n}`)],
          ...(group
            ? { hasMember: [1, 2, 3].map((one) => to('Observation', `ob${n + one}`)) }
            : {
                interpretation: [
                  coded('http://hl7.org/fhir/v2/0078', n % 50 > 20 ? 'H' : 'N', n % 50 > 20 ? 'High' : 'Normal'),
                ],
              }),
        },
      ];
    },
  ],
  DiagnosticReport: [
    60,
    (n) => [
      {
        status: 'final',
        code: text(`Report ${n % 6}`),
        subject,
        effectiveDateTime: at(n * 112),
        issued: at(n * 112 + 1),
        specimen: [to('Specimen', `s${n}`)],
        result: [to('Observation', `ob${n * 8}`)],
        conclusion: `Conclusion ${n}`,
      },
      {
        category: coded('http://hl7.org/fhir/v2/0074', 'LAB', 'Laboratory'),
        context: visitOf(n),
        performer: [{ role: text('Author'), actor: doctor(n) }],
        codedDiagnosis: [text(`Finding ${n}`)],
      },
      {
        category: [coded('http://hl7.org/fhir/v2/0074', 'LAB', 'Laboratory')],
        encounter: visitOf(n),
        performer: [doctor(n)],
        conclusionCode: [text(`Finding ${n}`)],
      },
    ],
  ],
  Specimen: [
    60,
    (n) => [
      { subject, type: text('Venous blood'), collection: { collectedDateTime: at(n * 112) }, status: 'available' },
    ],
  ],
  ProcedureRequest: [
    40,
    (n) => [
      {
        intent: 'plan',
        code: text(`Recall ${n}`),
        subject,
        occurrenceDateTime: day(7000 + n * 20),
        authoredOn: at(n * 100),
        note: [text(`Diary entry ${n}`)],
        reasonCode: [text('Monitoring')],
      },
      {
        status: n % 5 ? 'active' : 'cancelled',
        context: visitOf(n),
        requester: { agent: doctor(n), onBehalfOf: to('Organization', 'o1') },
        performer: doctor(n + 1),
      },
      {
        status: n % 5 ? 'active' : 'revoked',
        encounter: visitOf(n),
        requester: doctor(n),
        performer: [doctor(n + 1)],
      },
      'ServiceRequest',
    ],
  ],
  ReferralRequest: [
    30,
    (n) => [
      {
        intent: 'order',
        status: n % 3 ? 'completed' : 'active',
        priority: 'urgent',
        subject,
        authoredOn: at(n * 150),
        reasonCode: [text(`Referral reason ${n}`)],
        supportingInfo: [to('Condition', `c${n}`)],
      },
      {
        type: text('Referral for further care'),
        serviceRequested: [text(`Clinic ${n}`)],
        context: visitOf(n),
        requester: { agent: doctor(n), onBehalfOf: to('Organization', 'o1') },
        specialty: text('Cardiology'),
        recipient: [to('Organization', 'o2')],
        description: `Dear colleague ${n}`,
        groupIdentifier: { value: `UBRN-${n}` },
      },
      {
        category: [text('Referral for further care')],
        code: text(`Clinic ${n}`),
        encounter: visitOf(n),
        requester: doctor(n),
        performerType: text('Cardiology'),
        performer: [to('Organization', 'o2')],
        note: [text(`Dear colleague ${n}`)],
        requisition: { value: `UBRN-${n}` },
      },
      'ServiceRequest',
    ],
  ],
  Appointment: [
    30,
    (n) => [
      {
        status: n % 2 ? 'booked' : 'fulfilled',
        start: at(7000 + n * 5),
        end: `${day(7000 + n * 5)}T09:40:00+00:00`,
        description: `Appointment ${n}`,
        created: at(6990 + n * 5),
        participant: [
          { actor: subject, status: 'accepted' },
          { actor: doctor(n), status: 'accepted' },
          { actor: to('Location', `l${n % 4}`), status: 'accepted' },
        ],
      },
      { reason: [text(`Appointment reason ${n}`)], incomingReferral: [to('ReferralRequest', `rr${n}`)] },
      { reasonCode: [text(`Appointment reason ${n}`)], basedOn: [to('ServiceRequest', `rr${n}-referralrequest`)] },
    ],
  ],
  List: [
    12,
    (n) => [
      {
        status: 'current',
        mode: 'snapshot',
        title: `List ${n}`,
        code: text('Problems and issues'),
        subject,
        date: at(7000),
        source: doctor(n),
        encounter: visitOf(n),
        note: [text(`List note ${n}`)],
        entry: [1, 2, 3].map((one) => ({ item: to('Condition', `c${n * 4 + one}`) })),
      },
    ],
  ],
  Procedure: [
    50,
    (n) => [
      {
        code: text(`Operation ${n}`),
        subject,
        performedDateTime: day(n * 90),
        note: [text(`Operation note ${n}`)],
      },
      {
        status: 'completed',
        notDone: n % 9 === 0,
        context: visitOf(n),
        performer: [{ role: text('Surgeon'), actor: doctor(n) }],
        ...(n % 9 === 0 ? { notDoneReason: text('Unfit') } : {}),
      },
      {
        status: n % 9 === 0 ? 'not-done' : 'completed',
        encounter: visitOf(n),
        performer: [{ function: text('Surgeon'), actor: doctor(n) }],
        ...(n % 9 === 0 ? { statusReason: text('Unfit') } : {}),
      },
    ],
  ],
  DocumentReference: [
    60,
    (n) => [
      {
        status: 'current',
        type: text(`Letter kind ${n}`),
        subject,
        author: [doctor(n)],
        custodian: to('Organization', `o${n % 3}`),
        description: `Letter ${n}`,
        content: [{ attachment: { contentType: 'text/plain', data: 'bGV0dGVy' } }],
      },
      {
        class: text('Correspondence'),
        indexed: at(n * 120),
        context: { encounter: visitOf(n), practiceSetting: text('Cardiology') },
      },
      {
        category: [text('Correspondence')],
        date: at(n * 120),
        context: { encounter: [visitOf(n)], practiceSetting: text('Cardiology') },
      },
    ],
  ],
};

/// The beginnings of ids, which references use.
const IDS = {
  Appointment: 'ap',
  Condition: 'c',
  Encounter: 'e',
  Location: 'l',
  Medication: 'm',
  MedicationRequest: 'mr',
  Observation: 'ob',
  Organization: 'o',
  Practitioner: 'd',
  ReferralRequest: 'rr',
  Specimen: 's',
};

const patient = {
  resourceType: 'Patient',
  id: PATIENT,
  name: [{ use: 'official', family: 'Meadow', given: ['Olive'] }],
  gender: 'female',
  birthDate: '1956-03-04',
  generalPractitioner: [to('Practitioner', 'd1')],
  managingOrganization: to('Organization', 'o0'),
};

/// Returns the record: pairs of a resource of STU3 and its twin of R4. In STU3 a ReferralRequest may have the id of a
/// ProcedureRequest, so its twin has another one.
export function gpRecord() {
  const made = Object.entries(KINDS).flatMap(([type, [count, of]]) =>
    Array.from({ length: count }, (_, n) => {
      const [common, older = {}, newer = {}, typeInR4 = type] = of(n);
      const id = `${IDS[type] ?? type.toLowerCase()}${n}`;
      return [
        { resourceType: type, id, ...common, ...older },
        { resourceType: typeInR4, id: id.replace(/^rr.*/, '$&-referralrequest'), ...common, ...newer },
      ];
    }),
  );
  return [[patient, patient], ...made];
}
