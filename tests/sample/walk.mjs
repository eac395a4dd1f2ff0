// Walks FHIR resources by paths in the form of US Core: `a.b`, `value[x]`, `component:systolic.code`.

/** Returns whether a concept has a coding of the system, with one of the codes if there are any. */
const has = (concept, system, ...codes) =>
  concept?.coding?.some((c) => c.system?.endsWith(system) && (!codes.length || codes.includes(c.code)));
const SCREENING = ['sdoh', 'functional-status', 'disability-status', 'cognitive-status'];
const REQUESTS = ['108252007', '363679005', '409063005', '409073007', '387713003', '410606002'];
const CATEGORIES = [
  'social-history',
  'vital-signs',
  'imaging',
  'laboratory',
  'procedure',
  'survey',
  'exam',
  'therapy',
  'activity',
];

/** The slices that us-core.mjs and later.mjs name, each by its discriminator. */
const slices = {
  'CarePlan.category:AssessPlan': (c) => has(c, '/careplan-category', 'assess-plan'),
  'Condition.category:us-core': (c) =>
    has(c, '/condition-category', 'problem-list-item', 'health-concern', 'encounter-diagnosis'),
  'Condition.category:screening-assessment': (c) => has(c, '/us-core-category', ...SCREENING),
  'Coverage.identifier:memberid': (i) => has(i.type, '/v2-0203', 'MB'),
  'Coverage.class:group': (c) => has(c.type, '/coverage-class', 'group'),
  'Coverage.class:plan': (c) => has(c.type, '/coverage-class', 'plan'),
  'DiagnosticReport.category:us-core': (c) => has(c, 'loinc.org', 'LP29684-5', 'LP29708-2', 'LP7839-6'),
  'DiagnosticReport.category:LaboratorySlice': (c) => has(c, '/v2-0074', 'LAB'),
  'DocumentReference.category:adi': (c) => has(c, 'loinc.org', '42348-3'),
  'DocumentReference.category:uscore': (c) => has(c, '/us-core-documentreference-category', 'clinical-note'),
  'MedicationRequest.category:us-core': (c) =>
    has(c, '/medicationrequest-category', 'inpatient', 'outpatient', 'community', 'discharge'),
  'Observation.category:us-core': (c) =>
    has(c, '/observation-category', ...CATEGORIES) || has(c, '/us-core-category', ...SCREENING),
  'Observation.category:SocialHistory': (c) => has(c, '/observation-category', 'social-history'),
  'Observation.category:socialhistory': (c) => has(c, '/observation-category', 'social-history'),
  'Observation.category:VSCat': (c) => has(c, '/observation-category', 'vital-signs'),
  'Observation.category:activity': (c) => has(c, '/observation-category', 'activity'),
  'Observation.category:treatmentPreference': (c) => has(c, '/us-core-category', 'treatment-intervention-preference'),
  'Observation.category:adiDocumentation': (c) => has(c, '/us-core-category', 'observation-adi-documentation'),
  'Observation.category:careExperiencePreference': (c) => has(c, '/us-core-category', 'care-experience-preference'),
  'Observation.category:survey': (c) => has(c, '/observation-category', 'survey'),
  'Observation.category:screening-assessment': (c) => has(c, '/us-core-category', ...SCREENING),
  'Observation.code.coding:PulseOx': (c) => c.code === '59408-5',
  'Observation.code.coding:O2Sat': (c) => c.code === '2708-6',
  'Observation.component:industry': (c) => has(c.code, 'loinc.org', '86188-0'),
  'Observation.component:systolic': (c) => has(c.code, 'loinc.org', '8480-6'),
  'Observation.component:diastolic': (c) => has(c.code, 'loinc.org', '8462-4'),
  'Observation.component:meanSystolic': (c) => has(c.code, 'loinc.org', '96608-5'),
  'Observation.component:meanDiastolic': (c) => has(c.code, 'loinc.org', '96609-3'),
  'Observation.component:FlowRate': (c) => has(c.code, 'loinc.org', '3151-8'),
  'Observation.component:Concentration': (c) => has(c.code, 'loinc.org', '3150-0'),
  'Organization.identifier:NPI': (i) => i.system === 'http://hl7.org/fhir/sid/us-npi',
  'Practitioner.identifier:NPI': (i) => i.system === 'http://hl7.org/fhir/sid/us-npi',
  'Provenance.agent:ProvenanceAuthor': (a) => has(a.type, '/provenance-participant-type', 'author'),
  'Provenance.agent:ProvenanceTransmitter': (a) => has(a.type, '/us-core-provenance-participant-type', 'transmitter'),
  'ServiceRequest.category:us-core': (c) =>
    has(c, 'snomed.info/sct', ...REQUESTS) || has(c, '/us-core-category', ...SCREENING),
};

const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const EXTENSIONS = {
  'Condition.extension:assertedDate': 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate',
  'DocumentReference.extension:authenticationTime': `${CORE}/us-core-authentication-time`,
  'Encounter.extension:interpreterNeeded': `${CORE}/us-core-interpreter-needed`,
  'MedicationRequest.extension:medicationAdherence': `${CORE}/us-core-medication-adherence`,
  'Observation.extension:supportingInfo': 'http://hl7.org/fhir/StructureDefinition/workflow-supportingInfo',
  'Patient.extension:race': `${CORE}/us-core-race`,
  'Patient.extension:ethnicity': `${CORE}/us-core-ethnicity`,
  'Patient.extension:tribalAffiliation': `${CORE}/us-core-tribal-affiliation`,
  'Patient.extension:sex': `${CORE}/us-core-sex`,
  'Patient.extension:genderIdentity': `${CORE}/us-core-genderIdentity`,
  'Patient.extension:interpreterNeeded': `${CORE}/us-core-interpreter-needed`,
  'QuestionnaireResponse.questionnaire.extension:questionnaireDisplay':
    'http://hl7.org/fhir/StructureDefinition/display',
  'QuestionnaireResponse.questionnaire.extension:url': `${CORE}/us-core-extension-questionnaire-uri`,
};

const unknownSlice = (name) => {
  throw new Error(`this test does not know the slice ${name}`);
};

/** Returns the values at a path. A primitive that has only a data-absent-reason counts as missing. */
export function values(resource, path) {
  let nodes = [resource];
  let where = resource.resourceType;
  const steps = path.split('.');
  steps.forEach((step, i) => {
    const [name, slice] = step.split(':');
    where += `.${step}`;
    if (name === 'extension') {
      const url = EXTENSIONS[where] ?? unknownSlice(where);
      nodes = nodes.flatMap((node) => node.extension ?? []).filter((extension) => extension.url === url);
    } else if (slice && (name.endsWith('[x]') || name === slice)) {
      // a slice by type: value[x]:valueQuantity
      nodes = children(nodes, slice);
    } else if (steps[i + 1]?.startsWith('extension')) {
      // an extension of a primitive is in its sibling, whose name begins with an underscore
      nodes = nodes.flatMap((node) => node[`_${name}`] ?? []);
    } else {
      nodes = children(nodes, name);
      if (slice) nodes = nodes.filter(slices[where] ?? unknownSlice(where));
    }
  });
  return nodes;
}

function children(nodes, name) {
  const keys = (node) =>
    name.endsWith('[x]')
      ? Object.keys(node).filter(
          (key) => key.startsWith(name.slice(0, -3)) && /^[A-Z]/.test(key.slice(name.length - 3)),
        )
      : [name];
  return nodes
    .filter((node) => node !== null && typeof node === 'object')
    .flatMap((node) => keys(node).flatMap((key) => node[key] ?? []))
    .filter((value) => !onlyAbsent(value));
}

const ABSENT = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
const onlyAbsent = (value) =>
  typeof value === 'object' &&
  Object.keys(value).join() === 'extension' &&
  value.extension.some(({ url }) => url === ABSENT);

/** Returns the parents that lack the last step of a path. A data-absent-reason counts as a value, but for a slice. */
export function lacking(resource, path) {
  const steps = path.split('.');
  const last = steps.pop();
  const parents = steps.length ? values(resource, steps.join('.')) : [resource];
  const [name, slice] = last.split(':');
  if (slice) {
    const where = `${resource.resourceType}.${path}`;
    const isOfSlice = slices[where] ?? unknownSlice(where);
    return parents.filter((parent) => !children([parent], name).some(isOfSlice));
  }
  return parents.filter(
    (parent) =>
      !Object.keys(parent).some((key) => {
        const name = key.replace(/^_/, '');
        return last.endsWith('[x]') ? name.startsWith(last.slice(0, -3)) : name === last;
      }),
  );
}
