//! The certainty and the state of records, in words: a record that was refuted, not done, only planned, preliminary,
//! over, or entered in error must never read like a plain fact. The codes are those of the value sets of FHIR R4, as in
//! <https://hl7.org/fhir/R4/valueset-condition-ver-status.html>, including those written as a text or a display. Any
//! other status is shown in its own words, and its record counts as valid and current.

import { kept } from '../kept.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, isShaped, itemsOf } from '../shape.ts';
import { instant } from './date.ts';
import { pathLabel } from './element-labels.ts';
import { firstWritten, textAt, valuesAt } from './element-text.ts';
import { extensionsIn } from './extension-words.ts';
import { textIn } from './loose.ts';
import { requestStatus, statementStatus } from './request-state.ts';
import { isCancelled, normalCode, statusesIn } from './status-code.ts';
import { codeOf, concept, isEnteredInError, references, statusText } from './text.ts';
import * as fhir from './types.ts';

/** `over`: inactive or resolved. `refuted`: ruled out. `error`: entered in error. `standing`: none of these. */
export type Standing = 'standing' | 'over' | 'refuted' | 'error';

/** Codes of a clinical status that end a condition or an allergy. `GOING` has the codes that do not. */
const OVER = ['inactive', 'resolved'];
const GOING = ['active', 'recurrence', 'relapse', 'remission'];
const CLINICAL = [...GOING, ...OVER];

/** The elements of a condition or an allergy that determine its standing. */
type Judged = fhir.Resource &
  Partial<Pick<fhir.Condition, (typeof ENDS)[number]>> & {
    clinicalStatus?: fhir.Concept;
    verificationStatus?: fhir.Concept;
    status?: string;
  };

const ENDS = [
  'abatementDateTime',
  'abatementPeriod',
  'abatementAge',
  'abatementRange',
  'abatementString',
  'abatementBoolean',
] as const;

/** Returns whether a record has an end in one of these forms; a future date is not an end. */
function hasEnd(of: Judged, forms: readonly (typeof ENDS)[number][] = ENDS): boolean {
  const at = instant(of.abatementDateTime ?? of.abatementPeriod?.start ?? of.abatementPeriod?.end);
  if (at !== undefined) return at <= Date.now();
  return forms.some((name) => of[name] !== undefined && of[name] !== false && of[name] !== '');
}

/** Returns whether a record without a clinical status has ended. Its words may state that it has not. */
const hasEnded = (of: Judged): boolean =>
  concept(ENGLISH, of.clinicalStatus) === undefined &&
  hasEnd(
    of,
    ENDS.filter((name) => name !== 'abatementString'),
  );

/** The letters for the certainty of a diagnosis in the extension of German profiles, as codes of a status. */
const LETTERS: Readonly<Record<string, string>> = { A: 'refuted', V: 'provisional', G: 'confirmed', Z: 'resolved' };
const CERTAINTY = /diagnosesicherheit$/i;

/** Returns the known codes that the letters beside the codes of a diagnosis mean. */
const lettersIn = (of: Judged, known: readonly string[]): string[] =>
  valuesAt(of, 'code.coding.extension')
    .filter((one) => CERTAINTY.test(firstWritten(one, ['url']) ?? ''))
    .flatMap((one) => own(LETTERS, firstWritten(one, ['valueCoding.code', 'valueCode']) ?? '') ?? [])
    .filter((code) => known.includes(code));

/** Returns the known codes of a status of a condition or an allergy. */
const codesIn = (of: Judged, name: 'clinicalStatus' | 'verificationStatus', known: readonly string[]): string[] => [
  ...statusesIn(of[name], known),
  ...lettersIn(of, known),
];

/**
 * Returns the standing of a condition or an allergy. If its codes contradict each other, it is `standing`. Without a
 * clinical status, it is `over` if an end is recorded (<https://hl7.org/fhir/R4/condition.html#con-4>).
 */
export function standingOf(of: Judged): Standing {
  if (isEnteredInError(of)) return 'error';
  const verification = codesIn(of, 'verificationStatus', ['refuted', 'confirmed']);
  if (verification.includes('refuted') && !verification.includes('confirmed')) return 'refuted';
  const codes = codesIn(of, 'clinicalStatus', CLINICAL);
  if (hasEnded(of)) return 'over';
  return codes.some((code) => OVER.includes(code)) && !codes.some((code) => GOING.includes(code)) ? 'over' : 'standing';
}

/** Returns a status: the code of its value set, or else its own words, and what the code of the diagnosis adds. */
const said = (of: Judged, name: 'clinicalStatus' | 'verificationStatus', known: string[]): string[] => [
  ...[statusesIn(of[name], known)[0] ?? concept(ENGLISH, of[name]) ?? []].flat(),
  ...lettersIn(of, known),
];

const VERIFICATION = ['unconfirmed', 'provisional', 'differential', 'confirmed', 'refuted', 'entered-in-error'];

/** Returns the recorded end as an addition to a clinical status that does not mention it. */
function endOf(of: Judged): string | undefined {
  if (hasEnded(of)) return 'ended';
  if (!hasEnd(of)) return undefined;
  if (concept(ENGLISH, of.clinicalStatus) === undefined) return 'an end is recorded';
  const isGoing = statusesIn(of.clinicalStatus, CLINICAL).some((code) => code !== 'remission' && GOING.includes(code));
  return isGoing ? 'an end is recorded' : undefined;
}

/**
 * Returns the clinical and the verification status, unless they are `active` and `confirmed`, and an end that is
 * recorded in addition, in codes and words.
 */
export function conditionStatus(of: Judged): string[] {
  const clinical = said(of, 'clinicalStatus', CLINICAL).filter((code) => code !== 'active');
  const verification = said(of, 'verificationStatus', VERIFICATION).filter((code) => code !== 'confirmed');
  return [...new Set([...clinical, ...verification, ...[endOf(of) ?? []].flat()])];
}

/** The statuses of all types that need no mention. */
const USUAL = ['active', 'completed', 'final', 'current', 'finished', 'accepted', 'available', 'fulfilled'];

/** Intents of requests that are not yet ordered. A care plan and a task are plans by nature. */
const PROPOSED = ['proposal', 'plan', 'option'];
const PLANS = ['CarePlan', 'Task', 'RequestGroup'];

interface Stated {
  status?: unknown;
  lifecycleStatus?: unknown;
  docStatus?: unknown;
  intent?: unknown;
  doNotPerform?: unknown;
  actuality?: unknown;
  active?: unknown;
  isSubpotent?: unknown;
}

/** Returns a status: its code if it needs no mention, or else the status as written. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const code = normalCode(value);
  return USUAL.includes(code) ? code : value;
}

/** Returns the codes by which a record is not a plain fact, without those that need no mention. */
function statusCodes(resource: fhir.Resource & Stated): string[] {
  if (isEnteredInError(resource)) return ['entered-in-error'];
  if (fhir.isOfType('Condition', resource) || fhir.isOfType('AllergyIntolerance', resource))
    return conditionStatus(resource);
  if (fhir.isOfType('MedicationRequest', resource) || fhir.isOfType('ServiceRequest', resource))
    return requestStatus(resource)?.split(', ') ?? ['unknown'];
  if (fhir.isOfType('MedicationStatement', resource)) return statementStatus(resource)?.split(', ') ?? ['unknown'];
  if (fhir.isOfType('Immunization', resource) && resource.status === 'not-done') return ['not given'];
  const { resourceType, status, lifecycleStatus, docStatus, intent, doNotPerform, actuality, active } = resource;
  const planned = text(intent);
  const isPlan = planned !== undefined && PROPOSED.includes(planned);
  return [
    text(status) ?? text(lifecycleStatus),
    text(docStatus),
    isPlan && !(planned === 'plan' && PLANS.includes(resourceType)) ? planned : undefined,
    doNotPerform === true ? 'do not perform' : undefined,
    active === false ? 'inactive' : undefined,
    resource.isSubpotent === true ? 'subpotent' : undefined,
    ...(resourceType === 'AdverseEvent' && actuality === 'potential' ? ['potential', 'did not happen'] : []),
  ].flatMap((code) => code ?? []);
}

/** Elements whose modifiers are shown elsewhere: contained records show their own, and dosages have words for them. */
const TOLD_ELSEWHERE = ['contained', 'dosage', 'dosageInstruction', 'extension'];

function hasModifier(of: unknown): boolean {
  if (typeof of !== 'object' || of === null) return false;
  if (Array.isArray(of)) return of.some(hasModifier);
  const members = of as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const value = members[name];
    if (name === 'modifierExtension' ? itemsOf(value).length > 0 : !TOLD_ELSEWHERE.includes(name) && hasModifier(value))
      return true;
  }
  return false;
}

/** Returns the rules by which a record was made, which must be understood (`Resource.implicitRules`). */
const rulesOf = (resource: fhir.Resource): string | undefined =>
  'implicitRules' in resource ? textIn(resource.implicitRules) : undefined;

/** Returns whether the meaning of a record is changed in a way that is not understood, so that it is no plain fact. */
export const isModified = kept(
  (resource: fhir.Resource): boolean => rulesOf(resource) !== undefined || hasModifier(resource),
);

/** Returns whether a result counts: it is neither in error nor cancelled, nor changed in an unknown way. */
export const isCounted = (result: fhir.Observation): boolean =>
  !isEnteredInError(result) && !isCancelled(result.status) && !isModified(result);

/** Returns the modifier extensions in words: those of a record, and those of its elements with their names. */
function modifiersIn(words: Words, type: string, of: unknown, path: string): string[] {
  if (Array.isArray(of)) return of.flatMap((one) => modifiersIn(words, type, one, path));
  if (!isObject(of)) return [];
  return Object.entries(of).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null || TOLD_ELSEWHERE.includes(name)) return [];
    if (name !== 'modifierExtension') return modifiersIn(words, type, value, path ? `${path}.${name}` : name);
    const said = extensionsIn(words, value).map(({ words }) => words);
    return path ? said.map((one) => `${pathLabel(words, type, path).toLowerCase()}: ${one}`) : said;
  });
}

/**
 * Returns the words for modifier extensions and rules, which change the meaning of a record, or of a part of it, in a
 * way that is not understood.
 */
export function modifierText(words: Words, resource: fhir.Resource): string | undefined {
  if (!isModified(resource)) return undefined;
  const rules = rulesOf(resource);
  const names = [
    ...new Set(modifiersIn(words, resource.resourceType, resource, '')),
    ...(rules ? [words.t('the rules {rules}', { rules })] : []),
  ];
  return names.length > 0
    ? words.t('changed by something not understood: {names}', { names: words.listed(names) })
    : undefined;
}

/** Returns whom or what a procedure or an order of R5 is about, if not its subject. Results have words of their own. */
export function focusText(words: Words, resource: fhir.Resource): string[] {
  if (!['Procedure', 'ServiceRequest'].includes(resource.resourceType)) return [];
  const subject = firstWritten(resource, ['subject.reference']) ?? '';
  const others = valuesAt(resource, 'focus').filter(
    (one) => isShaped(fhir.referenceShape, one) && one.reference !== subject,
  );
  const what = references(words, others as fhir.Reference[]);
  return what ? [words.t('about: {what}', { what })] : [];
}

/** Returns what US Core says beside an order of whether the medication is taken, in its own words. */
export function adherenceText(words: Words, resource: fhir.Resource): string[] {
  const within = (of: unknown, url: RegExp): object[] =>
    valuesAt(of, 'extension').filter((one) => isObject(one) && url.test(String(one.url))) as object[];
  return within(resource, /\/us-core-medication-adherence$/)
    .flatMap((one) => within(one, /^medicationAdherence$/))
    .flatMap((one) => textAt(words, one, 'valueCodeableConcept') ?? []);
}

/** Returns the words for the statuses of a record, unless they are the usual ones, and for whom it is about. */
export function statusCaution(words: Words, resource: fhir.Resource): string | undefined {
  const codes = statusCodes(resource).filter((code) => !USUAL.includes(code));
  const said = [...new Set(codes)].map((code) => statusText(words, code));
  return [...said, ...adherenceText(words, resource), ...focusText(words, resource)].join(', ') || undefined;
}

/** Returns the words that must stand by the name of a record wherever it is alone; `undefined` for a plain fact. */
export const cautionOf = (words: Words, resource: fhir.Resource): string | undefined =>
  [statusCaution(words, resource), modifierText(words, resource)].filter(Boolean).join(', ') || undefined;

/** Returns the unchanged code of the status of a record of any type. */
export function statusOf(resource: fhir.Resource & Stated & { clinicalStatus?: fhir.Concept }): string | undefined {
  return text(resource.status) ?? text(resource.lifecycleStatus) ?? codeOf(resource.clinicalStatus);
}

/** Returns whether an alert is in force. An alert without a status, or with an unknown one, is. */
export const isInForce = (flag: fhir.Flag): boolean => flag.status !== 'inactive' && !isEnteredInError(flag);
