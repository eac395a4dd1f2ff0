#!/usr/bin/env node
// Writes the sample population: sample/<ResourceType>.ndjson, one resource per line, sorted by id.
//   node sample/generate.mjs           writes the files
//   node sample/generate.mjs --check   exits with 1 if the files in the repository are not up to date
// The output depends only on the sources, not on the time or on random numbers.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import directory from './directory.mjs';
import { everybody } from './groups.mjs';
import { print } from './print.mjs';

const here = new URL('./', import.meta.url);
const stories = readdirSync(new URL('people/', here))
  .filter((name) => name.endsWith('.mjs'))
  .sort();

const population = directory.map((resource) => stamped(resource, '2024-01-15T14:00:00Z'));
for (const name of stories) {
  const told = (await import(`./people/${name}`)).default.flat(Infinity);
  const signed = told
    .filter(({ resourceType }) => resourceType === 'Provenance')
    .map(({ recorded }) => recorded)
    .sort()
    .at(-1);
  population.push(...told.map((resource) => stamped(resource, signed)));
}

const patients = population.filter(({ resourceType }) => resourceType === 'Patient').map(({ id }) => id);
population.push(stamped(everybody(patients.toSorted()), '2026-10-21T14:00:00Z'));

const files = toFiles(population);
const present = readdirSync(here).filter((name) => name.endsWith('.ndjson'));

if (process.argv.includes('--check')) {
  const stale = [...new Set([...present, ...files.keys()])].filter(
    (name) => !present.includes(name) || read(name) !== files.get(name),
  );
  if (stale.length) {
    console.error(`stale, run node sample/generate.mjs: ${stale.sort().join(', ')}`);
    process.exit(1);
  }
} else {
  for (const name of present) if (!files.has(name)) rmSync(new URL(name, here));
  for (const [name, text] of files) writeFileSync(new URL(name, here), text);
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  console.log(`${population.length} resources in ${files.size} files, ${Math.round(bytes / 1024)} KiB`);
}

function read(name) {
  return readFileSync(new URL(name, here), 'utf8');
}

function toFiles(resources) {
  const byType = new Map();
  for (const resource of resources)
    byType.set(resource.resourceType, [...(byType.get(resource.resourceType) ?? []), resource]);
  return new Map(
    [...byType].map(([type, list]) => {
      const sorted = list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const twice = sorted.find(({ id }, i) => id === sorted[i + 1]?.id);
      if (twice) throw new Error(`${type}/${twice.id} is told twice`);
      return [`${type}.ndjson`, sorted.map((resource) => `${print(resource)}\n`).join('')];
    }),
  );
}

/** Adds a version and lastUpdated to a resource: an hour after its last event, or after `otherwise` without events. */
function stamped(resource, otherwise) {
  const { resourceType, id, meta, ...rest } = resource;
  const { versionId = '1', ...more } = meta;
  const told = moments(rest);
  const last = told.length ? Math.max(...told) : Date.parse(otherwise);
  return {
    resourceType,
    id,
    meta: { versionId, lastUpdated: new Date(last + 3_600_000).toISOString(), ...more },
    ...rest,
  };
}

/** Returns the times of past events in a resource, from dates with at least the day, in milliseconds since 1970. */
function moments(resource) {
  const { period = {}, effectivePeriod = {}, performedPeriod = {} } = resource;
  return [
    period.start,
    period.end,
    effectivePeriod.start,
    effectivePeriod.end,
    performedPeriod.start,
    performedPeriod.end,
    resource.effectiveDateTime,
    resource.issued,
    resource.date,
    resource.authored,
    resource.authoredOn,
    resource.recorded,
    resource.recordedDate,
    resource.abatementDateTime,
    resource.performedDateTime,
    resource.occurrenceDateTime,
    resource.whenHandedOver,
    resource.createdDateTime,
    resource.collection?.collectedDateTime,
    resource.startDate,
    resource.statusDate,
    resource.deceasedDateTime,
  ]
    .filter((moment) => moment?.length >= 10 && moment < '2026-10-22')
    .map((moment) => Date.parse(moment.length === 10 ? `${moment}T20:00:00Z` : moment));
}
