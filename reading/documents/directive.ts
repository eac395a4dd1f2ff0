//! Advance directives, and orders and statements about resuscitation and life-sustaining treatment, in records of any
//! type: a Consent, an order, an observation, a problem, a procedure, or a document.

import { standingOf } from '../fhir/certainty.ts';
import { endOf, newest } from '../fhir/date.ts';
import { firstWritten, textAt, valuesAt } from '../fhir/element-text.ts';
import { normalCode } from '../fhir/status-code.ts';
import { clipped, isEnteredInError, plain, testCode } from '../fhir/text.ts';
import { isOfType, type Resource } from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { own } from '../own.ts';
import { meaningOf } from '../records/meaning.ts';
import { apartKey, isOfOther } from '../results/names/told-apart.ts';
import { replacedDocuments } from './related-documents.ts';

/** Codes of advance directives in FHIR, LOINC, SNOMED CT and ICD-10-CM, in lower case. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  ...['adr', 'acd', 'dnr', 'polst', 'hcd', 'emrgonly'],
  // LOINC codes of documents and sections, and of orders for life-sustaining treatment.
  ...['42348-3', '75320-2', '64298-3', '64300-7', '81334-5', '81335-2', '81351-9', '86533-7', '92664-0', '93037-0'],
  ...['100822-6', '100823-4', '100824-2', '100825-9', '100826-7'],
  // LOINC codes of statements: living will, do not resuscitate, do not hospitalize, organ donation.
  ...['45473-6', '45474-4', '45475-1', '45476-9', '75781-5', '75787-2'],
  // US Core: treatment preferences of the patient, and the LOINC question about them.
  ...['treatment-intervention-preference', '75773-2'],
  // Netherlands: instructions for treatment, living will.
  ...['11291000146105', '11341000146107'],
  // SNOMED CT: not for resuscitation, for resuscitation, resuscitation status.
  ...['304253006', '143021000119109', '304252001', '304251008'],
  // ICD-10-CM: do not resuscitate.
  'z66',
]);

/** Codes of resuscitation itself, which are a directive in an order for it or against it. */
const RESUSCITATION: ReadonlySet<string> = new Set(['89666000', '92950']);

/** Words of a directive in a record of any type. */
const NAMED = new RegExp(
  String.raw`advance (?:care )?(?:directive|decision|plan\b)|living will|\bDNA?R\b|\bDNACPR\b` +
    '|do[- ]not[- ](?:attempt[- ])?(?:cardiopulmonary )?(?:resuscitat|intubat)' +
    String.raw`|not for (?:\w+ )?resuscitation` +
    String.raw`|for (?:full )?resuscitation\b|resuscitation (?:status|order|code|decision|preference)` +
    String.raw`|\bcode status\b|\bfull code\b|life[- ]sustaining treatment|\b[MP]OLST\b|portable medical order` +
    '|voluntad(?:es)? anticipada|testamento vital|no (?:reanimar|rcp)|orden de no reanimaci[oó]n' +
    '|patientenverf|ne pas r[ée]animer|keine reanimation|wilsverklaring|niet[- ]reanimeren|directives? anticip',
  'i',
);

/** Words of a directive in a consent or an order. In other records they describe a treatment that was given. */
const TREATMENT =
  /(?<!fluid |volume )resuscitat|\bCPR\b|comfort[- ](?:focus|measures|care)|reanimaci[oó]n|reanimation/i;

/** The longest text that may be a name or an answer. A longer text is a note, which may mention any subject. */
const MAX_LENGTH = 200;

/** The elements that contain the subject of a record, by type. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  Consent: ['category', 'scope', 'provision.code', 'provision.provision.code'],
  ServiceRequest: ['code', 'category'],
  Observation: ['code', 'category', 'valueCodeableConcept', 'valueString'],
  Condition: ['code'],
  Procedure: ['code'],
  DocumentReference: ['type', 'category'],
};

/** Returns whether a record is an advance directive, or states what to do if life is in danger. */
export function isDirective(record: Resource): boolean {
  const { resourceType } = record;
  const paths = own(ABOUT, resourceType);
  if (!paths) return false;
  const codes = paths
    .flatMap((path) => valuesAt(record, `${path}.coding.code`))
    .flatMap((code) => (typeof code === 'string' ? code.toLowerCase() : []));
  if (codes.some((code) => DIRECTIVES.has(code))) return true;
  const isOrder = resourceType === 'ServiceRequest';
  if (isOrder && codes.some((code) => RESUSCITATION.has(code))) return true;
  const texts = paths
    .flatMap((path) => textAt(ENGLISH, record, path) ?? [])
    .filter(({ length }) => length <= MAX_LENGTH);
  const says = isOrder || resourceType === 'Consent' ? [NAMED, TREATMENT] : [NAMED];
  return says.some((pattern) => texts.some((one) => pattern.test(one)));
}

/** Statuses of records that are no longer in force, for types other than Condition. */
const OVER = [
  'rejected',
  'inactive',
  'revoked',
  'completed',
  'cancelled',
  'canceled',
  'superseded',
  'not-done',
  'ended',
];
/** Types whose records are in force when they are complete. */
const COMPLETE = ['Procedure', 'Observation'];

/** Returns whether a directive is in force: it was not revoked, replaced or refuted, and has not ended. */
export function isHolding(record: Resource): boolean {
  if (isEnteredInError(record)) return false;
  if (isOfType('Condition', record)) return standingOf(record) === 'standing';
  const statuses = valuesAt(record, 'status').map(normalCode);
  const end = endOf(firstWritten(record, ['provision.period.end', 'period.end']));
  if (end !== undefined && end <= Date.now()) return false;
  return !statuses.some(
    (status) => OVER.includes(status) && !(status === 'completed' && COMPLETE.includes(record.resourceType)),
  );
}

/** The most levels of nested provisions in words. The JSON has all of them. */
const MAX_LEVELS = 4;
const ABOUT_WHAT = ['code', 'action', 'purpose', 'class', 'securityLabel', 'extension.valueCodeableConcept'];

/** Returns the provisions of a consent in words: a permission or a denial, for whom and when, with its exceptions. */
export function provisionText(words: Words, of: unknown, depth = 0): string {
  const texts = valuesAt(of, 'provision').map((one) => {
    const kind = valuesAt(one, 'type').flatMap((type) => (typeof type === 'string' ? plain(words, type) : []));
    const about = [ABOUT_WHAT, ['actor.reference'], ['period']].map((paths) => textAt(words, one, ...paths));
    const said = [kind.join(', '), about.filter(Boolean).join('; ')].filter(Boolean).join(': ');
    const provisions = depth < MAX_LEVELS ? provisionText(words, one, depth + 1) : '';
    return [said, provisions && words.t('except: {provisions}', { provisions })].filter(Boolean).join('; ');
  });
  return texts.filter(Boolean).join(' | ');
}

/** Returns a directive in words: its subject, with the answer of an observation, or the provision of a consent. */
export function directiveText(words: Words, record: Resource): string | undefined {
  const { what, value } = meaningOf(words, record);
  const answer = isOfType('Observation', record) ? value : provisionText(words, record);
  return answer ? clipped([what, answer].filter(Boolean).join(': '), MAX_LENGTH) : what;
}

/** Returns whether a directive is a prohibition, such as one of resuscitation. */
export const isProhibition = (record: Resource): boolean => valuesAt(record, 'doNotPerform').includes(true);

/**
 * Returns the directives among records: prohibitions first, then the newest. If several observations answer one
 * question, only the newest is returned. A document that another one replaces is not in force.
 */
export function directivesAmong(records: readonly Resource[]): Resource[] {
  const isOfPatient = (one: Resource): boolean => !(isOfType('Observation', one) && isOfOther(one));
  const replaced = replacedDocuments(records);
  const holding = records.filter((one) => isDirective(one) && isHolding(one) && isOfPatient(one) && !replaced.has(one));
  const answered = new Set<string>();
  const sorted = newest(holding, (one) => meaningOf(ENGLISH, one).when).sort(
    (a, b) => Number(isProhibition(b)) - Number(isProhibition(a)),
  );
  return sorted.filter((one) => {
    if (!isOfType('Observation', one)) return true;
    const question = `${testCode(one.code) ?? meaningOf(ENGLISH, one).what ?? one.id} ${apartKey(one)}`;
    if (answered.has(question)) return false;
    answered.add(question);
    return true;
  });
}
