// The public sets of records, as choices of files that a person would open.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generator } from '../../oracle/rows.mjs';
import { byPatient, ownerReference, readFiles, textOf } from './records.mjs';

const { SHARED_DATA: SHARED = '../shared/data', FOLDER = '' } = process.env;

const isRecords = (name) => /\.(json|ndjson)(\.gz)?$/.test(name) && !/^MANIFEST/.test(name);
const filesIn = (folder) =>
  readdirSync(folder)
    .filter(isRecords)
    .sort()
    .map((name) => ({ name, path: join(folder, name) }));
const isOfPatient = ({ name }) => !/^(group|hospital|practitioner)Information|^uscore_group/.test(name);

/// The sets, with their folders. If each file of a set has one patient, the files are opened one by one.
const SETS = [
  { name: 'sample', folder: 'sample', isOneByOne: false },
  ...[
    ['1-synthea-2020-bundles', true],
    ['2-synthea-2024-uscore-ndjson', false],
    ['3-us-core-6.1.0-examples', false],
    ['4-inferno-reference', true],
    ['5-synthea-2020-normalised-derived', false],
    ['6-inferno-clean', false],
  ].map(([name, isOneByOne]) => ({ name, folder: join(SHARED, name), isOneByOne })),
  ...(FOLDER === '' ? [] : [{ name: 'folder', folder: FOLDER, isOneByOne: true }]),
];

/// Return the sets that are present, and the names of the missing sets.
export const sets = () => SETS.filter(({ folder }) => existsSync(folder));
export const missingSets = () => SETS.filter(({ folder }) => !existsSync(folder)).map(({ name }) => name);

/// Returns the items in an order by random numbers.
export function shuffled(items, next) {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const at = Math.floor(next() * (i + 1));
    [all[i], all[at]] = [all[at], all[i]];
  }
  return all;
}

const bytesOf = ({ path }) => readFileSync(path);
const opened = (files) => files.map((file) => ({ name: file.name, bytes: bytesOf(file) }));

/// Keeps the lines of NDJSON that belong to these patients, or to nobody.
function narrowed({ name, bytes }, ids) {
  const text = textOf(bytes);
  const isWanted = (line) => {
    const resource = JSON.parse(line);
    if (resource.resourceType === 'Patient') return ids.includes(resource.id);
    const owner = ownerReference(resource);
    return owner === undefined || ids.some((id) => owner.endsWith(id));
  };
  const lines = text.split('\n').filter((line) => line.trim() !== '' && isWanted(line));
  return { name: name.replace(/\.gz$/, ''), bytes: Buffer.from(`${lines.join('\n')}\n`) };
}

/// Returns the choices of files of a set, each with the patients whose charts are read. At most `patients` patients
/// are read, in an order by `seed`, after the first `from` of them. `isNarrow` leaves the records of other patients out
/// of the files.
export function choices(
  { folder, isOneByOne },
  { patients = Number.POSITIVE_INFINITY, from = 0, seed = '1', isNarrow = false } = {},
) {
  const next = generator(seed);
  const files = filesIn(folder);
  if (isOneByOne) {
    const chosen = shuffled(files.filter(isOfPatient), next).slice(from, from + patients);
    return chosen.map((file) => {
      const made = opened([file]);
      const read = readFiles(made);
      const { charts, strays } = byPatient(read);
      return { files: made, read, strays, patients: [...charts] };
    });
  }
  const whole = opened(files);
  const all = [...byPatient(readFiles(whole)).charts];
  // In one of the sets, many patients have no clinical records. They come last.
  const mixed = shuffled(all, next);
  const chosen = [
    ...mixed.filter(([, { length }]) => length > 3),
    ...mixed.filter(([, { length }]) => length <= 3),
  ].slice(from, from + patients);
  const ids = chosen.map(([{ resource }]) => resource.id);
  const made = isNarrow ? whole.map((file) => narrowed(file, ids)) : whole;
  const read = readFiles(made);
  const { charts, strays } = byPatient(read);
  return [{ files: made, read, strays, patients: [...charts].filter(([{ resource }]) => ids.includes(resource.id)) }];
}
