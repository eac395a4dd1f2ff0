// Random data, grants, questions and exports for trials.test.mjs. The same seed gives the same results.

import { generator, pick } from './rows.mjs';

export const PATIENTS = ['a', 'b', 'c'];
const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
const CATEGORIES = ['laboratory', 'vital-signs', 'survey'];
const words = (text) => text.trim().split(/\s+/);
const ref = (reference) => ({ reference });
const coded = (code, system) => ({ coding: [{ system, code }] });
const DATES = [
  ...words('2019 2020-02 2020-02-29 2020-02-29T12:00:00Z 2020-03-01T00:30:00+05:30 2021-06 2022-01-01'),
  undefined,
];

/// Returns random functions: {chance(p), one(list), some(list, least, most), times(least, most, make), upTo(n)}.
export function drawing(seed) {
  const random = generator(`trials ${seed}`);
  const upTo = (n) => Math.floor(random() * n);
  const between = (least, most) => least + upTo(most - least + 1);
  const some = (list, least, most) => {
    const left = list.map((_, at) => at);
    const chosen = Array.from({ length: between(least, most) }, () => left.splice(upTo(left.length), 1)[0]);
    return chosen.sort((a, b) => a - b).map((at) => list[at]);
  };
  const times = (least, most, make) => Array.from({ length: between(least, most) }, make);
  return { chance: (p) => random() < p, one: (list) => pick(list, random), some, times, upTo };
}

// --- The data ---

/// Makes the data of a small hospital. The id of a resource is its position among the resources of its type. References
/// lead to existing, missing and contained resources, and into other patients' records.
export function hospital({ chance, one, some, times, upTo }) {
  // A patient, or sometimes nobody.
  const subject = () => (chance(0.95) ? ref(`Patient/${one(PATIENTS)}`) : { display: 'unknown' });
  const visit = () => (chance(0.8) ? ref(`Encounter/${upTo(5)}`) : undefined);
  const place = () => ref(one(['Location/0', 'Location/1', 'Location/2', '#c']));
  const contained = [{ resourceType: 'Location', id: 'c', name: 'Cellar' }];
  const people = ['Patient/a', 'Patient/b', 'Patient/c'];
  const performers = () => (chance(0.25) ? ['Practitioner/0'] : some(['Practitioner/0', ...people], 1, 2));
  const make = {
    // Sometimes an observation has no subject, and a patient may be its performer.
    Observation: () => ({
      status: one(['final', 'preliminary']),
      subject: chance(0.8) ? subject() : undefined,
      performer: chance(0.5) ? performers().map(ref) : undefined,
      category: chance(0.9) ? some(CATEGORIES, 0, 2).map((code) => coded(code, CATEGORY)) : [{ text: 'laboratory' }],
      code: coded(one(['4548-4', '2339-0', '8480-6']), 'http://loinc.org'),
      effectiveDateTime: one(DATES),
    }),
    Condition: () => ({
      subject: subject(),
      clinicalStatus: coded(one(['active', 'resolved']), 'http://terminology.hl7.org/CodeSystem/condition-clinical'),
      category: [coded('problem-list-item')],
      onsetDateTime: one(DATES),
      encounter: visit(),
    }),
    MedicationRequest: () => ({
      subject: subject(),
      status: one(['active', 'stopped']),
      intent: 'order',
      authoredOn: '2020-05-05',
      medicationReference: ref(one(['Medication/0', 'Medication/1', '#0'])),
      contained: [{ resourceType: 'Medication', id: '0', code: coded('inner') }],
      encounter: visit(),
    }),
    Provenance: () => ({
      target: times(1, 3, () => ref(`${one(['Observation', 'Condition', 'MedicationRequest'])}/${upTo(6)}`)),
      recorded: '2021-01-01T00:00:00Z',
    }),
    PractitionerRole: () => ({ practitioner: ref(`Practitioner/${upTo(2)}`), location: [place()], contained }),
    Encounter: () => ({
      subject: subject(),
      status: one(['finished', 'planned']),
      location: [{ location: place() }],
      contained,
    }),
    Group: () => ({
      type: 'person',
      actual: true,
      managingEntity: chance(0.3) ? ref(`Organization/${upTo(2)}`) : undefined,
      characteristic: chance(0.3) ? [{ valueReference: { identifier: { system: 'npi', value: `${upTo(2)}` } } }] : [],
      member: some([...PATIENTS, 'ghost'], 0, 4).map((id) => ({ entity: ref(`Patient/${id}`) })),
    }),
  };
  const named = {
    Patient: PATIENTS.map((id) => ({ id, name: [{ family: `Family-${id}` }], gender: 'female' })),
    Practitioner: ['Lindholm', 'Achterberg'].map((family) => ({ name: [{ family }] })),
    Location: ['Ward', 'Cellar'].map((name) => ({ name })),
    Medication: [{ code: { text: 'x' } }, { code: { text: 'x' } }],
  };
  const least = { Observation: 6 };
  const most = { Observation: 19, PractitionerRole: 2, Group: 3, Encounter: 4 };
  const made = Object.entries(make).map(([type, one]) => [type, times(least[type] ?? 0, most[type] ?? 5, one)]);
  return [...Object.entries(named), ...made].flatMap(([resourceType, all]) =>
    all.map((one, at) => ({ resourceType, id: String(at), ...one })),
  );
}

/// Returns resources whose names and texts have a mark with their position, such as `Mark7x`.
export const marked = (data) =>
  data.map((one, at) => {
    const text = `Mark${at}x`;
    const { resourceType: type, code } = one;
    if (['Patient', 'Practitioner'].includes(type)) return { ...one, name: [{ family: text }] };
    if (['Location', 'Group'].includes(type)) return { ...one, name: text };
    return { ...one, code: { ...code, text }, type: type === 'Encounter' ? [{ text }] : undefined, note: [{ text }] };
  });

// --- The grants ---

const OPENED = words(`Patient Observation Condition Encounter Group Location MedicationRequest Provenance Practitioner
  PractitionerRole Medication`);

export function scope({ chance, one }) {
  const level = one(['patient', 'user', 'system']);
  if (chance(0.2)) return `${level}/Observation.${one(['rs', 'r', 's'])}?category=${CATEGORY}|${one(CATEGORIES)}`;
  return `${level}/${chance(1 / 3) ? '*' : one(OPENED)}.${one(['read', 'read', 'rs', 'r', 's', '*', 'write'])}`;
}

/// Returns the names of the Groups to which a client is limited. Most clients are not.
const groups = ({ chance, some }) => (chance(0.2) ? some(words('0 1 Organization/0 npi|0 npi|1'), 0, 2) : undefined);

/// The patients whom the users may see. The list of the user `nobody` is empty.
export const LISTS = { few: ['a', 'b'], chief: 'all', nobody: [] };
/// The patients who have opted out, by the purpose of a client.
const OPTED_OUT = { transfer: ['b'] };

export function token(draw) {
  const { chance, one, times } = draw;
  return {
    scopes: [...times(1, 5, () => scope(draw)), ...(chance(0.5) ? ['fhirUser'] : [])].join(' '),
    patient: chance(0.7) ? one(PATIENTS) : undefined,
    user: one([undefined, ...Object.keys(LISTS)]),
    groups: groups(draw),
    fhirUser: chance(0.5) ? one(words('Patient/a Patient/b Practitioner/0 Condition/0')) : undefined,
  };
}

/// Returns the grant of a token. Without a user, user scopes open nothing.
export function grantOf({ scopes, patient, user, fhirUser, groups, purpose }) {
  const open = user
    ? scopes
    : scopes
        .split(' ')
        .filter((scope) => !scope.startsWith('user/'))
        .join(' ');
  return { scopes: open, patient, userPatients: LISTS[user], fhirUser, groups, optedOut: OPTED_OUT[purpose] };
}

// --- The questions ---

const OBSERVATIONS = words(`category=laboratory category=laboratory,survey category:missing=true category:missing=false
  category:not=laboratory category:not=laboratory,survey date:missing=true status:not=final code=4548-4
  code=http://loinc.org|2339-0,8480-6 date=ge2020 date=lt2021 date=ap2020-02-29 date=ne2020 status=final
  patient.name=family-a _has:Provenance:target:_id=0,1,2 _has:Provenance:target:target:Condition.clinical-status=active
  _sort=date _sort=-_id _sort=-status,date _sort=category _count=2 _total=accurate _revinclude=Provenance:target
  _include=Observation:patient _include=* _include:iterate=Patient:* _revinclude:iterate=Condition:patient
  _summary=count _id=0,1,2`);
const OTHERS = Object.entries({
  Condition: `clinical-status=active clinical-status:not=active onset-date=ge2020 onset-date:missing=true
    encounter.status=finished encounter.status:not=finished encounter.patient.name=family-b
    encounter.location.name=cellar encounter._has:MedicationRequest:encounter:status=active
    _has:Provenance:target:_id=0,1,2 patient.name=family-a _revinclude=Provenance:target _include=Condition:encounter
    _include:iterate=Encounter:location _include=* _revinclude:iterate=MedicationRequest:encounter _count=1 _id=0,1`,
  Encounter: `status=finished _has:Condition:encounter:clinical-status=active
    _has:MedicationRequest:encounter:status:not=active _has:Condition:encounter:_has:Provenance:target:_id=0,1,2
    patient.name=family location.name=ward _revinclude=Condition:encounter _revinclude:iterate=Provenance:target
    _include=Encounter:patient _include=Encounter:* _id=0,1 _count=1 _total=accurate
    location._has:PractitionerRole:location:practitioner.name=achter`,
  MedicationRequest: `status=active intent=order encounter.status=finished encounter:Encounter.patient.gender=female
    medication.code=inner medication.code:not=inner medication._id=0 encounter.location.name=cellar
    _include=MedicationRequest:medication _include=MedicationRequest:encounter _include:iterate=* _total=accurate
    _revinclude=Provenance:target`,
  Provenance: `target=Observation/1 _id=0,1,2 _count=2 target:Observation.status=final target.clinical-status=active
    _has:Provenance:target:_id=0 _include=Provenance:target _include=Provenance:target:Observation
    _include:iterate=Condition:encounter`,
  Patient: `_id=a _id=a,b name=family gender=female gender:not=male birthdate:missing=true
    _has:Observation:patient:category=laboratory _has:Observation:patient:category:not=laboratory
    _has:Condition:patient:encounter.status=finished _has:Encounter:patient:location.name=cellar
    _has:MedicationRequest:patient:medication.code=inner
    _has:Encounter:patient:_has:Condition:encounter:clinical-status=active _has:Group:member:_id=0,1
    _has:Group:member:type=person _revinclude=Group:member _revinclude=Observation:patient
    _revinclude=Condition:patient _revinclude:iterate=Provenance:target _count=1 _sort=-name,gender`,
  Practitioner: `_id=0 name=lind name=a name:missing=false identifier:not=7 _sort=name
    _revinclude=PractitionerRole:practitioner _has:PractitionerRole:practitioner:_id=0
    _has:PractitionerRole:practitioner:location.name=ward _has:Observation:performer:status=final`,
  PractitionerRole: `practitioner.name=achter practitioner.name=l practitioner.name:missing=false location.name=cellar
    location._has:PractitionerRole:location:_id=1 _id=0 _include=PractitionerRole:practitioner _include=*
    _sort=-practitioner`,
  Medication: '_id=0 _id=0,1',
  Group: 'member=Patient/a member=Patient/b member=Patient/b,Patient/ghost type=person _id=0,1 _count=1',
}).map(([type, text]) => [type, words(text)]);
const WITHOUT_PATIENT = ['Patient', 'Practitioner', 'PractitionerRole', 'Medication'];
const FILTERS = words('category=laboratory category:missing=false _id=0,1,2 _summary=count');
const READ = words('Observation Condition Encounter MedicationRequest Provenance Patient Practitioner Medication');
const EXISTING = [...PATIENTS, 'ghost'];

const asked = (path, parameters) => {
  const all = parameters.filter(Boolean).join('&').replaceAll('|', '%7C');
  return all === '' ? path : `${path}?${all}`;
};

export function question(draw) {
  const { chance, one, some, upTo } = draw;
  const patient = (p) => chance(p) && `patient=${one(['Patient/a', ...EXISTING])}`;
  const kind = upTo(17);
  if (kind < 5) return asked('Observation', [patient(0.9), ...some(OBSERVATIONS, 0, 3)]);
  if (kind < 8) {
    const [type, parameters] = one(OTHERS);
    return asked(type, [patient(WITHOUT_PATIENT.includes(type) ? 0.02 : 0.8), ...some(parameters, 0, 2)]);
  }
  if (kind < 10) return `${one(READ)}/${one(['0', '1', '2', '3', ...EXISTING])}`;
  if (kind < 11) return asked('', ['_type=Observation,Condition', patient(0.8), ...some(FILTERS, 0, 2), '_count=3']);
  if (kind < 12) return asked(`Patient/${one(EXISTING)}/Observation`, [...some(FILTERS, 0, 2), '_count=3']);
  if (kind < 13) return `Patient/${one(EXISTING)}/Group?_count=2`;
  const count = chance(0.5) && `_count=${1 + upTo(4)}`;
  if (kind < 14) return asked(`Patient/${one(EXISTING)}/*`, [count]);
  const types = chance(1 / 3) && `_type=${some(['Group', ...READ], 1, 3)}`;
  return asked(`Patient/${one(EXISTING)}/$everything`, [count, types]);
}

// --- The exports ---

const EXPORT_FILTERS = words(`Observation?category=laboratory Observation?category=survey,vital-signs&status=final
  Observation?status:not=final Condition?clinical-status=active Location?name=ward`);

/// Returns two requests that differ only by their scopes, in either order. Some scopes open much, so that something
/// is exported.
export function exportsOfTwo(draw) {
  const { chance, one, some, times } = draw;
  const scopes = chance(0.25) ? [...times(0, 2, () => scope(draw)), 'system/*.rs'] : times(1, 5, () => scope(draw));
  const further = chance(1 / 3) ? ['system/*.rs'] : times(0, 2, () => scope(draw));
  const level = one(['System', 'Patient', 'Group']);
  // The request for an export names the types that a system scope opens for reading.
  const reads = scopes.map((text) => /^system\/(\w+|\*)\.(?:read|\*|r\w*)(?:\?|$)/.exec(text)?.[1]);
  const types = OPENED.filter((type) => reads.includes(type) || reads.includes('*'));
  const filters = chance(1 / 3) ? some(EXPORT_FILTERS, 1, 2) : [];
  const first = {
    scopes,
    level,
    groups: groups(draw),
    types,
    members: level === 'Group' ? some(PATIENTS, 0, 3) : undefined,
    filters: filters.filter((filter) => types.includes(filter.split('?')[0])),
  };
  const both = [first, { ...first, scopes: [...scopes, ...further] }];
  return chance(0.5) ? both : both.reverse();
}
