//! The user's own files: chosen, loaded into the engine's thread, and held there until they are closed or the page is
//! left. Nothing of them is kept.

import { signal } from '@preact/signals-core';
import { parsed } from '#reading/fhir/json.ts';
import { issueText } from '#reading/fhir/text.ts';
import { isOfType, type Patient } from '#reading/fhir/types.ts';
import { own } from '#reading/own.ts';
import { EngineRefusal, engine, loadIntoEngine, stopEngine } from '../engine/client.ts';
import type { KnownPerson, LoadProgress, NamedFile, SamePeople } from '../engine/file-report.ts';
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
  /** The number of records that name no patient and are shown in the chart of the one there is, as somebody chose. */
  claimed?: number;
  /** The files, and the number of others in the chosen folders, which were not read. */
  choice: Choice;
  /** The people who are one, as somebody has said. */
  same: readonly SamePeople[];
  /** True while they are read again. */
  isReading?: true;
  /** Pairs of people of whom somebody has said that they are two, as `pairOf` names them. */
  apart: ReadonlySet<string>;
}

export interface FailedFiles {
  is: 'failed';
  why: string;
  /** What was to be opened. */
  choice: Choice;
}

type FilesState =
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
  const { files: list } = choice;
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
    const say = (progress: LoadProgress): void => set({ is: 'opening', files: list.length, progress });
    set({ load, choice, apart: new Set(), ...(await loaded(list, [], say)) });
  } catch (error) {
    if (load !== loads) return;
    stopEngine();
    set(failedBy(error, choice));
  }
}

const failedBy = (error: unknown, choice: Choice): FailedFiles => ({
  is: 'failed',
  why: error instanceof EngineRefusal ? issueText(error.outcome) : errorText(error),
  choice,
});

/** Loads files, and reads who is in them. */
async function loaded(
  list: NamedFile[],
  same: readonly SamePeople[],
  say: (progress: LoadProgress) => void,
): Promise<Omit<OpenFiles, 'load' | 'choice' | 'apart'>> {
  const report = await loadIntoEngine(list, [...same], say);
  const { value } = await engine('ids', 'files', 'Patient', FIRST_PATIENTS);
  const [patient] = value.ids;
  const person = patient !== undefined && chartsIn(report) === 1 ? await personOf(patient) : undefined;
  return { is: 'open', report, same, patient: patient ?? report.absentPatients[0], ...(person ? { person } : {}) };
}

/** Reads the files again, with these people as one. The number of the load makes them another source. */
async function readAgain(same: readonly SamePeople[]): Promise<void> {
  const { value } = files;
  if (value.is !== 'open' || value.isReading) return;
  const { choice, apart } = value;
  const before: OpenFiles = { ...value, isReading: true };
  files.value = before;
  try {
    const again = await loaded(choice.files, same, () => undefined);
    if (files.value === before) files.value = { load: ++loads, choice, apart, ...again };
  } catch (error) {
    if (files.value !== before) return;
    stopEngine();
    files.value = failedBy(error, choice);
  }
}

const pairOf = (...people: KnownPerson[]): string =>
  people
    .map(({ patient }) => patient)
    .sort()
    .join(' ');

/** Puts the records of another person into the chart of one, as somebody has said that they are one person. */
export async function mergePeople(kept: KnownPerson, other: KnownPerson): Promise<void> {
  if (files.value.is === 'open') await readAgain([...files.value.same, { kept, other }]);
}

/** Takes it back that two people are one. */
export async function separatePeople({ kept, other }: SamePeople): Promise<void> {
  if (files.value.is !== 'open') return;
  const pair = pairOf(kept, other);
  await readAgain(files.value.same.filter((one) => pairOf(one.kept, one.other) !== pair));
}

/** Notes that two people who may be one are two. */
export function keepApart({ own, other }: Pair): void {
  const { value } = files;
  if (value.is === 'open') files.value = { ...value, apart: new Set([...value.apart, pairOf(own, other)]) };
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

/** A patient of open files, and another one, who may be the same person. */
export interface Pair {
  own: KnownPerson;
  other: KnownPerson;
  /** True where somebody has said that they are two. */
  isApart: boolean;
}

/** The other people of the files who may be this patient. Nothing says whether they are. */
export function similarPeople(patient: string): Pair[] {
  const { value } = files;
  if (value.is !== 'open') return [];
  const pairs = value.report.alike.flatMap((group) => {
    const own = group.find((one) => one.patient === patient);
    const others = own ? group.filter((one) => one !== own) : [];
    return others.flatMap((other) => (own ? { own, other, isApart: value.apart.has(pairOf(own, other)) } : []));
  });
  return [...new Map(pairs.map((one) => [one.other.patient, one])).values()];
}

/** The people whose records are in the chart of a patient, since somebody has said that they are one person. */
export function sameAs(patient: string): readonly SamePeople[] {
  const own = files.value.is === 'open' ? files.value.same.filter(({ kept }) => kept.patient === patient) : [];
  return own.flatMap((one) => [one, ...sameAs(one.other.patient)]);
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
