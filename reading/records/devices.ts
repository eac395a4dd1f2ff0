//! The devices of a patient, each with its state.

import { type DeviceState, deviceOfUse, deviceState } from '../care/device-state.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { referenceIn } from '../fhir/loose.ts';
import { recordAddress } from '../fhir/record-address.ts';
import { reference } from '../fhir/text.ts';
import { type Device, isOfType, type Procedure, type Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { meaningOf } from './meaning.ts';
import type { KnownRecords } from './reasons.ts';

/** A device, or the use of one that is not here. */
export interface DeviceEntry extends DeviceState {
  record: Resource;
  device: Device | undefined;
  title: string;
}

/** Returns the devices of a patient: the patient's own, and those that are used. */
export function devicesOf(
  words: Words,
  devices: readonly Device[],
  uses: readonly Resource[],
  procedures: readonly Procedure[],
  known: KnownRecords,
): DeviceEntry[] {
  const usesOf = Map.groupBy(uses, deviceOfUse);
  const all = new Map<string, Device | undefined>(devices.map((one) => [recordAddress(one), one]));
  for (const address of usesOf.keys()) {
    const found = known.find(address);
    if (!all.has(address)) all.set(address, isOfType('Device', found) ? found : undefined);
  }
  return [...all].flatMap(([address, device]) => {
    const used = usesOf.get(address) ?? [];
    const record = device ?? used[0];
    if (!record) return [];
    const named = device ? meaningOf(words, device).what : reference(words, referenceIn(valuesAt(record, 'device')[0]));
    const title = named ?? words.t('Device');
    return { record, device, title, ...deviceState(words, address, device, used, procedures) };
  });
}
