// What a chart must show of a patient's records, as a list of facts. Each is looked for in the text of the page.

import { dosagesOf, doseFacts } from './dose.mjs';
import { observationFacts } from './observation-facts.mjs';
import { codesOf, isError } from './results.mjs';
import { grouped, hasName, list, names, plain } from './words.mjs';

/// SNOMED CT's codes, and those of the International Patient Summary, for "none known" and "nobody asked".
const NONE_KNOWN = [
  '716186003',
  '409137002',
  '428607008',
  '429625007',
  'no-known-allergies',
  'no-known-medication-allergies',
];
const NOT_ASKED = ['1631000175102', 'no-allergy-info'];
/// The same of problems and medications: such an entry is no problem, and no medication.
const NO_PROBLEM = ['no-known-problems', 'no-problem-info', '160245001'];
const NO_MEDICATION = ['no-known-medications', 'no-medication-info', '787481004'];

/// The first code of a concept that is a status.
export const status = (concept) => codesOf(list(concept))[0];
const hasCode = (concept, codes) => codesOf(list(concept)).some((code) => codes.includes(code));

/// Words that must stand beside what is not certain, over, or made in error.
const WORDS = {
  unconfirmed: /unconfirmed|not confirmed/,
  provisional: /provisional/,
  differential: /differential/,
  refuted: /refuted|ruled out/,
  remission: /remission/,
  inactive: /inactive/,
  resolved: /resolved|past|ended/,
  recurrence: /recurr/,
  relapse: /relapse/,
  'entered-in-error': /error/,
};
const wordsOf = (...codes) =>
  codes.flatMap((code) => (WORDS[code] ? [{ what: code, holds: (text) => WORDS[code].test(text) }] : []));

/// A fact that a record has an entry: a row, a tile, a line of a table.
const entry = (kind, record, wanted, date, more = {}) => ({
  kind,
  is: 'entry',
  type: record.resource.resourceType,
  id: record.resource.id ?? record.key,
  names: wanted,
  date,
  ...more,
});

function allergyFacts(record) {
  const a = record.resource;
  const substances = list(a.reaction).flatMap(({ substance }) => (substance ? [substance] : []));
  const wanted = names(a.code).length > 0 ? names(a.code) : substances.flatMap(names);
  const isOver = hasCode(a.clinicalStatus, ['inactive', 'resolved']) || hasCode(a.verificationStatus, ['refuted']);
  const of = (kind, more) => entry(kind, record, wanted, undefined, more);
  if (isError(a)) return [of('allergy', { words: wordsOf('entered-in-error') })];
  if (hasCode(a.code, NONE_KNOWN)) return isOver ? [] : [{ ...of('no allergy'), is: 'none known', in: 'allergies' }];
  if (hasCode(a.code, NOT_ASKED)) return isOver ? [] : [{ ...of('no allergy'), is: 'not asked', in: 'allergies' }];
  const certainty = wordsOf(status(a.verificationStatus), isOver ? status(a.clinicalStatus) : undefined);
  if (isOver)
    return [
      of('allergy', { words: certainty }),
      ...(wanted.length ? [{ ...of('allergy, over'), is: 'not in banner' }] : []),
    ];
  const said = list(a.reaction).flatMap(({ manifestation, description }) => {
    const words = list(manifestation).flatMap((one) => names(one).slice(0, 1));
    return words.length > 0 ? words : description ? [description] : [];
  });
  return [
    of('allergy', { words: certainty, isPlain: true }),
    { ...of('allergy in banner'), is: 'banner' },
    ...said.map((word) => of('reaction', { words: [{ what: word, holds: (text) => text.includes(plain(word)) }] })),
    ...(a.criticality === 'high'
      ? [of('criticality', { words: [{ what: 'high', holds: (text) => /high/.test(text) }] })]
      : []),
  ];
}

function conditionFacts(record) {
  const c = record.resource;
  const wanted = names(c.code);
  const date = c.onsetDateTime ?? c.onsetPeriod?.start ?? (c.onsetString || c.onsetAge ? undefined : c.recordedDate);
  const clinical = status(c.clinicalStatus);
  const verification = status(c.verificationStatus);
  const of = (kind, more) => entry(kind, record, wanted, date, more);
  if (isError(c)) return [of('condition', { words: wordsOf('entered-in-error') })];
  if (hasCode(c.code, NO_PROBLEM)) return [of('condition')];
  const isRefuted = verification === 'refuted';
  const isOver =
    ['inactive', 'resolved'].includes(clinical) ||
    (clinical === undefined && Boolean(c.abatementDateTime ?? c.abatementPeriod));
  const words = wordsOf(
    verification,
    ['remission', 'recurrence', 'relapse', 'inactive', 'resolved'].includes(clinical) ? clinical : undefined,
  );
  if (isRefuted || isOver)
    return [
      of('condition', { words }),
      ...(isRefuted ? [{ ...of('refuted'), is: 'not at a glance', tile: 'problems' }] : []),
    ];
  const isOfVisit =
    hasCode(list(c.category)[0], ['encounter-diagnosis']) &&
    codesOf(c.category).every((code) => code !== 'problem-list-item');
  return [
    of('current problem', { words, isPlain: !isOfVisit, in: 'problems' }),
    { ...of('problem at a glance'), is: 'at a glance', tile: 'problems', ...(isOfVisit ? { or: OF_VISITS } : {}) },
  ];
}

/// The words of a tile that counts the diagnoses of visits, and does not name them.
const OF_VISITS = /visit/;

const STOPPED = ['stopped', 'completed', 'cancelled', 'entered-in-error', 'not-taken', 'ended', 'not-done'];
const UNDECIDED = ['on-hold', 'draft', 'intended', 'unknown'];

/// The names of a medication: its own code, or that of the Medication that it refers to.
function medicationNames({ resource }, find, record) {
  const own = names(resource.medicationCodeableConcept);
  if (own.length > 0) return own;
  const { reference, display } = resource.medicationReference ?? {};
  const found = names(find(reference, record)?.resource.code);
  return found.length > 0 ? found : display ? [display] : [];
}

function medicationFacts(record, find) {
  const m = record.resource;
  const type = m.resourceType;
  const wanted = medicationNames(record, find, record);
  const date = m.authoredOn ?? m.dateAsserted;
  const of = (kind, more) => entry(kind, record, wanted, undefined, more);
  if (hasCode(m.medicationCodeableConcept, NO_MEDICATION)) return [of('medication')];
  if (isError(m)) return [of('medication', { words: wordsOf('entered-in-error') })];
  if (m.doNotPerform === true || m.status === 'not-taken') {
    const words = [{ what: 'not to be taken', holds: (text) => /\bnot\b|avoid|never/.test(text) }];
    return [of('medication not to be taken', { words, withGroup: true })];
  }
  const isOrder = type === 'MedicationRequest';
  const isPlan = isOrder && ['proposal', 'option'].includes(m.intent);
  const isOver = STOPPED.includes(m.status) || (type === 'MedicationAdministration' && m.status !== 'in-progress');
  const doses = dosagesOf(m).flatMap(doseFacts);
  const dosed = doses.map((dose) => of('dose', { words: [dose] }));
  if (isOver) return [of('medication', { date })];
  if (isPlan || UNDECIDED.includes(m.status)) return [of('medication', { date }), ...dosed];
  return [
    of('current medication', { isPlain: true, in: 'medications' }),
    { ...of('medication at a glance'), is: 'at a glance', tile: 'medications' },
    ...dosed,
  ];
}

const periodDate = (period) => period?.start ?? period?.end;
const reasonOf = (r) => r.status === 'not-done' || r.status === 'entered-in-error';
const NOT_DONE = { what: 'not done', holds: (text) => /not (done|given|performed)|declined|refused/.test(text) };

/// The entry of a record of a type that has its own section.
function ofSection(kind, wanted, date, isNegated = () => false) {
  return (record) => {
    const r = record.resource;
    const words = isError(r) ? wordsOf('entered-in-error') : isNegated(r) ? [NOT_DONE] : [];
    return [entry(kind, record, wanted(r), date(r), { words, isCounted: true })];
  };
}

const sites = (p) => list(p.bodySite).flatMap((one) => names(one).slice(0, 1));

const FACTS = {
  AllergyIntolerance: allergyFacts,
  Condition: conditionFacts,
  MedicationRequest: medicationFacts,
  MedicationStatement: medicationFacts,
  MedicationAdministration: medicationFacts,
  Immunization: ofSection(
    'immunization',
    (i) => names(i.vaccineCode),
    (i) => i.occurrenceDateTime,
    reasonOf,
  ),
  Procedure: (record) => {
    const p = record.resource;
    const own = ofSection(
      'procedure',
      (one) => names(one.code),
      (one) => one.performedDateTime ?? periodDate(one.performedPeriod),
      reasonOf,
    )(record);
    return [
      ...own,
      ...sites(p).map((site) =>
        entry('site', record, names(p.code), undefined, {
          words: [{ what: site, holds: (text) => text.includes(plain(site)) }],
        }),
      ),
    ];
  },
  Encounter: ofSection(
    'visit',
    (e) => list(e.type).flatMap(names),
    (e) => periodDate(e.period),
  ),
  DiagnosticReport: ofSection(
    'report',
    (r) => names(r.code),
    (r) => r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued,
  ),
  DocumentReference: ofSection(
    'document',
    (d) => names(d.type),
    (d) => periodDate(d.context?.period) ?? d.date,
  ),
  ServiceRequest: ofSection(
    'order',
    (s) => names(s.code),
    (s) => s.authoredOn,
  ),
  Goal: ofSection(
    'goal',
    (g) => names(g.description),
    () => undefined,
  ),
  FamilyMemberHistory: (record) => {
    const f = record.resource;
    const conditions = list(f.condition).flatMap(({ code }) => names(code).slice(0, 1));
    return [
      ...conditions.map((one) => entry('family history', record, [one])),
      ...(conditions.length ? [] : [entry('family history', record, names(f.relationship))]),
    ];
  },
  Flag: (record) => {
    const f = record.resource;
    if (f.status === 'inactive' || isError(f)) return [];
    return [{ ...entry('flag', record, names(f.code)), is: 'banner' }];
  },
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
  'MedicationDispense',
  'CareTeam',
  'CarePlan',
  'Device',
  'QuestionnaireResponse',
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
  const none = facts.find(({ is }) => is === 'none known');
  const active = facts.find(({ kind }) => kind === 'allergy in banner');
  return none && active ? [{ ...none, kind: 'contradiction', is: 'contradiction' }] : [];
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

/// Sections of which each row must be that of a record, and the types of those records.
export const ROWS = {
  allergies: ['AllergyIntolerance', 'AdverseEvent'],
  problems: ['Condition', 'ClinicalImpression', 'DetectedIssue', 'BodyStructure', 'Flag'],
  medications: ['MedicationRequest', 'MedicationStatement', 'MedicationAdministration', 'MedicationDispense'],
  immunizations: ['Immunization', 'ImmunizationRecommendation', 'ImmunizationEvaluation'],
  procedures: ['Procedure', 'Device', 'DeviceUseStatement', 'SupplyDelivery'],
};

/// All names that rows of a section may have.
export function namesOf(types, records, find) {
  return records
    .filter(({ resource }) => types.includes(resource.resourceType))
    .flatMap((record) => {
      const r = record.resource;
      const parts = [r.code, r.vaccineCode, r.type, r.event, ...list(r.reaction).map(({ substance }) => substance)];
      const device = list(r.deviceName).map(({ name }) => name);
      return [
        ...parts.flatMap((part) => list(part).flatMap(names)),
        ...device,
        ...medicationNames(record, find, record),
        r.device?.display,
      ].filter(Boolean);
    });
}

export { hasName };
