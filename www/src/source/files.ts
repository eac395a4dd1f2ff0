//! The user's own files: chosen, loaded into the engine's thread, and held there until they are closed or the page is
//! left. Nothing of them is kept.

import { signal } from '@preact/signals-core';
import { parsed } from '#reading/fhir/json.ts';
import { issueText } from '#reading/fhir/text.ts';
import { isOfType, type Patient } from '#reading/fhir/types.ts';
import { own } from '#reading/own.ts';
import { EngineRefusal, engine, loadIntoEngine, stopEngine } from '../engine/client.ts';
import type { KnownPerson, LoadProgress, NamedFile, SharedId } from '../engine/file-report.ts';
import type { LoadedFiles } from '../engine/types.ts';
import { errorText } from '../error-text.ts';
import { dropLocalExchanges } from '../http/log.ts';
import { mendedResource } from './lenient.ts';
import { beginCount } from './sent.ts';

/** The most patients whose ids are read at once: of one, the chart is opened; of more, there is a list. */
const FIRST_PATIENTS = 1;

export interface OpenFiles {
  is: 'open';
  /** The number of the load. */
  load: number;
  report: LoadedFiles;
  /** The id of the first patient. */
  patient: string | undefined;
  /** The one patient, where there is no other, also none who is only named. */
  person?: Patient;
  /** The names of the files. */
  names?: string[];
  /** The number of records that name no patient and are shown in the chart of the one there is, as somebody chose. */
  claimed?: number;
  /** Other files in the chosen folders, which were not read. */
  leftOut: number;
}

export interface FailedFiles {
  is: 'failed';
  why: string;
  /** What was to be opened. */
  choice: Choice;
}

export type FilesState =
  | { is: 'closed'; why?: 'cancelled' | 'closed' }
  /** Without progress, the app itself is made ready. */
  | { is: 'opening'; files: number; progress?: LoadProgress }
  | FailedFiles
  | OpenFiles;

export const files = signal<FilesState>({ is: 'closed' });
let loads = 0;

/** The files of a choice, and the number of those in folders that are not read. */
export interface Choice {
  files: NamedFile[];
  leftOut: number;
}

/**
 * Loads files in place of those that are open. `prepare` fetches what is needed to show them, before the count of
 * requests begins.
 */
export async function openFiles(choice: Choice, prepare: () => Promise<void>): Promise<void> {
  const { files: list, leftOut } = choice;
  // A load that is under way ends with its thread alone; files that are open are replaced in it.
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
    const report = await loadIntoEngine(list, (progress) => set({ is: 'opening', files: list.length, progress }));
    const { value } = await engine('ids', 'files', 'Patient', FIRST_PATIENTS);
    const [patient] = value.ids;
    const person = patient !== undefined && chartsIn(report) === 1 ? await personOf(patient) : undefined;
    const about = { patient: patient ?? report.absentPatients[0], names: list.map(({ name }) => name), leftOut };
    set({ is: 'open', load, report, ...about, ...(person ? { person } : {}) });
  } catch (error) {
    if (load !== loads) return;
    stopEngine();
    const why = error instanceof EngineRefusal ? issueText(error.outcome) : errorText(error);
    set({ is: 'failed', why, choice });
  }
}

/** Shows the records that name no patient in the chart of the one patient of the files, or no more. */
export async function claimUnnamed(on: boolean): Promise<void> {
  const { value: before } = files;
  if (before.is !== 'open' || !before.person) return;
  const { value } = await engine('claim', on ? before.person.id : undefined);
  if (files.value !== before) return;
  const { count, nobodys } = value;
  // The number of the load makes it another source, which is read anew.
  const { claimed: _, ...others } = before;
  const report = { ...before.report, nobodys };
  files.value = { ...others, load: ++loads, report, ...(on ? { claimed: count } : {}) };
}

/** The Patient of an id; nothing where it cannot be read. */
async function personOf(id: string): Promise<Patient | undefined> {
  try {
    const { value } = await engine('read', 'files', 'Patient', id, undefined);
    const { resource } = mendedResource(parsed(value)) ?? {};
    return isOfType('Patient', resource) ? resource : undefined;
  } catch {
    return undefined;
  }
}

/** The ids of patients who have records in the open files, and of whom there is no Patient. */
export const absentPatients = (): readonly string[] =>
  files.value.is === 'open' ? files.value.report.absentPatients : [];

/** The number of the records of such a patient. */
export const absentRecords = (id: string): number =>
  files.value.is === 'open' ? (own(files.value.report.absentRecords, id) ?? 0) : 0;

/** The shared id in whose place records have the id of this patient, since they do not tell who is meant. */
export const unclearId = (patient: string): SharedId | undefined =>
  files.value.is === 'open'
    ? files.value.report.sharedIds.find(({ unclear }) => unclear.some((one) => one.patient === patient))
    : undefined;

/** The other people of the files with the name and the birth date of a patient. Nothing says whether they are one. */
export function alikeTo(patient: string): KnownPerson[] {
  if (files.value.is !== 'open') return [];
  const groups = files.value.report.alike.filter((group) => group.some((one) => one.patient === patient));
  const others = groups.flat().filter((one) => one.patient !== patient);
  return [...new Map(others.map((one) => [one.patient, one])).values()];
}

/** The number of patients who have a chart. */
export const chartsIn = ({ counts, absentPatients }: LoadedFiles): number =>
  (counts.Patient ?? 0) + absentPatients.length;

/** Ends a load, or closes what is open. The thread ends with all that it holds: only so its memory is given back. */
export function closeFiles(): void {
  const { is } = files.value;
  if (is !== 'opening' && is !== 'open') return;
  loads += 1;
  stopEngine();
  dropLocalExchanges();
  files.value = { is: 'closed', why: is === 'open' ? 'closed' : 'cancelled' };
}
