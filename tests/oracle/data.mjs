// Loads files, and finds a resource by its address, its type or its patient.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { parseDocument } from './decimals.mjs';
import { PARAMS, SERVED } from './params.mjs';
import { addressOf, DEFAULT_BASE, keyOf, readReference } from './references.mjs';
import { values } from './walk.mjs';

// Types that are input or output of a request, and are not stored.
const NO_RECORDS = ['OperationOutcome', 'Parameters'];

// Files and folders -> [{resource, text}], as a server under that base holds them.
export function loadResources(paths, base) {
  const documents = [paths].flat().flatMap(filesUnder).flatMap(documentsOf);
  return load(
    documents.flatMap((text) => resourcesIn(parseDocument(text), text)),
    base,
  );
}

const isRecord = ({ resourceType }) => SERVED.has(resourceType) && !NO_RECORDS.includes(resourceType);

// [{resource, text}], each with its loaded text -> the resources that are served, each with the time of its last update
// and with resolved references. Of two resources with the same address, the later one counts.
export function load(entries, base = DEFAULT_BASE) {
  const byKey = new Map();
  for (const entry of entries) {
    const { resource } = entry;
    if (isRecord(resource) && typeof resource.id === 'string') {
      resource.meta = { ...resource.meta, lastUpdated: resource.meta?.lastUpdated ?? LOADED_AT };
      byKey.set(addressOf(resource), entry);
    }
  }
  const loaded = [...byKey.values()];
  const holders = holdersOf(loaded);
  for (const { resource } of loaded) {
    resolveIn(resource, holders, base);
    if (resource.resourceType === 'DocumentReference')
      for (const one of resource.content ?? []) complete(one?.attachment, base);
  }
  return loaded;
}

// A relative address of a document is below the document service. The address of a Binary is below the FHIR base.
const DOCUMENTS = 'https://documents.example.org';
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const BINARY = /^Binary\/[A-Za-z0-9.-]{1,64}$/;

function complete(attachment, base) {
  const { url } = attachment ?? {};
  if (typeof url !== 'string' || url === '' || /^(?:#|\/\/)/.test(url) || SCHEME.test(url)) return;
  attachment.url = BINARY.test(url) ? `${base}/${url}` : `${DOCUMENTS}/${url.replace(/^\/+/, '')}`;
}

// 'system|value' -> the addresses of the resources with that identifier.
function holdersOf(loaded) {
  const holders = new Map();
  for (const { resource } of loaded) {
    const identifiers = Array.isArray(resource.identifier) ? resource.identifier : [];
    const names = identifiers
      .filter((one) => one?.system && one.value)
      .map(({ system, value }) => `${system}|${value}`);
    for (const name of new Set(names)) add(holders, name, addressOf(resource));
  }
  return holders;
}

// Replaces a reference by an address under the base, by a condition, or only by an identifier with a reference by type
// and id, if exactly one resource matches.
function resolveIn(node, holders, base) {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node) && !node.resourceType) {
    const found = meant(node, holders, base);
    if (found) node.reference = found;
  }
  for (const value of Object.values(node)) resolveIn(value, holders, base);
}

function meant({ reference, type, identifier }, holders, base) {
  if (typeof reference === 'string') {
    if (reference.startsWith(`${base}/`)) return reference.slice(base.length + 1);
    const [, only, name] = /^([A-Z]\w+)\?identifier=(.+)$/.exec(reference) ?? [];
    return name && one(holders.get(decodeURIComponent(name)), only);
  }
  return identifier?.system && identifier.value && one(holders.get(`${identifier.system}|${identifier.value}`), type);
}

function one(addresses = [], type = undefined) {
  const [found, ...others] = addresses.filter((address) => !type || address.startsWith(`${type}/`));
  return others.length === 0 ? found : undefined;
}

function filesUnder(name) {
  if (fs.statSync(name).isDirectory()) {
    return fs
      .readdirSync(name)
      .sort()
      .flatMap((child) => filesUnder(path.join(name, child)));
  }
  return /\.(json|ndjson)(\.gz)?$/.test(name) ? [name] : [];
}

function documentsOf(file) {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '');
  return /\.ndjson(\.gz)?$/.test(file) ? text.split('\n').filter((line) => line.trim() !== '') : [text];
}

// A Bundle yields the resources of its entries. A reference to an entry's fullUrl becomes a reference to its resource.
function resourcesIn(document, text) {
  if (document.resourceType !== 'Bundle') return [{ resource: document, text }];
  const entries = (document.entry ?? []).filter((entry) => entry?.resource);
  const known = new Map(entries.map((entry) => [entry.fullUrl, addressOf(entry.resource)]));
  known.delete(undefined);
  return entries.flatMap((entry) => {
    const resource = resolved(entry.resource, known);
    return resourcesIn(resource, JSON.stringify(resource));
  });
}

function resolved(node, known) {
  if (Array.isArray(node)) return node.map((item) => resolved(item, known));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'reference' && known.has(value) ? known.get(value) : resolved(value, known),
    ]),
  );
}

const indexes = new WeakMap();

// The index over an array of {resource, text}. It is made once for each array.
export function indexOf(resources) {
  if (!indexes.has(resources)) indexes.set(resources, makeIndex(resources));
  return indexes.get(resources);
}

function makeIndex(resources) {
  const byKey = new Map();
  const byType = new Map([...SERVED].map((type) => [type, []]));
  const byPatient = new Map(); // 'Observation Patient/1' -> resources whose `patient` parameter names that patient
  const provenanceByTarget = new Map();
  for (const { resource } of resources) {
    const { resourceType } = resource;
    byKey.set(addressOf(resource), resource);
    byType.get(resourceType).push(resource);
    for (const found of PARAMS[resourceType].patient?.facts(resource) ?? []) {
      add(byPatient, `${resourceType} ${keyOf(found)}`, resource);
    }
    if (resourceType === 'Provenance') {
      const targets = values(resource, 'target.reference')
        .map((text) => readReference(text))
        .filter(Boolean)
        .map(keyOf);
      for (const target of new Set(targets)) add(provenanceByTarget, target, resource);
    }
  }
  return { byKey, byType, byPatient, provenanceByTarget, known: new Map() };
}

// Computes a value once for an index. The key is a resource or a text.
export function once({ known }, key, make) {
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
}

export function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}
