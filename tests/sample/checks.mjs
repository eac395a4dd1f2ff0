// The checks for any population whose resources name their profiles: the sample, and the output of
// `tools/populate.mjs`. Each takes a population, and reports all failures.

import assert from 'node:assert/strict';
import { bindings, extensionBindings } from './bindings.mjs';
import { invariants } from './invariants.mjs';
import { laterProfiles } from './later.mjs';
import { profiles } from './us-core.mjs';
import { lacking, values } from './walk.mjs';

export const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/';
export const url = (profile) => `${CORE}${profile.replaceAll('_', '-')}`;
export const words = (list) => (list ?? '').split(/\s+/).filter(Boolean);
const claimed = [...profiles, ...laterProfiles];
export const name = (resource) => `${resource.resourceType}/${resource.id}`;

/** Checks every row, and reports all failures, not only the first. */
export function rows(list, check) {
  const failures = list.flatMap((row) => check(row) ?? []);
  assert.deepEqual(failures, []);
}

/** Returns the resources by type, by profile and by reference. */
export function population(everything) {
  const all = {};
  const byProfile = new Map();
  for (const resource of everything) {
    all[resource.resourceType] ??= [];
    all[resource.resourceType].push(resource);
    for (const profile of resource.meta.profile ?? []) {
      if (!byProfile.has(profile)) byProfile.set(profile, []);
      byProfile.get(profile).push(resource);
    }
  }
  const byReference = new Map(everything.map((resource) => [name(resource), resource]));
  return {
    everything,
    all,
    byReference,
    of: (profile) => byProfile.get(url(profile)) ?? [],
    target: (reference) => byReference.get(reference.replace(/\/_history\/.*$/, '')),
  };
}

/** The checks: [title, check]. */
export const checks = [
  [
    'mandatory elements are there wherever their parents are',
    ({ of }) => {
      rows(claimed, ({ profile, mandatory }) =>
        words(mandatory).flatMap((path) =>
          of(profile).flatMap((resource) =>
            lacking(resource, path).map(() => `${profile}: ${name(resource)} lacks ${path}`),
          ),
        ),
      );
    },
  ],

  [
    'no element occurs more often than its profile allows',
    ({ of }) => {
      rows(claimed, ({ profile, single }) =>
        words(single).flatMap((path) =>
          of(profile)
            .filter((resource) => values(resource, path).length > 1)
            .map((resource) => `${profile}: ${name(resource)} has more than one ${path}`),
        ),
      );
    },
  ],

  [
    'required bindings hold',
    ({ of }) => {
      rows(claimed, ({ profile, bound }) =>
        words(bound).flatMap((row) => {
          const [path, binding] = row.split('=');
          const set = bindings[binding] ?? assert.fail(`this test does not know the value set ${binding}`);
          return of(profile)
            .flatMap((resource) =>
              values(resource, path.replace(/\bvalue\b/, 'value[x]')).map((value) => [resource, value]),
            )
            .filter(([, value]) => !inSet(set, value))
            .map(
              ([resource, value]) =>
                `${profile}: ${name(resource)} ${path} ${JSON.stringify(value)} is not in ${binding}`,
            );
        }),
      );
    },
  ],

  [
    'codes in extensions of patients are of their value sets',
    ({ all }) => {
      rows(extensionBindings, ([extension, part, set]) =>
        all.Patient.flatMap((patient) =>
          patient.extension
            .filter((e) => e.url === CORE + extension)
            .flatMap((e) =>
              part
                ? e.extension.filter((p) => p.url === part).map((p) => p.valueCoding.code)
                : [e.valueCode ?? e.valueCoding.code],
            )
            .filter((code) => !set.holds(code))
            .map((code) => `${name(patient)}: ${extension} ${part ?? ''} ${code}`),
        ),
      );
    },
  ],

  [
    'the constraints of R4 and US Core hold',
    ({ all }) => {
      rows(Object.entries(invariants), ([rule, holds]) =>
        all[rule.split(' ')[0]].filter((one) => !holds(one, all)).map((one) => `${name(one)}: ${rule}`),
      );
    },
  ],

  [
    'ids are valid, and unique within their type; every resource has a version, a time of update and a profile',
    ({ everything, byReference }) => {
      assert.equal(byReference.size, everything.length, 'an id occurs twice');
      const known = new Set(claimed.map(({ profile, type }) => `${type} ${url(profile)}`));
      rows(everything, (resource) => {
        const { versionId, lastUpdated, profile = [] } = resource.meta;
        const demands = {
          'not an id': /^[A-Za-z0-9.-]{1,64}$/.test(resource.id),
          'no versionId': /^\d+$/.test(versionId),
          'no lastUpdated': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(lastUpdated),
          'lastUpdated in the future': lastUpdated < '2026-11-01',
          'no profile, or one with a version': profile.length && !profile.some((canonical) => canonical.includes('|')),
          'a profile of another type': profile.every(
            (canonical) =>
              known.has(`${resource.resourceType} ${canonical}`) ||
              canonical === `http://hl7.org/fhir/StructureDefinition/${resource.resourceType}`,
          ),
        };
        return Object.keys(demands)
          .filter((demand) => !demands[demand])
          .map((demand) => `${name(resource)}: ${demand}`);
      });
    },
  ],

  [
    'nothing is empty: no empty string, array or object, no null, no blank at either end of a string',
    ({ everything }) => {
      const empty = (value) =>
        value === null ||
        (typeof value === 'string'
          ? value !== value.trimStart() || value.trim() === ''
          : Object.keys(value).length === 0);
      const within = (node) =>
        node !== null &&
        typeof node === 'object' &&
        Object.values(node).some(
          (value) => typeof value !== 'number' && typeof value !== 'boolean' && (empty(value) || within(value)),
        );
      rows(everything, (resource) => (within(resource) ? `${name(resource)} has an empty element` : []));
    },
  ],

  [
    'every reference resolves, to the right type',
    ({ everything, target }) => {
      rows(everything, (resource) =>
        references(resource).flatMap((reference) => {
          if (reference.startsWith('#')) {
            return resource.contained?.some(({ id }) => `#${id}` === reference)
              ? []
              : `${name(resource)}: nothing contained as ${reference}`;
          }
          return target(reference) ? [] : `${name(resource)}: ${reference} points nowhere`;
        }),
      );
    },
  ],

  [
    'dates are dates: real days, zones where there are times, starts before ends, births before everything',
    ({ everything, target }) => {
      const planned = /due|period|occurrence|bounds|end$/i;
      rows(everything, (resource) =>
        [...moments(resource)].flatMap(([path, moment]) =>
          [
            isMoment(moment) ? [] : `${name(resource)}.${path}: ${moment} is no date`,
            moment < '2026-11' || planned.test(path) ? [] : `${name(resource)}.${path}: ${moment} is in the future`,
          ].flat(),
        ),
      );
      rows(everything, (resource) =>
        periods(resource)
          .filter(({ start, end }) => start && end && earliest(start) > latest(end))
          .map(({ start, end }) => `${name(resource)}: ${start} to ${end}`),
      );
      rows(everything, (resource) => {
        const born = target((resource.subject ?? resource.patient)?.reference ?? '')?.birthDate;
        const when = [
          resource.effectiveDateTime,
          resource.occurrenceDateTime,
          resource.performedDateTime,
          resource.onsetDateTime,
          resource.period?.start,
        ].find(Boolean);
        return born && when && latest(when) < Date.parse(born) - DAY
          ? `${name(resource)}: ${when} is before the birth`
          : [];
      });
    },
  ],
];

/** Returns whether a code or a coding of a concept is in the set. */
const inSet = (set, value) =>
  typeof value === 'string' ? set.holds(value) : value.coding?.some(({ code }) => set.holds(code));

export function references(node) {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'reference' && typeof value === 'string' ? [value] : references(value),
  );
}

/** Returns the resources of a patient that refer to another patient, or to another patient's resource. */
export function crossing({ everything, target }) {
  const subject = (resource) => (resource.subject ?? resource.patient ?? resource.beneficiary)?.reference;
  return everything
    .filter((resource) => /^Patient\//.test(subject(resource) ?? ''))
    .filter((resource) =>
      references(resource).some((reference) => {
        const reached = target(reference);
        const owner = reached && (reached.resourceType === 'Patient' ? reference : subject(reached));
        return /^Patient\//.test(owner ?? '') && owner !== subject(resource);
      }),
    )
    .map(name);
}

const DATES =
  `date issued recorded authored authoredOn start end birthDate recordedDate startDate dueDate statusDate whenHandedOver
  whenPrepared manufactureDate expirationDate lastOccurrence`.split(/\s+/);

function* moments(node, path = '') {
  if (node === null || typeof node !== 'object') return;
  for (const [key, value] of Object.entries(node)) {
    const here = path ? `${path}.${key}` : key;
    if (typeof value === 'string' && (DATES.includes(key) || key.endsWith('DateTime'))) yield [here, value];
    else yield* moments(value, here);
  }
}

/** Returns whether a text is a valid date with a year, a month, a day, or a second with a zone. */
function isMoment(moment) {
  const [, year, month, day, time] =
    moment.match(/^(\d{4})(?:-(\d\d)(?:-(\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)?)?$/) ?? [];
  if (!year || (time && Number.isNaN(Date.parse(moment)))) return false;
  return !day || new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === +day;
}

const DAY = 86_400_000;
const earliest = (moment) => Date.parse(moment);
const latest = (moment) => Date.parse(moment) + ({ 4: 366, 7: 31, 10: 1 }[moment.length] ?? 0) * DAY;

function periods(node) {
  if (node === null || typeof node !== 'object') return [];
  return [...('start' in node || 'end' in node ? [node] : []), ...Object.values(node).flatMap(periods)];
}
