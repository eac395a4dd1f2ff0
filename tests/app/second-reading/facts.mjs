// What a chart must show of a patient's records, as a list of facts. Each is looked for in the text of the page.

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

/// Types whose records are not of a chart's content, or are shown as a part of others.
const BACKGROUND = [
  'Patient',
  'Provenance',
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Medication',
  'Specimen',
  'RelatedPerson',
  'Person',
  'Binary',
  'List',
  'AuditEvent',
  'Account',
  'Group',
  'Composition',
  'Media',
  'Basic',
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

/// The facts about entries of one name, of which the page must have as many.
function counts(facts) {
  const groups = grouped(
    facts.filter((fact) => fact.isCounted && fact.names.length > 0),
    (fact) => `${fact.type} ${fact.date ?? ''} ${plain(fact.names[0])}`,
  );
  return [...groups.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({ ...same[0], kind: `${same[0].kind} count`, is: 'count', n: same.length }));
}

/// "None known" beside an active allergy of the same kind is a contradiction, and said.
function contradictions(facts) {
  const active = facts.filter(({ kind }) => kind === 'allergy in banner');
  const isContradicted = ({ category }) =>
    active.some(({ categories }) => category === undefined || categories.includes(category));
  const none = facts.find((fact) => fact.is === 'none known' && isContradicted(fact));
  return none ? [{ ...none, kind: 'contradiction', is: 'contradiction' }] : [];
}

/// All facts of a patient's chart.
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
