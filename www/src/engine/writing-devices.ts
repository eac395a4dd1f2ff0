//! Devices that are the software of a source: what wrote a document, or assembled the records. They are in use by no
//! patient, and no record of one is missing with them.

import { type Members, objectsOf, type PlacedResource, textAt } from './documents.ts';

/** Codes of SNOMED CT: software, and application program software. */
const SOFTWARE = new Set(['706687001', '706689003']);
/** Types of devices in words, such as `Electronic Health Record System`. */
const SOFTWARE_WORDS = /\b(software|health record|medical record|information system|document generator|EHR|EMR)\b/i;

/** Returns whether a device says that it is software, and nothing by which an implant is known. */
function isSoftware({ type, deviceName, udiCarrier }: Members): boolean {
  if (udiCarrier !== undefined) return false;
  const codings = objectsOf(type).flatMap(({ coding }) => objectsOf(coding));
  if (codings.some((coding) => SOFTWARE.has(textAt(coding, 'code')))) return true;
  const kinds = [...objectsOf(type).map((one) => textAt(one, 'text')), ...codings.map((one) => textAt(one, 'display'))];
  // A device without a kind is told by its name.
  const words = kinds.some(Boolean) ? kinds : objectsOf(deviceName).map((one) => textAt(one, 'name'));
  return words.some((one) => SOFTWARE_WORDS.test(one));
}

/** The references of a record to those who wrote or assembled it. */
const writersIn = ({ author, agent, attester, authenticator }: Members): string[] =>
  [
    ...objectsOf(author),
    ...objectsOf(authenticator),
    ...objectsOf(attester).flatMap(({ party }) => objectsOf(party)),
    ...objectsOf(agent).flatMap(({ who, onBehalfOf }) => [...objectsOf(who), ...objectsOf(onBehalfOf)]),
  ]
    .map((one) => textAt(one, 'reference'))
    .filter(Boolean);

/** The types whose records name those who wrote them. */
const WRITTEN = new Set(['Composition', 'Provenance', 'DocumentReference', 'DocumentManifest']);

/** The devices of a load that are the software of its sources. */
export class WritingDevices {
  readonly #devices: { address: string; fullUrl: string; isSoftware: boolean }[] = [];
  readonly #writers = new Set<string>();

  note({ type, id, resource, fullUrl }: PlacedResource): void {
    if (WRITTEN.has(type)) for (const one of writersIn(resource)) this.#writers.add(one);
    if (type !== 'Device' || id === '' || resource.patient !== undefined) return;
    this.#devices.push({ address: `Device/${id}`, fullUrl, isSoftware: isSoftware(resource) });
  }

  /** Their addresses, such as `Device/a`. A device that is in use by a patient is none, whatever it wrote. */
  get addresses(): string[] {
    const isWriter = ({ address, fullUrl }: { address: string; fullUrl: string }): boolean =>
      this.#writers.has(address) || (fullUrl !== '' && this.#writers.has(fullUrl));
    return [...new Set(this.#devices.filter((one) => one.isSoftware || isWriter(one)).map(({ address }) => address))];
  }
}
