// The requirements of the (g)(10) test kit for the export of a Group. The kit chooses the profile of a resource by its
// code and its category, and never by `meta.profile`. All must-support elements of each expected profile must be in
// the export.

import { checks, population, rows, words } from './checks.mjs';
import { profiles } from './us-core.mjs';
import { values } from './walk.mjs';

/// The profile of each type that has only one.
const OF_TYPE = {
  Patient: 'us_core_patient',
  AllergyIntolerance: 'us_core_allergyintolerance',
  CarePlan: 'us_core_careplan',
  CareTeam: 'us_core_careteam',
  Goal: 'us_core_goal',
  Immunization: 'us_core_immunization',
  MedicationRequest: 'us_core_medicationrequest',
  DocumentReference: 'us_core_documentreference',
  Procedure: 'us_core_procedure',
  Encounter: 'us_core_encounter',
  Organization: 'us_core_organization',
  Practitioner: 'us_core_practitioner',
  Provenance: 'us_core_provenance',
  ServiceRequest: 'us_core_servicerequest',
  RelatedPerson: 'us_core_relatedperson',
  Coverage: 'us_core_coverage',
  MedicationDispense: 'us_core_medicationdispense',
  Specimen: 'us_core_specimen',
  Device: 'us_core_implantable_device',
  Medication: 'us_core_medication',
  PractitionerRole: 'us_core_practitionerrole',
  QuestionnaireResponse: 'us_core_questionnaireresponse',
};
/// The types that an export must have. If an export has a file of another type, all of its elements are required.
export const REQUIRED = Object.keys(OF_TYPE)
  .filter((type) => !['Medication', 'PractitionerRole', 'QuestionnaireResponse'].includes(type))
  .concat('Condition', 'DiagnosticReport', 'Observation');

/// The profiles of Observations by code.
const BY_CODE = {
  '72166-2': 'us_core_smokingstatus',
  '59576-9': 'pediatric_bmi_for_age',
  '77606-2': 'pediatric_weight_for_height',
  '59408-5': 'us_core_pulse_oximetry',
  '8289-1': 'head_occipital_frontal_circumference_percentile',
  '9843-4': 'us_core_head_circumference',
  '39156-5': 'us_core_bmi',
  '85354-9': 'us_core_blood_pressure',
  '8302-2': 'us_core_body_height',
  '8310-5': 'us_core_body_temperature',
  '29463-7': 'us_core_body_weight',
  '8867-4': 'us_core_heart_rate',
  '9279-1': 'us_core_respiratory_rate',
  '11341-5': 'us_core_observation_occupation',
  '86645-9': 'us_core_observation_pregnancyintent',
  '82810-3': 'us_core_observation_pregnancystatus',
};
/// The codes of implants, which the tester enters into the kit. The kit ignores other devices.
const IMPLANTS = ['14106009'];
const CLINICAL_RESULTS = ['laboratory', 'exam', 'imaging', 'procedure', 'vital-signs', 'activity'];

const codings = (concepts) => [concepts ?? []].flat().flatMap(({ coding = [] }) => coding);

/// Returns the profiles against which the kit validates a resource.
export function chosenFor(resource) {
  const { resourceType, code, category } = resource;
  const categories = new Set(codings(category).map((coding) => coding.code));
  switch (resourceType) {
    case 'Condition':
      return [
        ...(categories.has('encounter-diagnosis') ? ['us_core_condition_encounter_diagnosis'] : []),
        ...(categories.has('problem-list-item') || categories.has('health-concern')
          ? ['us_core_condition_problems_health_concerns']
          : []),
      ];
    case 'DiagnosticReport': {
      const isLab = codings(category).some(({ system, code }) => system?.endsWith('/v2-0074') && code === 'LAB');
      return [isLab ? 'us_core_diagnosticreport_lab' : 'us_core_diagnosticreport_note'];
    }
    case 'Observation':
      return [
        ...new Set(codings(code).flatMap((coding) => BY_CODE[coding.code] ?? [])),
        ...(categories.has('laboratory') ? ['us_core_observation_lab'] : []),
        ...(categories.has('survey') ? ['us_core_observation_screening_assessment'] : []),
        ...(CLINICAL_RESULTS.some((one) => categories.has(one)) ? ['us_core_observation_clinical_result'] : []),
      ];
    case 'Device':
      return codings(resource.type).some(({ code }) => IMPLANTS.includes(code)) ? ['us_core_implantable_device'] : [];
    default:
      return [OF_TYPE[resourceType] ?? []].flat();
  }
}

/// Returns a function from a profile to the resources for which the kit chooses the profile.
const byChoice = (resources) => {
  const found = new Map();
  for (const resource of resources) {
    for (const profile of chosenFor(resource)) found.set(profile, [...(found.get(profile) ?? []), resource]);
  }
  return (profile) => found.get(profile) ?? [];
};

const CHOSEN = new Set([
  ...Object.values(OF_TYPE),
  ...Object.values(BY_CODE),
  'us_core_condition_encounter_diagnosis',
  'us_core_condition_problems_health_concerns',
  'us_core_diagnosticreport_lab',
  'us_core_diagnosticreport_note',
  'us_core_observation_lab',
  'us_core_observation_screening_assessment',
  'us_core_observation_clinical_result',
]);
/// Returns the profiles of a type that must each occur.
export const profilesOf = (type) => profiles.filter((one) => one.type === type && CHOSEN.has(one.profile));

/// Returns the must-support elements of a type's profiles that no resource has, as texts.
export function missing(type, resources) {
  const of = byChoice(resources.filter(({ resourceType }) => resourceType === type));
  return profilesOf(type).flatMap(({ profile, must }) => {
    const chosen = of(profile);
    if (chosen.length === 0) return [`${profile}: no ${type} is of it`];
    return words(must).flatMap((element) => {
      const [, path, fixed] = /^([^=→]+)(?:=([^→]+))?/.exec(element);
      const found = chosen.flatMap((resource) => values(resource, path));
      if (found.length === 0) return `${profile}: ${path} never appears`;
      return fixed && !found.includes(fixed) ? `${profile}: ${path} is never ${fixed}` : [];
    });
  });
}

/// The checks of single resources that the kit's validator also makes.
const OF_EACH = [
  'mandatory elements are there wherever their parents are',
  'no element occurs more often than its profile allows',
  'required bindings hold',
];

/// Validates each resource against the profiles that the kit chooses for it.
export function validate(resources) {
  const chosen = byChoice(resources);
  const people = { ...population(resources), of: chosen };
  for (const [title, check] of checks) if (OF_EACH.includes(title)) check(people);
  // The kit reads the type of every device to find implants.
  rows(resources, ({ resourceType, id, type }) =>
    resourceType !== 'Device' || codings(type).length > 0 ? [] : `Device/${id} has no type`,
  );
  rows(resources, ({ resourceType, id }) => (/^[A-Za-z0-9.-]{1,64}$/.test(id) ? [] : `${resourceType}/${id}`));
}
