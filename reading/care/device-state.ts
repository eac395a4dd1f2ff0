//! The state of a device: in use, planned or past, by the records of its use and by procedures on it.

import { absenceOf } from '../fhir/absence.ts';
import { isModified } from '../fhir/certainty.ts';
import { instant, newest, period, periodDate, procedureDate, shortDate } from '../fhir/date.ts';
import { firstWritten, textAt, valuesAt } from '../fhir/element-text.ts';
import { conceptIn, periodIn, referenceIn } from '../fhir/loose.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { normalCode } from '../fhir/status-code.ts';
import { concept, isEnteredInError, statusText } from '../fhir/text.ts';
import { type Device, ofType, type Procedure, type Resource } from '../fhir/types.ts';
import { joined, joinedBy } from '../joined.ts';
import { ENGLISH, type Words } from '../language/words.ts';

/** A statement on a device by another record. */
interface DeviceFact {
  of: Resource;
  says: string;
}

export interface DeviceState {
  /** The date of the latest implantation or use, as written. */
  when: string | undefined;
  state: 'current' | 'planned' | 'past' | 'error';
  /** The statement that decides on the state. */
  tag: string | undefined;
  facts: DeviceFact[];
  /** True if its profile, a carrier of UDI, its type or a procedure says that it is within the patient. */
  isImplant: boolean;
}

const IMPLANT = /implant|pacemaker|marcapasos|stent|prosthe(?:sis|tic)|pr[oó]tesis|defibrillator|desfibrilador/i;
const isImplant = (device: Device): boolean =>
  absenceOf(ENGLISH, device.type) === undefined &&
  (valuesAt(device, 'udiCarrier').length > 0 ||
    [...valuesAt(device, 'meta.profile'), textAt(ENGLISH, device, 'type')].some(
      (said) => typeof said === 'string' && IMPLANT.test(said),
    ));

/** An action of a procedure on a device. */
interface Action {
  procedure: Procedure;
  is: 'out' | 'in' | 'other';
  says: string;
  on: string | undefined;
}

const OUT = /explant|remov|extract|retir|retrait|extra[ií]|entfern|entnahme|ausbau|ablation d|d[ée]pose\b|verwijder/i;
const IN = /implant|insert|coloca|place|inser/i;
/** Words of an action that did not take place, or did not succeed. */
const UNDONE = /\b(?:not|no|never|without|failed|attempt\w*|unsuccessful\w*|nicht|sin|fallid[ao]|intento)\b/i;
/** The statuses of procedures that were done, or are being done; also of those without a status. */
const DONE = ['completed', 'in-progress', ''];

/** Returns what procedures that were done did to a device, the latest last. */
function actionsOn(words: Words, address: string, procedures: readonly Procedure[]): Action[] {
  return procedures
    .filter(({ status }) => DONE.includes(normalCode(status)))
    .flatMap((procedure) =>
      valuesAt(procedure, 'focalDevice')
        .filter((one) => referredAddress(referenceIn(valuesAt(one, 'manipulated')[0])?.reference) === address)
        .map((one): Action => {
          const action = conceptIn(valuesAt(one, 'action')[0]);
          const said = [concept(ENGLISH, action ?? procedure.code), ...valuesAt(action, 'coding.code')].join(' ');
          const on = procedureDate(procedure);
          const name = concept(words, action) ?? concept(words, procedure.code) ?? words.t('Procedure');
          const is =
            UNDONE.test(said) || isModified(procedure)
              ? 'other'
              : OUT.test(said)
                ? 'out'
                : IN.test(said)
                  ? 'in'
                  : 'other';
          return { procedure, is, on, says: joinedBy(' ', words.translated(name), shortDate(words, on)) };
        }),
    )
    .sort((a, b) => (instant(a.on) ?? Number.NEGATIVE_INFINITY) - (instant(b.on) ?? Number.NEGATIVE_INFINITY));
}

const OVER = ['completed', 'stopped', 'not-done'];
const statusOf = (use: Resource): string => normalCode(valuesAt(use, 'status')[0]);

/** Returns the state of a use: by its status, or else by the end of its time. */
function stateOfUse(use: Resource): DeviceState['state'] {
  const status = statusOf(use);
  if (isEnteredInError(use)) return 'error';
  if (OVER.includes(status)) return 'past';
  if (status === 'intended') return 'planned';
  const end = instant(periodIn(valuesAt(use, 'timingPeriod')[0])?.end);
  return status === '' && end !== undefined && end < Date.now() ? 'past' : 'current';
}

/** Returns a use in words: its time, its status, its adherence, its site and its reason. */
function useText(words: Words, use: Resource): string {
  const span = periodIn(valuesAt(use, 'timingPeriod')[0]);
  const time = period(words, span) || textAt(words, use, 'timingDateTime', 'timingTiming');
  const status = statusOf(use);
  const isUsed = status !== 'intended' && status !== 'not-done';
  const used = !isUsed ? time : time ? words.t('used {time}', { time }) : words.t('used, no date');
  return joined(
    used,
    status === 'active' ? '' : statusText(words, status || 'unknown'),
    textAt(words, use, 'usageStatus', 'usageReason', 'adherence.code', 'adherence.reason'),
    textAt(words, use, 'bodySite', 'reasonCode', 'note'),
  );
}

const dateOfUse = (use: Resource): string | undefined =>
  periodDate(periodIn(valuesAt(use, 'timingPeriod')[0])) ?? firstWritten(use, ['timingDateTime', 'recordedOn']);

/** Returns the state of a device, with the statement that decides it: the latest action, or else its uses. */
function stateOf(
  words: Words,
  device: Device | undefined,
  actions: Action[],
  uses: readonly Resource[],
): Pick<DeviceState, 'state' | 'tag'> {
  if (device && isEnteredInError(device)) return { state: 'error', tag: undefined };
  const last = actions.findLast(({ is }) => is !== 'other');
  const outOn = last?.is === 'out' ? instant(last.on) : undefined;
  const states = uses.filter((use) => stateOfUse(use) !== 'error').map((use) => ({ use, state: stateOfUse(use) }));
  const isUsedLater = states.some(
    ({ use, state }) => state === 'current' && (instant(dateOfUse(use)) ?? -Infinity) > (outOn ?? Infinity),
  );
  if (last?.is === 'out' && !isUsedLater) return { state: 'past', tag: last.says };
  const state = (['current', 'planned', 'past'] as const).find((one) => states.some(({ state }) => state === one));
  const use = states.find((one) => one.state === state)?.use;
  if (device?.status === 'inactive' && state !== 'current') return { state: 'past', tag: undefined };
  if (state === undefined) return { state: uses.length > 0 && !device ? 'error' : 'current', tag: last?.says };
  // An implanted device stays current, although the records of its use have ended.
  if (state === 'past' && last?.is === 'in') return { state: 'current', tag: last.says };
  return { state, tag: state === 'current' ? last?.says : use && useText(words, use) };
}

/** Returns the `Type/id` of the device of a use; that of the use, if it names none. */
export const deviceOfUse = (use: Resource): string =>
  referredAddress(referenceIn(valuesAt(use, 'device')[0])?.reference) || recordAddress(use);

/** Returns the state of a device at an address, by its uses and by procedures. */
export function deviceState(
  words: Words,
  address: string,
  device: Device | undefined,
  uses: readonly Resource[],
  procedures: readonly Procedure[],
): DeviceState {
  const actions = actionsOn(words, address, procedures);
  const dates = [...actions.map(({ on }) => on), ...uses.map(dateOfUse)].filter((on) => on !== undefined);
  return {
    when: newest(dates, (on) => on)[0] ?? device?.manufactureDate,
    ...stateOf(words, device, actions, uses),
    facts: [
      ...uses.map((use) => ({ of: use, says: useText(words, use) })),
      ...actions.map(({ procedure, says }) => ({ of: procedure, says })),
    ],
    isImplant: (device !== undefined && isImplant(device)) || actions.some(({ is }) => is === 'in'),
  };
}

/** Returns the statement by which a device is no longer in use, or not yet, among some records. */
export function deviceCaution(words: Words, device: Device, records: readonly Resource[]): string | undefined {
  const address = recordAddress(device);
  const isUse = (one: Resource): boolean => one.resourceType === 'DeviceUseStatement' && deviceOfUse(one) === address;
  const procedures = ofType('Procedure', records);
  const { state, tag } = deviceState(words, address, device, records.filter(isUse), procedures);
  return state === 'past' || state === 'planned' ? tag : undefined;
}
