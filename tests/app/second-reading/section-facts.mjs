// The facts that a chart must show about records of types with their own section.

import {
  entry,
  said,
  saidConcept,
  saidDate,
  saidNarrative,
  saidNotes,
  saidQuantity,
  saidReferences,
  wordsOf,
} from './entry.mjs';
import { isError } from './results.mjs';
import { list, names, plain } from './words.mjs';

export const periodDate = (period) => period?.start ?? period?.end;
const isNotDone = ({ status, doNotPerform }) => status === 'not-done' || doNotPerform === true;
const NOT_DONE = {
  what: 'not done',
  holds: (text) => /not (to be )?(done|given|performed)|declined|refused/.test(text),
};

/// Returns a function for the facts of a type: a record has an entry with its date and state, and with each detail.
function ofSection(kind, { wanted, date, details = () => [], more = () => [] }) {
  return (record, find) => {
    const r = record.resource;
    const named = wanted(r);
    const state = isError(r) ? wordsOf('entered-in-error') : isNotDone(r) ? [NOT_DONE] : [];
    return [
      entry(kind, record, named, date(r), { words: state, isCounted: true, withGroup: true }),
      ...details(r, record, find).map((word) => entry(`detail of ${kind}`, record, named, date(r), { words: [word] })),
      ...more(r, record, find),
    ];
  };
}

const displays = (concepts) => list(concepts).flatMap((one) => saidConcept(one));

const immunization = ofSection('immunization', {
  wanted: (i) => names(i.vaccineCode),
  date: (i) => i.occurrenceDateTime,
  details: (i) => [
    ...said(i.occurrenceString, i.lotNumber),
    ...displays([i.statusReason, i.route, i.site]),
    ...saidQuantity(i.doseQuantity),
    ...saidDate(...list(i.reaction).map(({ date }) => date)),
    ...saidNotes(i.note),
  ],
});

const procedure = ofSection('procedure', {
  wanted: (p) => names(p.code),
  date: (p) => p.performedDateTime ?? periodDate(p.performedPeriod),
  details: (p) => [
    ...said(p.performedString),
    ...displays([...list(p.reasonCode), ...list(p.complication), p.outcome, p.statusReason, ...list(p.bodySite)]),
    ...saidReferences(p.location),
    ...saidReferences(list(p.performer).map(({ actor }) => actor)),
    ...saidNotes(p.note),
  ],
});

/// The state of a visit that is not over.
const VISIT = {
  planned: /planned/,
  arrived: /arrived/,
  'in-progress': /progress/,
  cancelled: /cancel/,
  onleave: /leave/,
};

const visit = ofSection('visit', {
  wanted: (e) => {
    const types = list(e.type).flatMap(names);
    return types.length > 0 ? types : [e.class?.display ?? e.class?.code].filter(Boolean);
  },
  date: (e) => periodDate(e.period),
  details: (e) => [
    ...displays(e.reasonCode),
    ...saidReferences(e.serviceProvider),
    ...saidReferences(list(e.location).map(({ location }) => location)),
    ...(VISIT[e.status] ? [{ what: e.status, holds: (text) => VISIT[e.status].test(text) }] : []),
  ],
});

const report = ofSection('report', {
  wanted: (r) => names(r.code),
  date: (r) => r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued,
  details: (r) => [
    ...said(r.conclusion),
    ...displays(r.conclusionCode),
    ...(r.status === 'preliminary' ? [{ what: 'preliminary', holds: (text) => /preliminary/.test(text) }] : []),
  ],
});

const document = ofSection('document', {
  wanted: (d) => {
    const types = names(d.type);
    return types.length > 0 ? types : said(d.description).map(({ what }) => what);
  },
  date: (d) => periodDate(d.context?.period) ?? d.date,
  details: (d) => [
    ...said(d.description),
    ...saidReferences(d.author),
    ...(d.status === 'superseded' ? [{ what: 'superseded', holds: (text) => /superseded|replaced/.test(text) }] : []),
  ],
});

const order = ofSection('order', {
  wanted: (s) => names(s.code),
  date: (s) => s.authoredOn,
  details: (s) => [
    ...displays([...list(s.reasonCode), ...list(s.bodySite)]),
    ...saidDate(s.occurrenceDateTime, s.occurrencePeriod?.start),
    ...saidReferences(s.requester),
    ...saidReferences(s.performer),
    ...saidNotes(s.note),
    ...(['revoked', 'on-hold', 'draft'].includes(s.status)
      ? [{ what: s.status, holds: (text) => text.includes(s.status.replace('-', ' ')) || text.includes(s.status) }]
      : []),
  ],
});

const goal = ofSection('goal', {
  wanted: (g) => names(g.description),
  date: (g) => g.startDate ?? g.statusDate,
  details: (g) => [
    ...displays(g.achievementStatus),
    ...list(g.target).flatMap((target) => [
      ...displays(target.measure),
      ...saidQuantity(target.detailQuantity, target.detailRange?.low, target.detailRange?.high),
      ...displays(target.detailCodeableConcept),
      ...said(target.detailString),
      ...saidDate(target.dueDate),
    ]),
    ...(['cancelled', 'rejected', 'on-hold', 'proposed', 'planned'].includes(g.lifecycleStatus)
      ? [
          {
            what: g.lifecycleStatus,
            holds: (text) => text.includes(g.lifecycleStatus.replace('-', ' ')) || text.includes(g.lifecycleStatus),
          },
        ]
      : []),
    ...saidNotes(g.note),
  ],
});

const plan = ofSection('care plan', {
  wanted: (p) => (p.title ? [p.title] : list(p.category).flatMap(names)),
  date: (p) => periodDate(p.period),
  details: (p) => [
    ...saidNarrative(p.text),
    ...said(p.description),
    ...saidDate(p.period?.end),
    ...saidReferences(p.addresses),
    ...list(p.activity).flatMap(({ detail, reference }) => [
      ...displays(detail?.code),
      ...said(detail?.description, detail?.scheduledString),
      ...(detail?.doNotPerform ? [{ ...NOT_DONE }] : []),
      ...saidReferences(reference),
    ]),
    ...saidNotes(p.note),
    ...(['draft', 'on-hold', 'revoked', 'completed'].includes(p.status)
      ? [{ what: p.status, holds: (text) => text.includes(p.status.replace('-', ' ')) || text.includes(p.status) }]
      : []),
  ],
});

/// Returns the names of a person, an organization, or the practitioner of a role.
function namesOfMember(to, record, find) {
  if (to?.display) return [to.display];
  const found = find(to?.reference, record)?.resource;
  if (!found) return [];
  if (found.resourceType === 'Patient') return ['the patient'];
  if (found.resourceType === 'PractitionerRole') return [found.practitioner?.display].filter(Boolean);
  if (typeof found.name === 'string') return [found.name];
  return list(found.name).flatMap(({ text, family }) => [text, family].filter(Boolean));
}

const team = ofSection('care team', {
  wanted: (c) => (c.name ? [c.name] : ['care team']),
  date: (c) => c.period?.start,
  details: (c, record, find) =>
    list(c.participant).flatMap(({ role, member }) => {
      const wanted = namesOfMember(member, record, find).map(plain);
      return [
        ...list(role).flatMap((one) => saidConcept(one)),
        ...(wanted.length > 0
          ? [{ what: `member ${wanted[0]}`, holds: (text) => wanted.some((name) => text.includes(name)) }]
          : []),
      ];
    }),
});

/// A use of a device that has no record. That of another is shown at its record.
const deviceUse = ofSection('use of a device', {
  wanted: ({ device: of }) => (of?.display && !of.reference ? [of.display] : []),
  date: () => undefined,
});

const device = ofSection('device', {
  wanted: (d) => {
    const own = list(d.deviceName).flatMap(({ name }) => (name ? [name] : []));
    return own.length > 0 ? own : names(d.type);
  },
  date: (d) => d.manufactureDate,
  details: (d) => [
    ...saidConcept(d.type),
    ...said(d.manufacturer, d.serialNumber),
    ...(d.status === 'inactive' ? [{ what: 'inactive', holds: (text) => /inactive/.test(text) }] : []),
  ],
});

/// Returns the checks of the answers of a form, each with its question.
function answersIn(items) {
  return list(items).flatMap(({ text, answer, item }) => [
    ...list(answer).flatMap((one) => {
      const value = [
        ...said(one.valueString, one.valueUri),
        ...saidConcept(one.valueCoding && { coding: [one.valueCoding] }),
        ...saidQuantity(one.valueQuantity, { value: one.valueDecimal ?? one.valueInteger }),
        ...saidDate(one.valueDate, one.valueDateTime),
        ...(typeof one.valueBoolean === 'boolean'
          ? [{ what: one.valueBoolean ? 'yes' : 'no', holds: (t) => (one.valueBoolean ? /\byes\b/ : /\bno\b/).test(t) }]
          : []),
        ...saidReferences(one.valueReference),
      ];
      return [...(value.length > 0 ? [[...said(text), ...value]] : []), ...answersIn(one.item)];
    }),
    ...answersIn(item),
  ]);
}

const questionnaire = ofSection('questionnaire', {
  wanted: () => [],
  date: (q) => q.authored,
  more: (q, record) => answersIn(q.item).map((words) => entry('answer', record, [], q.authored, { words })),
});

function familyFacts(record) {
  const f = record.resource;
  const of = (kind, words) => entry(kind, record, names(f.relationship), undefined, { words });
  return [
    of('relative', isError(f) ? wordsOf('entered-in-error') : said(f.name)),
    ...list(f.condition).flatMap((c) => [
      ...saidConcept(c.code).map((word) => of('family history', [word])),
      ...[
        ...saidConcept(c.outcome),
        ...saidQuantity(c.onsetAge),
        ...said(c.onsetString),
        ...saidNotes(c.note),
        ...(c.contributedToDeath ? [{ what: 'death', holds: (text) => /death|died/.test(text) }] : []),
      ].map((word) => of('detail of family history', [word])),
    ]),
    ...[
      ...saidQuantity(f.ageAge, f.deceasedAge),
      ...said(f.ageString, f.deceasedString),
      ...saidDate(f.bornDate, f.deceasedDate),
      ...saidConcept(f.reasonCode),
      ...saidNotes(f.note),
    ].map((word) => of('detail of family history', [word])),
  ];
}

const coverage = ofSection('coverage', {
  wanted: (c) => [...names(c.type), ...list(c.class).flatMap(({ name }) => (name ? [name] : []))],
  date: (c) => c.period?.start,
  details: (c) => [...said(c.subscriberId), ...saidReferences(c.payor), ...saidConcept(c.relationship)],
});

function flagFacts(record) {
  const f = record.resource;
  if (f.status === 'inactive' || isError(f)) return [];
  return [{ ...entry('flag', record, names(f.code)), is: 'banner' }];
}

/// The functions that return the facts of each type.
export const SECTION_FACTS = {
  Immunization: immunization,
  Procedure: procedure,
  Encounter: visit,
  DiagnosticReport: report,
  DocumentReference: document,
  ServiceRequest: order,
  Goal: goal,
  CarePlan: plan,
  CareTeam: team,
  Device: device,
  DeviceUseStatement: deviceUse,
  QuestionnaireResponse: questionnaire,
  FamilyMemberHistory: familyFacts,
  Coverage: coverage,
  Flag: flagFacts,
};
