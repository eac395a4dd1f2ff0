// The sections whose rows must each match a record, and the names of their records.

import { NONE_KNOWN, NOT_ASKED } from './care-facts.mjs';
import { hasCode } from './entry.mjs';
import { medicationNames } from './medication-facts.mjs';
import { list, names } from './words.mjs';

/// Sections in which each row must match a record, and the types of those records.
export const ROWS = {
  allergies: ['AllergyIntolerance', 'AdverseEvent', 'Condition', 'Observation'],
  problems: ['Condition', 'ClinicalImpression', 'DetectedIssue', 'BodyStructure', 'Flag'],
  medications: ['MedicationRequest', 'MedicationStatement', 'MedicationAdministration', 'MedicationDispense'],
  immunizations: ['Immunization', 'ImmunizationRecommendation', 'ImmunizationEvaluation'],
  procedures: ['Procedure', 'Device', 'DeviceUseStatement', 'SupplyDelivery'],
};

/// Returns the names that a page may show for a record. The list is empty if it has neither a code nor a name.
export function namesOfRecord(record, find) {
  const r = record.resource;
  const further = [...list(r.reaction).map(({ substance }) => substance), ...list(r.recommendation).map(vaccinesOf)];
  const parts = [r.code, r.vaccineCode, r.type, r.event, ...further];
  return [
    ...parts.flatMap((part) => list(part).flatMap(names)),
    ...list(r.deviceName).map(({ name }) => name),
    ...medicationNames(record, find),
    r.device?.display,
    ...list(r.contained).flatMap((one) => names(one.type)),
    ...(hasCode(r.code, NONE_KNOWN) ? ['no known', 'none known'] : []),
    ...(hasCode(r.code, NOT_ASKED) ? ['not asked', 'no information'] : []),
  ].filter((one) => typeof one === 'string' && one !== '');
}

const vaccinesOf = ({ vaccineCode }) => vaccineCode;

/// Returns all names that rows of a section may have.
export const namesOf = (types, records, find) =>
  records
    .filter(({ resource }) => types.includes(resource.resourceType))
    .flatMap((record) => namesOfRecord(record, find));
