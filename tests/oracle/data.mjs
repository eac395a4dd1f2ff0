// The data: loading files, and finding a resource by its address, its type or its patient.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { parseDocument } from './decimals.mjs';
import { PARAMS, SERVED } from './params.mjs';
import { addressOf, keyOf, readReference } from './references.mjs';
import { values } from './walk.mjs';

// Files and folders -> [{resource, text}], each resource with a time of its last update (decision 32), each text as it
// is loaded. Of two resources with the same address, the later one counts.
export function loadResources(paths) {
  const byKey = new Map();
  for (const file of [paths].flat().flatMap(filesUnder)) {
    for (const text of documentsOf(file)) {
      for (const entry of resourcesIn(parseDocument(text), text)) {
        const { resource } = entry;
        if (SERVED.has(resource.resourceType) && typeof resource.id === 'string') {
          resource.meta = { ...resource.meta, lastUpdated: resource.meta?.lastUpdated ?? LOADED_AT };
          byKey.set(addressOf(resource), entry);
        }
      }
    }
  }
  return [...byKey.values()];
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

// A Bundle stands for its entries' resources; a reference to an entry's fullUrl is one to its resource (decision 14).
function resourcesIn(document, text) {
  if (document.resourceType !== 'Bundle') return [{ resource: document, text }];
  const entries = (document.entry ?? []).filter((entry) => entry?.resource);
  const known = new Map(entries.map((entry) => [entry.fullUrl, addressOf(entry.resource)]));
  known.delete(undefined);
  return entries.flatMap((entry) => {
    const resource = resolved(entry.resource, known);
    return resourcesIn(resource, JSON.stringify(resource)); // which has no long numbers: it loads what this reads
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

// The index over an array of {resource, text}; it is made once for each array.
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
  return { byKey, byType, byPatient, provenanceByTarget };
}

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}
