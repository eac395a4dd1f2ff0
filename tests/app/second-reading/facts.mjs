// The facts about a patient's records that a chart must show. compare.mjs looks for each in the text of the page.

import { allergyFacts, conditionFacts } from './care-facts.mjs';
import { dispenseFacts, medicationFacts } from './medication-facts.mjs';
import { observationFacts } from './observation-facts.mjs';
import { SECTION_FACTS } from './section-facts.mjs';
import { grouped, list, plain } from './words.mjs';

const FACTS = {
  AllergyIntolerance: allergyFacts,
  Condition: conditionFacts,
  MedicationRequest: medicationFacts,
  MedicationStatement: medicationFacts,
  MedicationAdministration: medicationFacts,
  MedicationDispense: dispenseFacts,
  ...SECTION_FACTS,
};

/// Types whose records are not content of a chart, or are shown as a part of other records.
const BACKGROUND = [
  ...['Patient', 'Provenance', 'Practitioner', 'PractitionerRole', 'Organization', 'Location', 'Medication'],
  ...['Specimen', 'RelatedPerson', 'Person', 'Binary', 'List', 'AuditEvent', 'Account', 'Group', 'Composition'],
  ...['Media', 'Basic'],
];

function patientFacts(patient) {
  const { name, birthDate, gender } = patient.resource;
  const all = list(name).flatMap(({ text, family, given }) => [
    ...(text ? [text] : []),
    ...(family ? [[...list(given), family].join(' '), family] : []),
  ]);
  const banner = (kind, more) => ({
    kind,
    is: 'banner',
    type: 'Patient',
    id: patient.resource.id ?? '',
    names: [],
    ...more,
  });
  return [
    ...(all.length > 0 ? [banner('patient', { names: all })] : []),
    ...(birthDate ? [banner('birth date', { date: birthDate })] : []),
    ...(gender ? [banner('sex', { names: [gender] })] : []),
  ];
}

/// Returns facts about the number of entries of the same name.
function counts(facts) {
  const groups = grouped(
    facts.filter((fact) => fact.isCounted && fact.names.length > 0),
    (fact) => `${fact.type} ${fact.date ?? ''} ${plain(fact.names[0])}`,
  );
  return [...groups.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({ ...same[0], kind: `${same[0].kind} count`, is: 'count', n: same.length }));
}

/// Returns a fact if "none known" contradicts an active allergy of the same kind. The page must say so.
function contradictions(facts) {
  const active = facts.filter(({ kind }) => kind === 'allergy in banner');
  const isContradicted = ({ category }) =>
    active.some(({ categories }) => category === undefined || categories.includes(category));
  const none = facts.find((fact) => fact.is === 'none known' && isContradicted(fact));
  return none ? [{ ...none, kind: 'contradiction', is: 'contradiction' }] : [];
}

export function factsOf(patient, records, find) {
  const own = records.flatMap((record) => FACTS[record.resource.resourceType]?.(record, find) ?? []);
  const observations = observationFacts(
    records.filter(({ resource }) => resource.resourceType === 'Observation'),
    patient?.resource,
  );
  const others = grouped(
    records.filter(
      ({ resource: { resourceType: type } }) => type !== 'Observation' && !FACTS[type] && !BACKGROUND.includes(type),
    ),
    ({ resource }) => resource.resourceType,
  );
  return [
    ...(patient ? patientFacts(patient) : []),
    ...own,
    ...contradictions(own),
    ...counts(own),
    ...observations,
    ...[...others].map(([type, all]) => ({ kind: 'other type', is: 'type', type, id: '', names: [], n: all.length })),
  ];
}
