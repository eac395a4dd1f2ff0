// The facts that a chart must show about records of types with their own section: an entry with name, date and state,
// and what a section says beside it. The opened record must have all elements (drawer.mjs).

import { entry, said, saidConcept, saidNarrative, saidReferences, wordsOf } from './entry.mjs';
import { isError } from './results.mjs';
import { list, names, plain } from './words.mjs';

export const periodDate = (period) => period?.start ?? period?.end;

/// The words for states that limit a record, by type.
const STATES = {
  Encounter: {
    planned: /planned/,
    arrived: /arrived/,
    'in-progress': /progress/,
    cancelled: /cancel/,
    onleave: /leave/,
  },
  DiagnosticReport: { preliminary: /preliminary/ },
  DocumentReference: { superseded: /superseded|replaced/ },
  ServiceRequest: { revoked: /revoked/, 'on-hold': /on[ -]hold/, draft: /draft/ },
  Goal: {
    cancelled: /cancelled/,
    rejected: /rejected/,
    'on-hold': /on[ -]hold/,
    proposed: /proposed/,
    planned: /planned/,
  },
  CarePlan: { draft: /draft/, 'on-hold': /on[ -]hold/, revoked: /revoked/, completed: /completed/ },
  Device: { inactive: /inactive/ },
};

/// Returns the checks of the words for the state of a record.
function stateOf(r) {
  if (isError(r)) return wordsOf('entered-in-error');
  if (r.status === 'not-done' || r.doNotPerform === true)
    return [{ what: 'not done', holds: (text) => /not (to be )?(done|given|performed)|declined|refused/.test(text) }];
  const state = r.lifecycleStatus ?? r.status;
  const pattern = STATES[r.resourceType]?.[state];
  return pattern ? [{ what: state, holds: (text) => pattern.test(text) }] : [];
}

/// Returns a function for the facts of a type. `details` returns the checks of further words of an entry.
const ofSection =
  (kind, wanted, date, details = () => []) =>
  (record, find) => {
    const r = record.resource;
    const named = wanted(r);
    return [
      entry(kind, record, named, date(r), { words: stateOf(r), isCounted: true, withGroup: true }),
      ...details(r, record, find).map((word) => entry(`detail of ${kind}`, record, named, date(r), { words: [word] })),
    ];
  };

const displays = (concepts) => list(concepts).flatMap((one) => saidConcept(one));
const firstNamed = (...all) => all.find((one) => one.length > 0) ?? [];

/// Returns the names of a person, an organization, or the practitioner of a role.
function namesOfMember(to, record, find) {
  if (to?.display) return [to.display];
  const found = find(to?.reference, record)?.resource;
  if (!found) return [];
  if (to.reference === record.resource.subject?.reference) return ['the patient'];
  if (found.resourceType === 'PractitionerRole') return [found.practitioner?.display].filter(Boolean);
  if (typeof found.name === 'string') return [found.name];
  return list(found.name).flatMap(({ text, family }) => [text, family].filter(Boolean));
}

const membersOf = (c, record, find) =>
  list(c.participant).flatMap(({ role, member }) => {
    const wanted = namesOfMember(member, record, find).map(plain);
    const isThere = (text) => wanted.length === 0 || wanted.some((name) => text.includes(name));
    return [...displays(role), { what: `member ${wanted[0]}`, holds: isThere }];
  });

/// Returns the facts of a relative and each condition.
function familyFacts(record) {
  const f = record.resource;
  const of = (kind, words) => entry(kind, record, names(f.relationship), undefined, { words });
  return [
    of('relative', isError(f) ? wordsOf('entered-in-error') : said(f.name)),
    ...list(f.condition).flatMap(({ code }) => saidConcept(code).map((word) => of('family history', [word]))),
  ];
}

function flagFacts(record) {
  const f = record.resource;
  return f.status === 'inactive' || isError(f) ? [] : [{ ...entry('flag', record, names(f.code)), is: 'banner' }];
}

/// The functions that return the facts of each type.
export const SECTION_FACTS = {
  Immunization: ofSection(
    'immunization',
    (i) => names(i.vaccineCode),
    (i) => i.occurrenceDateTime,
    (i) => displays(i.statusReason),
  ),
  Procedure: ofSection(
    'procedure',
    (p) => names(p.code),
    (p) => p.performedDateTime ?? periodDate(p.performedPeriod),
  ),
  Encounter: ofSection(
    'visit',
    (e) => firstNamed(list(e.type).flatMap(names), [e.class?.display ?? e.class?.code].filter(Boolean)),
    (e) => periodDate(e.period),
    (e) => [...displays(e.reasonCode), ...saidReferences(e.serviceProvider)],
  ),
  DiagnosticReport: ofSection(
    'report',
    (r) => names(r.code),
    (r) => r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued,
    (r) => [...said(r.conclusion), ...displays(r.conclusionCode)],
  ),
  DocumentReference: ofSection(
    'document',
    (d) =>
      firstNamed(
        names(d.type),
        said(d.description).map(({ what }) => what),
      ),
    (d) => periodDate(d.context?.period) ?? d.date,
    (d) => saidReferences(d.author),
  ),
  ServiceRequest: ofSection(
    'order',
    (s) => names(s.code),
    (s) => s.authoredOn,
    (s) => displays(s.reasonCode),
  ),
  Goal: ofSection(
    'goal',
    (g) => names(g.description),
    (g) => g.startDate ?? g.statusDate,
    (g) => displays(g.achievementStatus),
  ),
  CarePlan: ofSection(
    'care plan',
    (p) => (p.title ? [p.title] : list(p.category).flatMap(names)),
    (p) => periodDate(p.period),
    (p) => saidNarrative(p.text),
  ),
  CareTeam: ofSection(
    'care team',
    (c) => (c.name ? [c.name] : ['care team']),
    (c) => c.period?.start,
    membersOf,
  ),
  Device: ofSection(
    'device',
    (d) =>
      firstNamed(
        list(d.deviceName).flatMap(({ name }) => (name ? [name] : [])),
        names(d.type),
      ),
    (d) => d.manufactureDate,
  ),
  // A use of a device that has no record. That of another is shown at its record.
  DeviceUseStatement: ofSection(
    'use of a device',
    ({ device: of }) => (of?.display && !of.reference ? [of.display] : []),
    () => undefined,
  ),
  QuestionnaireResponse: ofSection(
    'questionnaire',
    () => [],
    (q) => q.authored,
  ),
  FamilyMemberHistory: familyFacts,
  Coverage: ofSection(
    'coverage',
    (c) => [...names(c.type), ...list(c.class).flatMap(({ name }) => (name ? [name] : []))],
    (c) => c.period?.start,
    (c) => saidReferences(c.payor),
  ),
  Flag: flagFacts,
};
