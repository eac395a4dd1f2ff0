// Small builders of resources. Each fills in the elements that all resources of its kind have (category, status,
// subject, profile) and takes the rest as plain FHIR, so that stories read as FHIR.

import { absent, actCode, conditionCategory, loinc, observationCategory, preference } from './codes.mjs';
import { exact } from './print.mjs';

const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/';
const HL7 = 'http://terminology.hl7.org/CodeSystem/';
export const UCUM = 'http://unitsofmeasure.org';

// ── Data types ────────────────────────────────────────────────────────────────────────────────────────────────────

/** concept(coding, coding, 'text'): takes codings and at most one text. Returns a concept unchanged. */
export function concept(...parts) {
  const [first] = parts;
  if (Array.isArray(first)) return concept(...first);
  if (first?.coding || first?.text) return first;
  const coding = parts.filter((part) => part.code);
  return { coding: coding.length ? coding : undefined, text: parts.find((part) => typeof part === 'string') };
}

/** A code of an HL7 terminology.hl7.org system: hl7('condition-clinical', 'active', 'Active'). */
export const hl7 = (system, code, display) => concept({ system: HL7 + system, code, display });

/** Returns a reference to a resource of the sample. It has a display for people, places and organizations. */
export function to(resource) {
  const [name] = [resource.name].flat();
  const display = typeof name === 'string' ? name : name?.text;
  return {
    reference: `${resource.resourceType}/${resource.id}`,
    display: resource.resourceType === 'Patient' ? undefined : display,
  };
}

export const quantity = (value, unit, code = unit) => ({ value: exact(value), unit, system: UCUM, code });

export const period = (start, end) => ({ start, end });

/** Returns a dateTime in US Eastern time, with the offset of that day. */
export const at = (day, time) => `${day}T${time}${time.length === 5 ? ':00' : ''}${easternOffset(day)}`;

function easternOffset(day) {
  const year = day.slice(0, 4);
  const nthSunday = (month, n) => {
    const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
    return `${year}-${String(month).padStart(2, '0')}-${String(1 + ((7 - first) % 7) + 7 * (n - 1)).padStart(2, '0')}`;
  };
  return day >= nthSunday(3, 2) && day < nthSunday(11, 1) ? '-04:00' : '-05:00';
}

export const extension = (url, value) => ({ url, ...value });

/** Returns the data-absent-reason extension for the underscore property of a primitive element. */
export const missing = (reason) => ({
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: reason }],
});

/** Returns a resource of one or several profiles. */
export const profiled = (resourceType, profile, id, fields) => ({
  resourceType,
  id,
  meta: { profile: [profile].flat().map((one) => (one.startsWith('http') ? one : CORE + one)) },
  ...fields,
});

/** Returns a resource of a type without a US Core profile. */
export const plain = (resourceType, id, fields) =>
  profiled(resourceType, `http://hl7.org/fhir/StructureDefinition/${resourceType}`, id, fields);

/** Returns a National Provider Identifier with its check digit. Here they begin with 9, which is never assigned. */
export function npi(nine) {
  const luhn = [...`80840${nine}`].reverse().reduce((sum, digit, i) => {
    const d = i % 2 ? +digit : 2 * digit;
    return sum + (d > 9 ? d - 9 : d);
  }, 0);
  return { system: 'http://hl7.org/fhir/sid/us-npi', value: `${nine}${(10 - (luhn % 10)) % 10}` };
}

// ── Dosage ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** dosage('One tablet twice a day', { frequency: 2 }, quantity('1', 'tablet', '{tbl}')); the text may be undefined. */
export const dosage = (text, { frequency, period = 1, periodUnit = 'd', ...more }, dose, rest) => [
  {
    text,
    timing: { repeat: { frequency, period, periodUnit, ...more } },
    doseAndRate: [{ doseQuantity: dose }],
    ...rest,
  },
];

// ── A person's chart ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Returns the builders for a patient. They set `subject`, ids begin with the patient's short name, and `records` has
 * all resources that they made, after the patient.
 */
export function chart(patient, short) {
  const subject = to(patient);
  const records = [patient];
  const id = (slug) => `${short}-${slug}`;
  const kept = (resource) => {
    records.push(resource);
    return resource;
  };
  const make = (type, profile, slug, fields) => kept(profiled(type, profile, id(slug), fields));

  const condition =
    (profile, categories) =>
    (slug, code, { clinical = 'active', verification = 'confirmed', screening, asserted, ...fields } = {}) =>
      make('Condition', profile, slug, {
        extension: asserted && [
          extension('http://hl7.org/fhir/StructureDefinition/condition-assertedDate', { valueDateTime: asserted }),
        ],
        clinicalStatus: clinical ? hl7('condition-clinical', clinical) : undefined,
        verificationStatus: verification ? hl7('condition-ver-status', verification) : undefined,
        category: [...categories, screening].filter(Boolean).map((code) => concept(code)),
        code: concept(code),
        subject,
        ...fields,
      });

  const observation = (profile, categories, slug, code, fields) =>
    make('Observation', profile, slug, {
      status: 'final',
      category: categories.map((code) => concept(code)),
      code: concept(code),
      subject,
      ...fields,
    });

  const written = (slug, type, category) => ({
    identifier: [{ system: 'https://records.example.org/document', value: id(slug) }],
    status: 'current',
    type: concept(type),
    category: [concept(category)],
    subject,
  });

  return {
    records,
    problem: condition('us-core-condition-problems-health-concerns', [conditionCategory.problem]),
    concern: condition('us-core-condition-problems-health-concerns', [conditionCategory.concern]),
    diagnosis: condition('us-core-condition-encounter-diagnosis', [conditionCategory.encounter]),

    allergy: (slug, code, { clinical = 'active', verification = 'confirmed', ...fields } = {}) =>
      make('AllergyIntolerance', 'us-core-allergyintolerance', slug, {
        clinicalStatus: clinical ? hl7('allergyintolerance-clinical', clinical) : undefined,
        verificationStatus: verification ? hl7('allergyintolerance-verification', verification) : undefined,
        code: concept(code),
        patient: subject,
        ...fields,
      }),

    /** visit('2025-05-20-annual', visitType.checkUp, '09:00-09:40', practitioner, location); or a period. */
    visit: (slug, type, when, practitioner, place, { kind = actCode.ambulatory, ...fields } = {}) => {
      const during =
        typeof when === 'string' ? period(...when.split('-').map((time) => at(slug.slice(0, 10), time))) : when;
      return make('Encounter', 'us-core-encounter', slug, {
        identifier: [{ system: 'https://records.example.org/visit-number', value: id(slug).toUpperCase() }],
        status: 'finished',
        class: kind,
        type: [concept(type)],
        subject,
        participant: practitioner && [
          {
            type: [hl7('v3-ParticipationType', 'PPRF', 'primary performer')],
            period: during,
            individual: to(practitioner),
          },
        ],
        period: during,
        location: [{ location: to(place) }],
        serviceProvider: place.managingOrganization,
        ...fields,
      });
    },

    vital: (slug, profile, code, fields) => observation(profile, [observationCategory.vitalSigns], slug, code, fields),
    lab: (slug, code, fields) =>
      observation('us-core-observation-lab', [observationCategory.laboratory], slug, code, fields),
    social: (profile, slug, code, fields) =>
      observation(profile, [observationCategory.socialHistory], slug, code, fields),
    result: (slug, category, code, fields) =>
      observation('us-core-observation-clinical-result', [category], slug, code, fields),
    simple: (slug, category, code, fields) => observation('us-core-simple-observation', [category], slug, code, fields),
    /** An answer or score of a survey; the second category says what it is about. */
    survey: (slug, topic, code, fields) =>
      observation(
        'us-core-observation-screening-assessment',
        [observationCategory.survey, topic].filter(Boolean),
        slug,
        code,
        fields,
      ),

    treatmentPreference: (slug, fields) =>
      observation(
        'us-core-treatment-intervention-preference',
        [preference.treatment],
        slug,
        loinc.treatmentPreference,
        fields,
      ),
    careExperiencePreference: (slug, fields) =>
      observation(
        'us-core-care-experience-preference',
        [preference.careExperience],
        slug,
        loinc.careExperiencePreference,
        fields,
      ),
    /** Says that there is a living will, with a reference to the document. */
    livingWill: (slug, document, fields) =>
      make('Observation', 'us-core-observation-adi-documentation', slug, {
        extension: [
          extension('http://hl7.org/fhir/StructureDefinition/workflow-supportingInfo', {
            valueReference: to(document),
          }),
        ],
        status: 'final',
        category: [concept(preference.directives)],
        code: concept(loinc.livingWillOnFile),
        subject,
        ...fields,
      }),

    specimen: (slug, type, collected, fields) =>
      make('Specimen', 'us-core-specimen', slug, {
        identifier: [{ system: 'https://records.example.org/specimen', value: id(slug) }],
        type: concept(type),
        subject,
        collection: { collectedDateTime: collected },
        ...fields,
      }),
    labReport: (slug, code, results, fields) =>
      make('DiagnosticReport', 'us-core-diagnosticreport-lab', slug, {
        status: 'final',
        category: [hl7('v2-0074', 'LAB', 'Laboratory')],
        code: concept(code),
        subject,
        ...fields,
        result: results.length ? results.map(to) : undefined,
      }),
    noteReport: (slug, category, code, fields) =>
      make('DiagnosticReport', 'us-core-diagnosticreport-note', slug, {
        status: 'final',
        category: [concept(category)],
        code: concept(code),
        subject,
        ...fields,
      }),
    /** A document. One of a visit has the date of the visit's end, and the visit in its context. */
    document: (slug, type, content, { visit, ...fields }) =>
      make('DocumentReference', 'us-core-documentreference', slug, {
        ...written(slug, type, clinicalNote),
        date: visit?.period.end,
        ...fields,
        context: visit ? { encounter: [to(visit)], period: visit.period } : fields.context,
        content: [content],
      }),
    /** An advance directive, and when its signature was witnessed. */
    directive: (slug, type, content, { witnessed, ...fields }) =>
      make('DocumentReference', ['us-core-documentreference', 'us-core-adi-documentreference'], slug, {
        extension: [extension(`${CORE}us-core-authentication-time`, { valueDateTime: witnessed })],
        ...written(slug, type, loinc.advanceDirectives),
        ...fields,
        content: [content],
      }),

    procedure: (slug, code, fields) =>
      make('Procedure', 'us-core-procedure', slug, {
        status: 'completed',
        code: concept(code),
        subject,
        ...fields,
      }),
    request: (slug, category, code, fields) =>
      make('ServiceRequest', 'us-core-servicerequest', slug, {
        status: 'active',
        intent: 'order',
        category: [concept(category)],
        code: concept(code),
        subject,
        ...fields,
      }),

    /** A prescription. `drug` is a code, or a Medication of the directory. */
    prescription: (slug, drug, { setting = 'community', ...fields }) =>
      make('MedicationRequest', 'us-core-medicationrequest', slug, {
        contained: fields.contained,
        status: 'active',
        intent: 'order',
        category: [hl7('medicationrequest-category', setting)],
        ...medication(drug),
        subject,
        ...fields,
      }),
    dispense: (slug, prescription, type, handedOver, fields) =>
      make('MedicationDispense', 'us-core-medicationdispense', slug, {
        status: 'completed',
        medicationCodeableConcept: prescription.medicationCodeableConcept,
        medicationReference: prescription.medicationReference,
        subject,
        authorizingPrescription: [to(prescription)],
        type: concept(type),
        quantity: prescription.dispenseRequest?.quantity,
        whenHandedOver: handedOver,
        dosageInstruction: prescription.dosageInstruction,
        ...fields,
      }),

    vaccine: (slug, code, given, fields) =>
      make('Immunization', 'us-core-immunization', slug, {
        status: 'completed',
        vaccineCode: concept(code),
        patient: subject,
        occurrenceDateTime: given,
        primarySource: true,
        ...fields,
      }),

    goal: (slug, description, fields) =>
      make('Goal', 'us-core-goal', slug, {
        lifecycleStatus: 'active',
        description: concept(description),
        subject,
        ...fields,
      }),
    carePlan: (slug, title, steps, fields) =>
      make('CarePlan', 'us-core-careplan', slug, {
        text: { status: 'generated', div: narrative(title, steps) },
        status: 'active',
        intent: 'plan',
        category: [
          concept({ system: 'http://hl7.org/fhir/us/core/CodeSystem/careplan-category', code: 'assess-plan' }),
        ],
        title,
        subject,
        ...fields,
      }),
    /** careTeam('diabetes', [[role, member], …]). */
    careTeam: (slug, participants, fields) =>
      make('CareTeam', 'us-core-careteam', slug, {
        status: 'active',
        subject,
        ...fields,
        participant: participants.map(([role, member]) => ({ role: [concept(role)], member: to(member) })),
      }),

    coverage: (slug, fields) =>
      make('Coverage', 'us-core-coverage', slug, { status: 'active', ...fields, beneficiary: subject }),
    implant: (slug, fields) => make('Device', 'us-core-implantable-device', slug, { ...fields, patient: subject }),
    relative: (id, fields) =>
      kept(profiled('RelatedPerson', 'us-core-relatedperson', id, { active: true, patient: subject, ...fields })),
    answers: (slug, fields) =>
      make('QuestionnaireResponse', 'us-core-questionnaireresponse', slug, { status: 'completed', subject, ...fields }),
    /** A record of a type without a US Core profile. */
    other: (type, slug, status, fields) => kept(plain(type, id(slug), { status, subject, ...fields })),

    /** Signs all records so far but specimens and media, and those of `except`. */
    signed(recorded, author, organization, carrier, ...except) {
      const isSigned = ({ resourceType }) => !['Media', 'Provenance', 'Specimen'].includes(resourceType);
      const targets = records.filter((one) => isSigned(one) && !except.includes(one));
      return this.provenance('chart-provenance', recorded, targets, to(author), organization, { carrier });
    },
    /** The recorder of the targets, the organization, and the sender (`carrier`). */
    provenance: (slug, recorded, targets, author, organization, { carrier, ...fields } = {}) =>
      make('Provenance', 'us-core-provenance', slug, {
        target: targets.map((target) => ({ reference: to(target).reference })),
        recorded,
        ...fields,
        agent: [
          { type: hl7('provenance-participant-type', 'author', 'Author'), who: author, onBehalfOf: to(organization) },
          carrier && { type: transmitter, who: to(carrier), onBehalfOf: carrier.owner ?? to(organization) },
        ].filter(Boolean),
      }),
  };
}

const transmitter = concept({
  system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
  code: 'transmitter',
  display: 'Transmitter',
});

const clinicalNote = {
  system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
  code: 'clinical-note',
  display: 'Clinical Note',
};

/** Whether a medicine is taken as prescribed, when that was said, and by whom. */
export const adherence = (code, said, source) =>
  extension(`${CORE}us-core-medication-adherence`, {
    extension: [
      extension('medicationAdherence', { valueCodeableConcept: concept(code) }),
      extension('dateAsserted', { valueDateTime: said }),
      extension('informationSource', { valueCodeableConcept: concept(source) }),
    ],
  });

const medication = (drug) =>
  drug.resourceType === 'Medication'
    ? { medicationReference: drug.contained ? { reference: `#${drug.id}` } : to(drug) }
    : { medicationCodeableConcept: concept(drug) };

export const narrative = (title, steps) =>
  [
    '<div xmlns="http://www.w3.org/1999/xhtml">',
    `<p><b>${escaped(title)}</b></p>`,
    '<ul>',
    ...steps.map((step) => `<li>${escaped(step)}</li>`),
    '</ul>',
    '</div>',
  ].join('');

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

export const unknown = concept(absent.unknown, 'Unknown');
