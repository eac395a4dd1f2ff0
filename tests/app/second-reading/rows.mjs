// The rows of sections: each must be that of a record.

import { NONE_KNOWN, NOT_ASKED } from './care-facts.mjs';
import { hasCode } from './entry.mjs';
import { medicationNames } from './medication-facts.mjs';
import { list, names } from './words.mjs';

/// Sections of which each row must be that of a record, and the types of those records.
export const ROWS = {
  allergies: ['AllergyIntolerance', 'AdverseEvent'],
  problems: ['Condition', 'ClinicalImpression', 'DetectedIssue', 'BodyStructure', 'Flag'],
  medications: ['MedicationRequest', 'MedicationStatement', 'MedicationAdministration', 'MedicationDispense'],
  immunizations: ['Immunization', 'ImmunizationRecommendation', 'ImmunizationEvaluation'],
  procedures: ['Procedure', 'Device', 'DeviceUseStatement', 'SupplyDelivery'],
};

/// The names by which a page may call a record; none for what has neither a code nor a name of its own.
export function namesOfRecord(record, find) {
  const r = record.resource;
  const parts = [r.code, r.vaccineCode, r.type, r.event, ...list(r.reaction).map(({ substance }) => substance)];
  return [
    ...parts.flatMap((part) => list(part).flatMap(names)),
    ...list(r.deviceName).map(({ name }) => name),
    ...medicationNames(record, find),
    r.device?.display,
    ...(hasCode(r.code, NONE_KNOWN) ? ['no known', 'none known'] : []),
    ...(hasCode(r.code, NOT_ASKED) ? ['not asked', 'no information'] : []),
  ].filter((one) => typeof one === 'string' && one !== '');
}

/// All names that rows of a section may have.
export const namesOf = (types, records, find) =>
  records
    .filter(({ resource }) => types.includes(resource.resourceType))
    .flatMap((record) => namesOfRecord(record, find));
