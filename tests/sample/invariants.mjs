// The constraints of R4 and US Core 6.1.0 that can be checked without a validator:
// `type key: rule`, and holds(resource, resources by type).

const code = (concept) => concept?.coding?.[0]?.code;
const any = (resource, prefix) => Object.keys(resource).some((key) => new RegExp(`^_?${prefix}[A-Z]`).test(key));
const has = (resource, name) => resource[name] !== undefined || resource[`_${name}`] !== undefined;
const toTheDay = (moment) => moment === undefined || moment.length >= 10;
const list = (value) => [value].flat().filter(Boolean);
const isOrganization = (reference) => reference?.reference?.startsWith('Organization/');
const vital = (resource) => resource.category?.some((c) => code(c) === 'vital-signs');

/** Returns whether the Luhn check over the card prefix of US providers and the ten digits succeeds. */
function validNpi(value) {
  if (!/^\d{10}$/.test(value)) return false;
  const doubled = [...`80840${value}`].reverse().map((digit, i) => (i % 2 ? 2 * digit : Number(digit)));
  const sum = doubled.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0);
  return sum % 10 === 0;
}

const identifiers = (system) => (resource) =>
  list(resource.identifier)
    .filter((i) => i.system === system)
    .map((i) => i.value);
const npis = identifiers('http://hl7.org/fhir/sid/us-npi');

export const invariants = {
  'AllergyIntolerance ait-1: clinicalStatus unless entered in error': (r) =>
    code(r.verificationStatus) === 'entered-in-error' || r.clinicalStatus,
  'AllergyIntolerance ait-2: no clinicalStatus when entered in error': (r) =>
    code(r.verificationStatus) !== 'entered-in-error' || !r.clinicalStatus,
  'AllergyIntolerance not asked: verificationStatus unconfirmed or absent': (r) =>
    code(r.code) !== '1631000175102' || ['unconfirmed', undefined].includes(code(r.verificationStatus)),
  'AllergyIntolerance no known allergy: verificationStatus confirmed': (r) =>
    code(r.code) !== '716186003' || code(r.verificationStatus) === 'confirmed',
  'CarePlan txt-1: the narrative is an XHTML div': (r) =>
    /^<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml">.+<\/div>$/.test(r.text.div),
  'CarePlan txt-1: the narrative is well formed and runs nothing': (r) =>
    wellFormed(r.text.div) && !/<script|on\w+=|javascript:/i.test(r.text.div),
  'Condition con-3: a problem has a clinicalStatus, unless entered in error': (r) =>
    code(r.category[0]) === 'encounter-diagnosis' ||
    code(r.verificationStatus) === 'entered-in-error' ||
    r.clinicalStatus,
  'Condition con-4: an abated condition is inactive, resolved or in remission': (r) =>
    !any(r, 'abatement') || ['inactive', 'resolved', 'remission'].includes(code(r.clinicalStatus)),
  'Condition con-5: no clinicalStatus when entered in error': (r) =>
    code(r.verificationStatus) !== 'entered-in-error' || !r.clinicalStatus,
  'Condition us-core-1: an encounter diagnosis is nothing else': (r) => {
    const diagnosis = r.category.some((c) => code(c) === 'encounter-diagnosis');
    return diagnosis === r.meta.profile.some((url) => url.endsWith('/us-core-condition-encounter-diagnosis'));
  },
  'CareTeam ctm-1: onBehalfOf only for practitioners': (r) =>
    r.participant.every((p) => !p.onBehalfOf || /^Practitioner\//.test(p.member.reference)),
  'Coverage us-core-15: member id or subscriber id': (r) =>
    r.identifier?.some((i) => code(i.type) === 'MB') || r.subscriberId,
  'Device us-core-12: a device with a UDI has a production identifier': (r) =>
    !r.udiCarrier || r.manufactureDate || r.expirationDate || r.lotNumber || r.serialNumber || r.distinctIdentifier,
  'DiagnosticReport us-core-8: effective at least to the day': (r) => toTheDay(r.effectiveDateTime),
  'DiagnosticReport us-core-9: effective[x] when there is a result': (r) =>
    ['registered', 'cancelled', 'unknown', 'entered-in-error'].includes(r.status) || any(r, 'effective'),
  'DiagnosticReport us-core-10: issued when there is a result': (r) =>
    ['registered', 'cancelled', 'unknown', 'entered-in-error'].includes(r.status) || has(r, 'issued'),
  'DocumentReference us-core-6: an attachment has a url, data, or a reason why not': (r) =>
    r.content.every(({ attachment: a }) => has(a, 'url') || has(a, 'data')),
  'DocumentReference att-1: data has a content type': (r) =>
    r.content.every(({ attachment: a }) => !a.data || a.contentType),
  'DocumentReference organization: a custodian, or a Provenance with an organization': (r, all) =>
    isOrganization(r.custodian) || hasOrganization(r, all.Provenance),
  'Encounter period: a visit that is over has an end': (r) => r.status !== 'finished' || r.period?.end,
  'Goal gol-1: a target detail names its measure': (r) => list(r.target).every((t) => !any(t, 'detail') || t.measure),
  'Goal start or due: a startDate or a dueDate': (r) => r.startDate || r.target?.some((t) => t.dueDate),
  'Immunization statusReason: only and always when not done': (r) => (r.status === 'not-done') === !!r.statusReason,
  'MedicationDispense us-core-20: whenHandedOver when completed': (r) => r.status !== 'completed' || r.whenHandedOver,
  'MedicationRequest us-core-21: a requester when it is an order': (r) => r.intent !== 'order' || r.requester,
  'Observation us-core-1, vs-1: effective at least to the day': (r) => toTheDay(r.effectiveDateTime),
  'Observation us-core-2, vs-2: a value, a reason why not, members or components': (r) =>
    any(r, 'value') || r.dataAbsentReason || r.hasMember || r.component,
  'Observation vs-3: each component has a value or a reason why not': (r) =>
    list(r.component).every((c) => any(c, 'value') || c.dataAbsentReason),
  'Observation obs-6: no reason for absence beside a value': (r) => !(any(r, 'value') && r.dataAbsentReason),
  'Observation obs-7: no value beside a component with the same code': (r) =>
    !any(r, 'value') || !list(r.component).some((c) => code(c.code) === code(r.code)),
  'Observation us-core-3: quantities use UCUM, with value, unit and code': (r) =>
    quantities(r).every((q) => q.system === 'http://unitsofmeasure.org' && q.code && q.unit && q.value !== undefined),
  'Observation vital signs: an effective time': (r) => !vital(r) || any(r, 'effective'),
  'Observation effective or issued: issued where there is no effective time': (r) => any(r, 'effective') || r.issued,
  'Organization us-core-16, us-core-17: an NPI has ten digits, the last of them right': (r) => npis(r).every(validNpi),
  'Organization us-core-18: a CLIA number has a D in its third place': (r) =>
    identifiers('urn:oid:2.16.840.1.113883.4.7')(r).every((v) => /^\w{2}D\w{7}$/.test(v)),
  'Organization us-core-19: a NAIC code has five digits': (r) =>
    identifiers('urn:oid:2.16.840.1.113883.6.300')(r).every((v) => /^\d{5}$/.test(v)),
  'Practitioner us-core-16, us-core-17: an NPI has ten digits, the last of them right': (r) => npis(r).every(validNpi),
  'Patient us-core-6: a family or given name, or a reason why not, never both': (r) =>
    r.name.every((n) => !!(n.family || n.given) !== !!n.extension),
  'PractitionerRole us-core-13: a practitioner, organization, healthcareService or location': (r) =>
    r.practitioner || r.organization || r.healthcareService || r.location,
  'PractitionerRole pd-1: a telecom or an endpoint': (r) => r.telecom || r.endpoint,
  'Procedure us-core-7: performed[x] when completed or in progress': (r) =>
    !['completed', 'in-progress'].includes(r.status) || any(r, 'performed'),
  'Provenance provenance-1: onBehalfOf when who is a Practitioner, a Device or a free name': (r) =>
    r.agent.every(
      (a) => isOrganization(a.onBehalfOf) || /^(Organization|Patient|RelatedPerson)\//.test(a.who.reference ?? ''),
    ),
  'QuestionnaireResponse questionnaire: named, or an extension in its place': (r) => has(r, 'questionnaire'),
  'ServiceRequest prr-1: no orderDetail without a code': (r) => !r.orderDetail || r.code,
  'Specimen collected: a time or a period': (r) => r.collection.collectedDateTime || r.collection.collectedPeriod,
};

/** Returns whether a Provenance of the document names an organization as its agent. */
function hasOrganization(document, provenances) {
  return provenances.some(
    ({ target, agent }) =>
      target.some(({ reference }) => reference === `DocumentReference/${document.id}`) &&
      agent.some((a) => isOrganization(a.onBehalfOf ?? a.who)),
  );
}

function quantities(node) {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    /^(value|dose)Quantity$|^(low|high)$/.test(key) ? [value] : quantities(value),
  );
}

/** Returns whether tags nest and close, and all entities are XML entities. */
function wellFormed(xhtml) {
  const open = [];
  for (const [, slash, tag, self] of xhtml.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
    if (self) continue;
    if (!slash) open.push(tag);
    else if (open.pop() !== tag) return false;
  }
  return !open.length && !/&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(xhtml);
}
