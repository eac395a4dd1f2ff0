//! The user's own files: chosen, loaded into the engine's thread, and kept there until they are closed or the user
//! leaves the page. Nothing in them is stored.

import { signal } from '@preact/signals-core';
import { parsed } from '#reading/fhir/json.ts';
import { isOfType, type Patient } from '#reading/fhir/types.ts';
import { own } from '#reading/own.ts';
import { forgetIds } from '../aliases.ts';
import { engine, engineErrorText, loadIntoEngine, stopEngine } from '../engine/client.ts';
import type { KnownPerson, LoadProgress, NamedFile, SamePeople } from '../engine/load/file-report.ts';
import type { LoadedFiles } from '../engine/types.ts';
import { dropLocalExchanges } from '../http/log.ts';
import { mendedResource } from './lenient.ts';
import { beginCount } from './sent.ts';

/** The most patients whose ids are read at once. One patient opens the chart; several open a list. */
const FIRST_PATIENTS = 1;

export interface OpenFiles {
  is: 'open';
  /** The number of the load. */
  load: number;
  report: LoadedFiles;
  /** The id of the first patient. */
  patient: string | undefined;
  /** The only patient, if there is no other, not even one who is only referenced. */
  person?: Patient;
  /** The files, and the number of others in the chosen folders, which were not read. */
  choice: Choice;
  /** The pairs of people whom the user merged. */
  same: readonly SamePeople[];
  /** True while the files are read again. */
  isReading?: true;
}

export interface FailedFiles {
  is: 'failed';
  why: string;
  /** The files that were to be opened. */
  choice: Choice;
}

type FilesState =
  | { is: 'closed'; why?: 'cancelled' | 'closed' }
  /** Without progress, the app itself is being prepared. */
  | { is: 'opening'; files: number; progress?: LoadProgress }
  | FailedFiles
  | OpenFiles;

export const files = signal<FilesState>({ is: 'closed' });
let loads = 0;

/** The files of a choice, and the number of unread files in the chosen folders. */
export interface Choice {
  files: NamedFile[];
  leftOut: number;
}

/** Loads files in place of the open ones. `prepare` fetches what shows them, before requests are counted. */
export async function openFiles(choice: Choice, prepare: () => Promise<void>): Promise<void> {
  const { files: list } = choice;
  // Only the end of the thread stops a load in progress; open files are replaced within the thread.
  if (files.value.is === 'opening') stopEngine();
  if (files.value.is === 'open') dropLocalExchanges();
  const load = ++loads;
  const set = (state: FilesState): void => {
    if (load === loads) files.value = state;
  };
  set({ is: 'opening', files: list.length });
  try {
    await Promise.all([prepare(), engine('start')]);
    if (load !== loads) return;
    beginCount();
    const say = (progress: LoadProgress): void => set({ is: 'opening', files: list.length, progress });
    set({ load, choice, ...(await loaded(list, [], say)) });
  } catch (error) {
    if (load !== loads) return;
    stopEngine();
    set(failedBy(error, choice));
  }
}

const failedBy = (error: unknown, choice: Choice): FailedFiles => ({
  is: 'failed',
  why: engineErrorText(error),
  choice,
});

/** Loads files, and reads their patients. */
async function loaded(
  list: NamedFile[],
  same: readonly SamePeople[],
  say: (progress: LoadProgress) => void,
): Promise<Omit<OpenFiles, 'load' | 'choice'>> {
  const report = await loadIntoEngine(list, [...same], say);
  const { value } = await engine('ids', 'files', 'Patient', FIRST_PATIENTS);
  const [patient] = value.ids;
  const person = patient !== undefined && chartsIn(report) === 1 ? await personOf(patient) : undefined;
  return { is: 'open', report, same, patient: patient ?? report.absentPatients[0], ...(person ? { person } : {}) };
}

/** Reads the files again, with these people merged. The new number of the load makes them another source. */
async function readAgain(same: readonly SamePeople[]): Promise<void> {
  const { value } = files;
  if (value.is !== 'open' || value.isReading) return;
  const { choice } = value;
  const before: OpenFiles = { ...value, isReading: true };
  files.value = before;
  try {
    const again = await loaded(choice.files, same, () => undefined);
    if (files.value === before) files.value = { load: ++loads, choice, ...again };
  } catch (error) {
    if (files.value !== before) return;
    stopEngine();
    files.value = failedBy(error, choice);
  }
}

/** Puts the records of another person into the chart of one, after the user declared that they are one person. */
export async function mergePeople(kept: KnownPerson, other: KnownPerson): Promise<void> {
  if (files.value.is === 'open') await readAgain([...files.value.same, { kept, other }]);
}

/** Reverses the merging of two people. */
export async function separatePeople(merged: SamePeople): Promise<void> {
  if (files.value.is === 'open') await readAgain(files.value.same.filter((one) => one !== merged));
}

/** Returns the Patient with an id; `undefined` if it cannot be read. */
async function personOf(id: string): Promise<Patient | undefined> {
  try {
    const { value } = await engine('read', 'files', 'Patient', id, undefined);
    const { resource } = mendedResource(parsed(value)) ?? {};
    return isOfType('Patient', resource) ? resource : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the ids of patients with records in the open files but without a Patient resource. */
export const absentPatients = (): readonly string[] =>
  files.value.is === 'open' ? files.value.report.absentPatients : [];

/** Returns the number of the records of such a patient. */
export const absentRecords = (id: string): number =>
  files.value.is === 'open' ? (own(files.value.report.absentRecords, id) ?? 0) : 0;

/** A patient of open files, and another patient who may be the same person. */
export interface Pair {
  own: KnownPerson;
  other: KnownPerson;
}

/** Returns the other people of the files who may be this patient. No record confirms that they are. */
export function similarPeople(patient: string): Pair[] {
  const { value } = files;
  if (value.is !== 'open') return [];
  const pairs = value.report.alike.flatMap((group) => {
    const own = group.find((one) => one.patient === patient);
    const others = own ? group.filter((one) => one !== own) : [];
    return others.flatMap((other) => (own ? { own, other } : []));
  });
  return [...new Map(pairs.map((one) => [one.other.patient, one])).values()];
}

/** Returns the people whose records the user merged into the chart of a patient. */
export function sameAs(patient: string): readonly SamePeople[] {
  const own = files.value.is === 'open' ? files.value.same.filter(({ kept }) => kept.patient === patient) : [];
  return own.flatMap((one) => [one, ...sameAs(one.other.patient)]);
}

/** Returns the number of patients who have a chart. */
export const chartsIn = ({ counts, absentPatients }: LoadedFiles): number =>
  (counts.Patient ?? 0) + absentPatients.length;

/** Ends a load, or closes the open files. The thread ends too, since nothing else frees its memory. */
export function closeFiles(): void {
  const { is } = files.value;
  if (is !== 'opening' && is !== 'open') return;
  loads += 1;
  stopEngine();
  dropLocalExchanges();
  forgetIds();
  files.value = { is: 'closed', why: is === 'open' ? 'closed' : 'cancelled' };
}
