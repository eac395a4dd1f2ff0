//! The certainty and the state of records, in words: what was refuted, not done, only planned, preliminary, over, or
//! entered by mistake must never read like a plain fact. The codes are those of the value sets of FHIR R4, such as
//! <https://hl7.org/fhir/R4/valueset-condition-ver-status.html>, also where a text or a display says them. Another
//! status is shown in its own words, and its record counts as standing.

import { ENGLISH, type Words } from '../language/words.ts';
import { instant } from './date.ts';
import { extensionsIn } from './extension-words.ts';
import { requestStatus, statementStatus } from './request-state.ts';
import { normalCode, statusesIn } from './status-code.ts';
import { codeOf, concept, isEnteredInError, statusText } from './text.ts';
import { type Concept, type Condition, isOfType, type Resource } from './types.ts';

/** `over`: inactive or resolved. `refuted`: ruled out. `error`: entered by mistake. */
export type Standing = 'standing' | 'over' | 'refuted' | 'error';

/** Codes of a clinical status by which a condition or allergy is over, and such by which it is not. */
const OVER = ['inactive', 'resolved'];
const GOING = ['active', 'recurrence', 'relapse', 'remission'];
const CLINICAL = [...GOING, ...OVER];

/** A condition or an allergy, as far as its standing depends on it. */
type Judged = Resource &
  Partial<Pick<Condition, (typeof ENDS)[number]>> & {
    clinicalStatus?: Concept;
    verificationStatus?: Concept;
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

/** Returns whether a record has an end in some form; a date that is ahead is none. */
function hasEnd(of: Judged, forms: readonly (typeof ENDS)[number][] = ENDS): boolean {
  const at = instant(of.abatementDateTime ?? of.abatementPeriod?.start ?? of.abatementPeriod?.end);
  if (at !== undefined) return at <= Date.now();
  return forms.some((name) => of[name] !== undefined && of[name] !== false && of[name] !== '');
}

/** Returns whether a record without a clinical status says that it is over. Words may say that it is not. */
const hasEnded = (of: Judged): boolean =>
  concept(ENGLISH, of.clinicalStatus) === undefined &&
  hasEnd(
    of,
    ENDS.filter((name) => name !== 'abatementString'),
  );

/**
 * The standing of a condition or an allergy. Where its codes contradict each other, it stands. Where it has no clinical
 * status, it is over if an end is recorded (<https://hl7.org/fhir/R4/condition.html#con-4>).
 */
export function standingOf(of: Judged): Standing {
  if (isEnteredInError(of)) return 'error';
  if (statusesIn(of.verificationStatus, ['refuted']).length > 0) return 'refuted';
  const codes = statusesIn(of.clinicalStatus, CLINICAL);
  if (hasEnded(of)) return 'over';
  return codes.some((code) => OVER.includes(code)) && !codes.some((code) => GOING.includes(code)) ? 'over' : 'standing';
}

/** A status that is a concept: the code of its value set, else its own words. */
const said = (value: Concept | undefined, known: string[]): string | undefined =>
  statusesIn(value, known)[0] ?? concept(ENGLISH, value);

const VERIFICATION = ['unconfirmed', 'provisional', 'differential', 'confirmed', 'refuted', 'entered-in-error'];

/** The addition of an end that is recorded to a clinical status that says nothing of it. */
function endOf(of: Judged): string | undefined {
  if (hasEnded(of)) return 'ended';
  if (!hasEnd(of)) return undefined;
  if (concept(ENGLISH, of.clinicalStatus) === undefined) return 'an end is recorded';
  const isGoing = statusesIn(of.clinicalStatus, CLINICAL).some((code) => code !== 'remission' && GOING.includes(code));
  return isGoing ? 'an end is recorded' : undefined;
}

/**
 * The clinical and the verification status, as far as they are not `active` and `confirmed`, and an end that is
 * recorded beside them, in codes and words.
 */
export function conditionStatus(of: Judged): string[] {
  const clinical = said(of.clinicalStatus, CLINICAL);
  const verification = said(of.verificationStatus, VERIFICATION);
  return [
    clinical === 'active' ? undefined : clinical,
    verification === 'confirmed' ? undefined : verification,
    endOf(of),
  ].flatMap((code) => code ?? []);
}

/** The statuses that go without saying, of all types. */
const USUAL = [
  'active',
  'completed',
  'final',
  'amended',
  'corrected',
  'appended',
  'current',
  'finished',
  'accepted',
  'available',
  'fulfilled',
];

/** Intents by which a request is not yet ordered. A care plan and a task are plans by their nature. */
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

/** A status: one that goes without saying as its code, and another as it is written. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const code = normalCode(value);
  return USUAL.includes(code) ? code : value;
}

/** The codes by which a record is not a plain fact, without those that go without saying. */
function statusCodes(resource: Resource & Stated): string[] {
  if (isEnteredInError(resource)) return ['entered-in-error'];
  if (isOfType('Condition', resource) || isOfType('AllergyIntolerance', resource)) return conditionStatus(resource);
  if (isOfType('MedicationRequest', resource) || isOfType('ServiceRequest', resource))
    return requestStatus(resource)?.split(', ') ?? ['unknown'];
  if (isOfType('MedicationStatement', resource)) return statementStatus(resource)?.split(', ') ?? ['unknown'];
  if (isOfType('Immunization', resource) && resource.status === 'not-done') return ['not given'];
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

/**
 * What changes the meaning of a record in a way that is not understood, such as an extension by which it is stopped.
 */
export function modifierText(words: Words, resource: Resource & { modifierExtension?: unknown }): string | undefined {
  const names = extensionsIn(words, resource.modifierExtension).map(({ words }) => words);
  return names.length > 0
    ? words.t('changed by something not understood: {names}', { names: words.listed(names) })
    : undefined;
}

/**
 * The words that must stand beside the name of a record wherever it stands alone; nothing for a plain fact.
 */
export function cautionOf(words: Words, resource: Resource): string | undefined {
  const codes = statusCodes(resource).filter((code) => !USUAL.includes(code));
  const texts = [...new Set(codes)].map((code) => statusText(words, code));
  return [...texts, modifierText(words, resource)].filter(Boolean).join(', ') || undefined;
}

/** The code of the status of a record, of whatever type, as it is. */
export function statusOf(resource: Resource & Stated & { clinicalStatus?: Concept }): string | undefined {
  return text(resource.status) ?? text(resource.lifecycleStatus) ?? codeOf(resource.clinicalStatus);
}
