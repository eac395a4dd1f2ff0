// Reads FHIR files by the rules of the standard: Bundles, NDJSON and single resources, compressed or not, with their
// references, versions, deletions and owners. No code is shared with the app.

import { gunzipSync } from 'node:zlib';
import { list } from './words.mjs';

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/// Returns the resources of a text, each with its Bundle and its address there.
function entriesOf(text) {
  const whole = parsed(text);
  if (whole !== undefined) return unbundled(whole);
  return text.split('\n').flatMap((line) => {
    const one = line.trim() === '' ? undefined : parsed(line);
    return one === undefined ? [] : unbundled(one);
  });
}

function parsed(text) {
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unbundled(value) {
  if (Array.isArray(value)) return value.flatMap(unbundled);
  if (value.resourceType !== 'Bundle') return [{ resource: value, fullUrl: undefined, bundle: undefined, at: 0 }];
  return list(value.entry).flatMap((entry, at) => {
    const { fullUrl, resource, request } = entry ?? {};
    const isHistory = value.type === 'history';
    if (request?.method === 'DELETE' && isHistory) return [{ deleted: request.url ?? '', fullUrl, bundle: value, at }];
    if (!isObject(resource)) return [];
    if (resource.resourceType === 'Bundle') return unbundled(resource);
    return [{ resource, fullUrl, bundle: value, at }];
  });
}

/// Returns the base of an absolute address, such as `https://a.example/fhir`, or undefined for other addresses.
const baseOf = (address) => /^(https?:\/\/.+)\/[A-Z][A-Za-z]+\/[^/]+(?:\/_history\/[^/]+)?$/.exec(address ?? '')?.[1];

const tailOf = (address) => /(?:^|\/)([A-Z][A-Za-z]+\/[^/#?]+)(?:\/_history\/[^/]+)?$/.exec(address ?? '')?.[1];

/// Compares two versions of one record. Returns a negative number if the second is later.
function byVersion(a, b) {
  const [updatedA, updatedB] = [a, b].map(({ resource }) => Date.parse(resource?.meta?.lastUpdated ?? ''));
  if (!Number.isNaN(updatedA) && !Number.isNaN(updatedB) && updatedA !== updatedB) return updatedA - updatedB;
  // A history has the newest version first.
  if (a.bundle && a.bundle === b.bundle && a.bundle.type === 'history') return b.at - a.at;
  return -1;
}

/// Reads files of `{name, bytes}`. Each record has a unique `key`.
export function readFiles(files) {
  const entries = files.flatMap(({ bytes }) => entriesOf(textOf(bytes)));
  const kept = new Map();
  let replaced = 0;
  for (const [i, entry] of entries.entries()) {
    const { resource, fullUrl, deleted } = entry;
    const name = deleted ? tailOf(deleted) : resource?.id ? `${resource.resourceType}/${resource.id}` : undefined;
    const key = name === undefined ? `entry ${i}` : `${baseOf(fullUrl) ?? ''} ${name}`;
    const before = kept.get(key);
    if (before && !deleted && !before.deleted)
      replaced += JSON.stringify(before.resource) === JSON.stringify(resource) ? 0 : 1;
    if (!before || byVersion(before, entry) < 0) kept.set(key, entry);
  }
  const current = [...kept.entries()]
    .filter(([, { resource }]) => isObject(resource))
    .map(([key, entry]) => ({ ...entry, key }));
  return { records: current, replaced, find: finder(current) };
}

export const textOf = (bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');

/// Returns a function that finds the target of a reference in a record.
function finder(records) {
  const byTail = new Map();
  const byUrl = new Map();
  for (const record of records) {
    const { resource, fullUrl } = record;
    const tail = `${resource.resourceType}/${resource.id}`;
    byTail.set(tail, [...(byTail.get(tail) ?? []), record]);
    if (fullUrl) byUrl.set(fullUrl, [...(byUrl.get(fullUrl) ?? []), record]);
  }
  return (reference, from) => {
    if (typeof reference !== 'string' || reference === '') return undefined;
    if (reference.startsWith('#')) {
      const found = list(from?.resource.contained).find(({ id }) => `#${id}` === reference);
      return found && { resource: found };
    }
    const [address] = reference.split('#');
    const inBundle = (found) => found?.find(({ bundle }) => bundle && bundle === from?.bundle);
    if (/^urn:/.test(address)) return inBundle(byUrl.get(address));
    const base = baseOf(from?.fullUrl);
    const whole = /^https?:/.test(address) ? address : base ? `${base}/${address}` : undefined;
    const named = whole && byUrl.get(whole.replace(/\/_history\/.*$/, ''));
    if (named) return inBundle(named) ?? named[0];
    const same = byTail.get(tailOf(address)) ?? [];
    const close = same.find((one) => baseOf(one.fullUrl) === (baseOf(address) ?? base));
    return inBundle(same) ?? close ?? (same.length === 1 ? same[0] : undefined);
  };
}

/// Returns the reference of a record to its owner.
export const ownerReference = ({ subject, patient, beneficiary, for: of }) => {
  const reference = list(subject ?? patient ?? beneficiary ?? of)[0]?.reference;
  return typeof reference === 'string' ? reference : undefined;
};

/// Returns the records of each patient, and the strays: records that name a patient who is not in the files.
export function byPatient({ records, find }) {
  const charts = new Map(
    records.filter(({ resource }) => resource.resourceType === 'Patient').map((patient) => [patient, []]),
  );
  const strays = [];
  for (const record of records) {
    const reference = ownerReference(record.resource);
    if (reference === undefined) continue;
    const owner = find(reference, record);
    if (owner && charts.has(owner)) charts.get(owner).push(record);
    else if (/(^|\/)Patient\/|^urn:/.test(reference)) strays.push(record);
  }
  return { charts, strays };
}
