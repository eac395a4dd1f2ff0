// The facts about ordered, reported, administered and dispensed medications that a chart must show.

import { dosagesOf, doseFacts } from './dose.mjs';
import { entry, hasCode, saidConcept, saidDate, saidNotes, saidQuantity, wordsOf } from './entry.mjs';
import { isError } from './results.mjs';
import { list, names } from './words.mjs';

/// Codes of the International Patient Summary and of SNOMED CT for "no medication". Such an entry is not a medication.
const NO_MEDICATION = ['no-known-medications', 'no-medication-info', '787481004'];
const STOPPED = ['stopped', 'completed', 'cancelled', 'entered-in-error', 'not-taken', 'ended', 'not-done'];
const UNDECIDED = ['on-hold', 'draft', 'intended', 'unknown'];

/// Returns the names of a medication: of its own code, or of the code of the referenced Medication.
export function medicationNames(record, find) {
  const { resource } = record;
  const own = names(resource.medicationCodeableConcept);
  if (own.length > 0) return own;
  const { reference, display } = resource.medicationReference ?? {};
  const found = names(find(reference, record)?.resource.code);
  return found.length > 0 ? found : display ? [display] : [];
}

const takenOn = (m) => m.effectiveDateTime ?? m.effectivePeriod?.start ?? m.effectivePeriod?.end ?? m.dateAsserted;

/// Returns whether a partial date is over: a day or a year lasts until its end.
const isEnded = (date) => {
  const end = Date.parse(date ?? '');
  const length = { 4: 366, 7: 31, 10: 1 }[date?.length] ?? 0;
  return !Number.isNaN(end) && end + (length + 1) * 86_400_000 < Date.now();
};

/// Returns the checks of a medication record besides its dose: its reason, its supply and its notes.
function about(m) {
  const { quantity } = m.dispenseRequest ?? {};
  return [
    ...saidConcept(m.reasonCode),
    ...saidConcept(m.statusReason),
    ...saidQuantity(quantity),
    ...saidNotes(m.note),
    ...saidDate(m.effectivePeriod?.end),
  ];
}

/// Returns the facts of a pharmacy fill: its date, amount, state and medication, also within the entry of its order.
export function dispenseFacts(record, find) {
  const d = record.resource;
  const wanted = medicationNames(record, find);
  const words = [
    ...saidQuantity(d.quantity, d.daysSupply),
    ...saidConcept(d.statusReasonCodeableConcept),
    ...(isError(d) ? wordsOf('entered-in-error') : []),
  ];
  return [
    entry('fill', record, wanted, d.whenHandedOver ?? d.whenPrepared, { words, in: 'medications' }),
    ...(list(d.authorizingPrescription).length > 0 ? [] : dosagesOf(d))
      .flatMap(doseFacts)
      .map((dose) => entry('dose of a fill', record, wanted, undefined, { words: [dose] })),
  ];
}

/// Normalizes a status. Some systems write it in capitals, with spaces, or in words of their own.
function statusOf({ status }) {
  const code = (status ?? '').trim().toLowerCase().replaceAll(/[ _]/g, '-');
  return ['inactive', 'discontinued', 'not-active'].includes(code) ? 'stopped' : code || undefined;
}

export function medicationFacts(record, find) {
  const status = statusOf(record.resource);
  const m = { ...record.resource, ...(status === undefined ? {} : { status }) };
  const type = m.resourceType;
  const wanted = medicationNames(record, find);
  const date = m.authoredOn ?? takenOn(m);
  const of = (kind, more) => entry(kind, record, wanted, undefined, more);
  if (hasCode(m.medicationCodeableConcept, NO_MEDICATION)) return [of('medication')];
  if (isError(m)) return [of('medication', { words: wordsOf('entered-in-error') })];
  if (m.doNotPerform === true || m.status === 'not-taken') {
    const words = [{ what: 'not to be taken', holds: (text) => /\bnot\b|avoid|never/.test(text) }];
    return [of('medication not to be taken', { words, withGroup: true })];
  }
  const isOrder = type === 'MedicationRequest';
  const isPlan = isOrder && ['proposal', 'option'].includes(m.intent?.toLowerCase());
  const isOver = STOPPED.includes(m.status) || (type === 'MedicationAdministration' && m.status !== 'in-progress');
  const doses = dosagesOf(m).flatMap(doseFacts);
  const dosed = [
    ...doses.map((dose) => of('dose', { words: [dose] })),
    ...about(m).map((word) => of('reason, supply or note of a medication', { date, words: [word] })),
  ];
  // A reported medication ends with its period, whatever its status, and the page says that it has ended.
  if (type === 'MedicationStatement' && isEnded(m.effectivePeriod?.end)) {
    const words = [{ what: 'ended', holds: (text) => /ended|past/.test(text) }];
    return [of('medication', { date, words }), ...dosed];
  }
  const isGiven = type === 'MedicationAdministration';
  if (isOver) return [of(isGiven ? 'administration' : 'medication', { date }), ...(isGiven ? dosed : [])];
  const isReported = m.reportedBoolean === true || m.reportedReference !== undefined;
  const planned = { ...of('planned medication at a glance'), is: 'planned at a glance', tile: 'medications' };
  if (isPlan || UNDECIDED.includes(m.status)) {
    const isPlanned = (isPlan && !isReported) || ['draft', 'intended'].includes(m.status);
    return [of('medication', { date }), ...(isPlanned ? [planned] : []), ...dosed];
  }
  return [
    of('current medication', { isPlain: true, in: 'medications' }),
    { ...of('medication at a glance'), is: 'at a glance', tile: 'medications' },
    ...dosed,
  ];
}
