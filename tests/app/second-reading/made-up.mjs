// Made-up inputs, by kind. An input is the records of a file, and statements on their chart: `see` are views with words
// that one entry there has together, and `not` words that no entry has together. Views are the Overview, Sections,
// blocks (B: each tile and section as a whole, after its id), opened records (D), Timeline, tRends, Find, and Print. A
// pattern is judged in English only.
//
// made-up.tsv has the kinds that need no code. There, `$n` and `$w` are names, `$c` is a concept of the name, `$v` a
// number, `$on`, `$until` and `$ahead` are days, and "@@" precedes a number as written. A type has the elements of a
// row `plain` too, without those that are null; `=Type` has none but its own. The elements of Patient are those of the
// patient.

import { readFileSync } from 'node:fs';
import { generator } from '../../oracle/rows.mjs';
import { shuffled } from './sets.mjs';

const P = { reference: 'Patient/p' };
const to = (reference) => ({ reference });
const day = (at) => new Date(at).toISOString().slice(0, 10);
const SYLLABLES = ['bre', 'lov', 'tam', 'quin', 'sor', 'vel', 'dru', 'mik', 'nar', 'pol', 'gus', 'fen', 'zar', 'hel'];

/// Returns functions of a seed for choices, names that occur once, days, and numbers.
function chance(seed) {
  const next = generator(String(seed));
  const whole = (from, until) => from + Math.floor(next() * (until - from));
  const pick = (items) => items[whole(0, items.length)];
  const used = new Set();
  const name = () => {
    const made = pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES) + pick(['ax', 'or', 'um', 'in']);
    if (used.has(made)) return name();
    used.add(made);
    return made[0].toUpperCase() + made.slice(1);
  };
  const past = (from = 30, until = 900) => day(Date.now() - whole(from, until) * 86_400_000);
  const ahead = () => day(Date.now() + whole(20, 300) * 86_400_000);
  return { whole, pick, name, past, ahead, decimal: () => whole(330, 990) / 10 };
}

const [PLAIN_ROWS, ROWS] = Object.values(
  Object.groupBy(
    readFileSync(new URL('made-up.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1),
    (row) => (row.startsWith('plain\t') ? 'plain' : 'kinds'),
  ),
);
const PLAIN = new Map(PLAIN_ROWS.map((row) => row.split('\t').slice(1, 3)));

const OWNERS = ['subject', 'patient', 'for'];
const OF_PATIENT = /^(AllergyIntolerance|FamilyMemberHistory|Immunization.*|NutritionOrder|VisionPrescription)$/;
const ownerOf = (type) => (OF_PATIENT.test(type) ? 'patient' : type === 'Task' ? 'for' : 'subject');
const make = (resourceType, id, elements) => ({
  resourceType,
  id,
  ...(!OWNERS.some((one) => one in elements) && { [ownerOf(resourceType)]: P }),
  ...Object.fromEntries(Object.entries(elements).filter(([, one]) => one !== null)),
});

function filled(r, text, { n, w, on = r.past(), until, ahead, v }) {
  const system = 'http://local.example/codes';
  const concept = JSON.stringify(
    r.pick([{ text: n }, { coding: [{ system, code: `c${r.whole(1, 9999)}`, display: n }] }]),
  );
  const words = { n, w, on, until, ahead, v };
  return text
    .replace(/"\$v"/g, v)
    .replace(/"\$c"/g, concept)
    .replace(/\$(until|ahead|on|n|w|v)/g, (_, key) => words[key]);
}

/// Returns the elements of a plain record.
const elementsOf = (r, type, words) => JSON.parse(filled(r, PLAIN.get(type) ?? '{}', words));
const plain = (r, type, n, id = 'a', more = {}) => make(type, id, { ...elementsOf(r, type, { n }), ...more });

/// Returns a laboratory result with a number or a text.
const result = (r, id, n, value, more = {}) =>
  plain(r, 'Observation', n, id, {
    code: { text: n },
    valueQuantity: typeof value === 'number' ? { value, unit: 'mg/dL' } : null,
    ...(typeof value === 'string' && r.pick([{ valueString: value }, { valueCodeableConcept: { text: value } }])),
    ...more,
  });

/// Records to which others refer, by the name that each shows.
const TARGETS = {
  Patient: (n) => ({ name: [{ text: n }] }),
  RelatedPerson: (n) => ({ patient: P, name: [{ text: n }] }),
  Practitioner: (n) => ({ name: [{ family: n }] }),
  Organization: (n) => ({ name: n }),
  Location: (n) => ({ name: n }),
  Device: (n) => ({ deviceName: [{ name: n, type: 'user-friendly-name' }] }),
  Condition: (n) => ({ subject: P, code: { text: n } }),
  Specimen: (n) => ({ subject: P, type: { text: n } }),
  Group: (n) => ({ type: 'person', actual: true, name: n }),
};
const target = (resourceType, id, n) => ({ resourceType, id, ...TARGETS[resourceType](n) });

/// Returns an element that tells a result from others of its name, and the record that it needs.
function telling(r, element, n, id) {
  if (element === 'bodySite' || element === 'method') return [{ [element]: { text: n } }];
  const type = { specimen: 'Specimen', device: 'Device' }[element] ?? r.pick(['Patient', 'Group', 'Condition']);
  const one = r.pick([{ display: n }, to(`${type}/${id}`)]);
  return [{ [element]: element === 'focus' ? [one] : one }, ...(one.reference ? [target(type, id, n)] : [])];
}

/// Records with something in a part of them.
const PARTS = {
  AllergyIntolerance: (m) => ({ reaction: [{ manifestation: [{ text: 'Itching' }], ...m }] }),
  MedicationRequest: (m) => ({ dosageInstruction: [{ text: 'once a day', ...m }] }),
  Observation: (m) => ({ component: [{ code: { text: 'Part' }, valueString: 'seen', ...m }] }),
  Immunization: (m) => ({ protocolApplied: [{ doseNumberPositiveInt: 2, ...m }] }),
  Procedure: (m) => ({ performer: [{ actor: { display: 'Ann Able' }, ...m }] }),
  Encounter: (m) => ({ hospitalization: { dischargeDisposition: { text: 'Home' }, ...m } }),
  FamilyMemberHistory: (m, { condition: [one] }) => ({ condition: [{ ...one, ...m }] }),
  Goal: (m) => ({ target: [{ dueDate: '2027-05-06', ...m }] }),
  CarePlan: (m) => ({ activity: [{ detail: { status: 'scheduled', description: 'Walks', ...m } }] }),
  Condition: (m) => ({ stage: [{ summary: { text: 'Stage II' }, ...m }] }),
};

/// The elements that say who did something, or where: a list, a list of parts, or one.
const WHO = [
  ...['MedicationRequest requester', 'MedicationRequest recorder', 'MedicationStatement informationSource'],
  ...['Immunization performer.actor', 'Procedure performer.actor', 'Procedure recorder', 'Procedure asserter'],
  ...['AllergyIntolerance recorder', 'AllergyIntolerance asserter', 'Condition recorder', 'Condition asserter'],
  ...['DiagnosticReport performer[]', 'DiagnosticReport resultsInterpreter[]', 'Encounter participant.individual'],
  ...['Encounter serviceProvider', 'DocumentReference author[]', 'ServiceRequest requester', 'CarePlan author'],
  ...['ServiceRequest performer[]', 'Goal expressedBy', 'Flag author', 'Observation performer[]'],
];
const WHERE = ['Immunization location', 'Procedure location', 'Encounter location.location'];
const elementOf = (path, value) => {
  const [, name, isList, part] = /^(\w+)(\[\])?\.?(\w+)?$/.exec(path);
  return { [name]: part ? [{ [part]: value }] : isList ? [value] : value };
};
const uuid = (n) => `3f0c1e0${n}-4d2b-4c1e-9a51-0d7f3b5c9e2${n}`;
const BASE = 'https://x.example/fhir';
/// References, and the addresses of their targets, by form.
const FORMS = {
  short: { id: (n) => `t${n}`, to: (type, id) => `${type}/${id}` },
  uuid: { id: uuid, to: (type, id) => `${type}/${id}` },
  urn: { id: uuid, to: (_, id) => `urn:uuid:${id}`, url: ({ id }) => `urn:uuid:${id}` },
  contained: { id: (n) => `t${n}`, to: (_, id) => `#${id}` },
  absolute: {
    id: (n) => `t${n}`,
    to: (type, id) => `${BASE}/${type}/${id}`,
    url: (one) => `${BASE}/${one.resourceType}/${one.id}`,
  },
};

const KINDS = {
  'A about another'(r) {
    const [test, who, value, own] = [r.name(), r.name(), r.decimal(), r.decimal() + 1000];
    const type = r.pick(['Patient', 'RelatedPerson', 'Group', 'Condition', 'Organization']);
    const one = { reference: `${type}/t`, display: who };
    const focus = r.pick([{ display: who }, to(`${type}/t`), one, { identifier: { value: who } }]);
    const category = [{ coding: [{ code: r.pick(['laboratory', 'vital-signs', 'exam', 'survey', 'imaging']) }] }];
    return {
      records: [
        result(r, 'a', test, value, { category, focus: [focus] }),
        result(r, 'b', test, own, { category }),
        ...(focus.reference ? [target(type, 't', who)] : []),
      ],
      see: [
        ['SDTFRP', test, who],
        ['SDTR', value, who],
        ['SDTR', test, own],
      ],
      not: [
        ['SR', value, own],
        ['R', who, own],
      ],
    };
  },
  'A told apart'(r) {
    const [test, a, b, on] = [r.name(), r.name(), r.name(), r.past()];
    const [one, other] = r.pick([
      [r.decimal(), r.decimal() + 1000],
      [r.name(), r.name()],
    ]);
    const element = r.pick(['specimen', 'bodySite', 'method', 'device', 'focus']);
    const [first, ...more] = telling(r, element, a, 'x');
    const [second, ...others] = telling(r, element, b, 'y');
    return {
      records: [
        result(r, 'a', test, one, { ...first, effectiveDateTime: on }),
        result(r, 'b', test, other, { ...second, effectiveDateTime: r.pick([on, r.past()]) }),
        ...more,
        ...others,
      ],
      see: [
        ['SDTFRP', test, a],
        ['SDTFRP', test, b],
        ['SDTR', a, one],
        ['SDTR', b, other],
      ],
      not: [
        ['SR', one, other],
        ['SDTR', a, other],
        ['SDTR', b, one],
      ],
    };
  },
  'A told apart by a panel or report'(r) {
    const [test, a, b, one, other] = [r.name(), r.name(), r.name(), r.decimal(), r.decimal() + 1000];
    const element = r.pick(['report', 'bodySite', 'method', 'specimen']);
    const panel = (id, member, n) => {
      const members = [to(`Observation/${member}`)];
      if (element === 'report')
        return plain(r, 'DiagnosticReport', r.name(), id, { specimen: [{ display: n }], result: members });
      const [said] = element === 'specimen' ? [{ specimen: { display: n } }] : telling(r, element, n);
      return result(r, id, r.name(), undefined, { hasMember: members, ...said });
    };
    return {
      records: [result(r, 'a', test, one), result(r, 'b', test, other), panel('x', 'a', a), panel('y', 'b', b)],
      see: [
        ['SR', test, a, one],
        ['SR', test, b, other],
      ],
      not: [['SR', one, other]],
    };
  },
  'B modifier'(r) {
    const type = r.pick([...PLAIN.keys(), ...Object.keys(PARTS)]);
    const [n, tail] = [r.name(), r.name().toLowerCase()];
    const value = r.pick([{ valueBoolean: true }, { valueCodeableConcept: { text: 'Absent' } }, { valueCode: 'no' }]);
    const modifier = { modifierExtension: [{ url: `http://example.org/${tail}`, ...value }] };
    const of = plain(r, type, n);
    const isInOverview = ['AllergyIntolerance', 'Condition', 'MedicationRequest', 'Flag'].includes(type);
    return {
      // A result that something changes is not counted.
      isLoose: type === 'Observation',
      records: [{ ...of, ...(r.pick([PARTS[type], undefined])?.(modifier, of) ?? modifier) }],
      see: [
        [isInOverview ? 'OSDFP' : 'SDFP', n, tail],
        ['T', type === 'FamilyMemberHistory' ? 'Aunt' : n, tail],
      ],
    };
  },
  'C names by reference'(r) {
    const [n, who, where] = [r.name(), r.name(), r.name()];
    const isPlace = r.whole(0, 5) === 0;
    const [type, path] = r.pick(isPlace ? WHERE : WHO).split(' ');
    const form = r.pick(Object.keys(FORMS));
    const { id, to: address, url } = FORMS[form];
    const of = (kind, i) => to(address(kind, id(i)));
    const role = { practitioner: of('Practitioner', 2), organization: of('Organization', 3) };
    const kind = isPlace ? 'Location' : r.pick(['Practitioner', 'PractitionerRole', 'Organization', 'RelatedPerson']);
    const people =
      kind === 'PractitionerRole'
        ? [
            { resourceType: kind, id: id(1), ...role },
            target('Practitioner', id(2), who),
            target('Organization', id(3), where),
          ]
        : [target(kind, id(1), who)];
    const record = plain(r, type, n, 'a', elementOf(path, of(kind, 1)));
    return {
      records: form === 'contained' ? [{ ...record, contained: people }] : [record, ...people],
      url,
      see: [['D', n, who]],
      not: [['SDPTO', /without a name|(role|practitioner|organization) t1|urn:uuid/]],
    };
  },
  'G two patients of one name'(r) {
    const some = (id) => [0, 1, 2, 3].map((at) => ({ n: r.name(), id, at }));
    const [own, others] = [some('p'), some('q')];
    const record = ({ n, id, at }) => {
      const of = plain(r, r.pick([...PLAIN.keys()]), n, `${id}${at}`);
      return { ...of, [of.patient ? 'patient' : 'subject']: to(`Patient/${id}`) };
    };
    return {
      isTwo: true,
      records: [...own, ...others].map(record),
      see: own.map(({ n }) => ['SDP', n]),
      not: others.map(({ n }) => ['OBSDTFRP', n]),
    };
  },
};

const wordOf = (text) => {
  if (/^\/.*\/$/.test(text)) return new RegExp(text.slice(1, -1));
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { date: text };
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
};
/// Reads statements such as `SD $n + /refuted/; O $w`.
const statements = (text) =>
  text.split('; ').flatMap((one) => {
    const [, views, words] = /^(\w+) (.*)$/.exec(one) ?? [];
    return views ? [[views, ...words.split(' + ').map(wordOf)]] : [];
  });

/// Kinds whose records the second reader does not know well enough to tell facts of their own.
const LOOSE = /^(A sign|C none|C device|F class)/;

/// Returns the function of a row of the table.
const ofRow = (row) => (r) => {
  const [n, w, v] = [r.name(), r.name(), r.decimal()];
  const words = { n, w, v, on: r.past(300, 900), until: r.past(30, 200), ahead: r.ahead() };
  const [, of, written, others, see, not] = filled(r, row, words).split('\t');
  const type = of.replace('=', '');
  const elements = { ...(type === of ? elementsOf(r, type, words) : {}), ...JSON.parse(written) };
  const more = JSON.parse(others || '[]');
  return {
    ...(type === 'Patient' ? { patient: elements, records: more } : { records: [make(type, 'a', elements), ...more] }),
    isLoose: type !== of || LOOSE.test(row),
    see: statements(see),
    not: statements(not ?? ''),
  };
};

/// The number of inputs of a kind that is a function. A row of the table has one.
const TIMES = 24;
const MAKERS = [
  ...ROWS.map((row) => [row.split('\t')[0], ofRow(row)]),
  ...Object.entries(KINDS).flatMap((one) => Array.from({ length: TIMES }, () => one)),
];

/// Returns n inputs for a seed. The first ones are of different kinds.
export function inputs(n, seed) {
  const seen = new Map();
  const order = shuffled(MAKERS, generator(String(seed))).map(([kind, maker]) => {
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    return { kind, maker, nth: seen.get(kind) };
  });
  const all = order.toSorted((a, b) => a.nth - b.nth);
  return Array.from({ length: n }, (_, at) => inputOf({ ...all[at % all.length], seed: seed * 100_000 + at }));
}

function inputOf({ kind, maker, seed }) {
  const r = chance(seed);
  const { records, patient, isTwo, url = () => undefined, isLoose = false, see = [], not = [] } = maker(r);
  const person = {
    resourceType: 'Patient',
    id: 'p',
    name: [{ family: r.name(), given: [r.name()] }],
    gender: r.pick(['female', 'male']),
    birthDate: `19${r.whole(40, 90)}-0${r.whole(1, 9)}-1${r.whole(0, 9)}`,
    ...patient,
  };
  const all = [person, ...(isTwo ? [{ ...person, id: 'q' }] : []), ...records];
  const entry = all.map((resource) => ({ fullUrl: url(resource), resource }));
  const isLines = url(person) === undefined && r.pick([true, false]);
  const text = isLines
    ? all.map((one) => JSON.stringify(one)).join('\n')
    : JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  const bytes = Buffer.from(text.replace(/"@@([^"]+)"/g, '$1'));
  return { kind, seed, isLoose, file: { name: isLines ? 'own.ndjson' : 'own.json', bytes }, see, not };
}
