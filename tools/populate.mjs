#!/usr/bin/env node
// Writes populations for load tests: copies of the patients of sample/, each with other ids, names, dates and values,
// and with more or fewer records. A chart depends only on the seed and on its number, so that a small population is the
// beginning of a larger one. Populations of two seeds have no ids in common.
//
//     node tools/populate.mjs --patients 1000 --out many.ndjson

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/// The number of copies of the sample's directory, each under other names.
const DIRECTORIES = 12;
/// One in so many of the records that no other record refers to is left out.
const LEFT_OUT = 6;
/// Records of recurring events are written in up to `MAX_ROUNDS` rounds, each `DAYS_OF_ROUND` days earlier, as long as
/// the chart has at most `MAX_RECORDS` records.
const MAX_ROUNDS = 8;
const DAYS_OF_ROUND = 400;
const MAX_RECORDS = 500;
const REPEATED = new Set(
  `Binary DiagnosticReport DocumentReference Encounter Immunization Media MedicationDispense MedicationRequest
  Observation Procedure Provenance QuestionnaireResponse ServiceRequest Specimen`.split(/\s+/),
);

const GIVEN =
  `Alex André Ariel Ashley Aziz Blair Cameron Casey Charlie Chidi Dakota Devon Ekua Elía Emery Finley Frances
  Gael Hayden Hikaru Imani Indigo Jamie Jesús Jody Kelly Kim Laurence Lee Logan Marley Mika Morgan Noor Ola Parker Quinn
  Renée Riley Robin Rowan Sam Sasha Shannon Sky Taylor Thu Wei Yuri Zoë`.split(/\s+/);
const BEGINNINGS = `Alder Ash Black Bram Cal Edge Fair Graf Harbor Hart Kings Lind Mar Norr Núñez Oak Pem Quin Red Rosen
  Salz Stein Thorn Wolf`.split(/\s+/);
const ENDINGS = `berg bury field ford gate ham holm hurst ley man mann ridge sen son stone strand ton well wick
  wood`.split(/\s+/);
/// Cities with their states and the first three digits of their postal codes.
const CITIES = `Albany,NY,122 Boston,MA,021 Burlington,VT,054 Concord,NH,033 Hartford,CT,061 Portland,ME,041
  Springfield,MA,011 Troy,NY,121`.split(/\s+/);

/// Returns a pseudorandom generator for a seed (sfc32). Each call returns an integer below its argument.
function generator(...seed) {
  const digest = createHash('sha256').update(seed.join(' ')).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at));
  return (below) => {
    const drawn = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return Math.floor(((drawn >>> 0) / 2 ** 32) * below);
  };
}
function memo(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}
const pick = (list, random) => list[random(list.length)];
const composed = (random) => pick(BEGINNINGS, random) + pick(ENDINGS, random);
const otherDigits = (text, random) => text.replace(/\d/g, () => random(10));

function uuid(random) {
  const hex = Array.from({ length: 4 }, () =>
    random(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}
/// Returns the id of a patient, which is the first id that its chart draws.
const patientId = (seed, number) => uuid(generator(seed, number));

const DAY = 86_400_000;
const days = new Map();
/// Returns the day that is `count` days after another. A month or a year counts as its first day.
function dayAfter(day, count) {
  const number = Date.parse(day) / DAY + count;
  return memo(days, number, () => new Date(number * DAY).toISOString().slice(0, 10));
}

/// Returns another identifier of the same form. The last digit of an NPI is a check digit.
function otherIdentifier(value, random) {
  if (!/^98\d{8}$/.test(value)) return /(\d.*){5}/.test(value) ? otherDigits(value, random) : `${value}-${random(1e6)}`;
  const nine = `98${otherDigits(value.slice(2, 9), random)}`;
  const products = [...`80840${nine}`].reverse().map((digit, at) => digit * (at % 2 ? 1 : 2));
  return nine + ((1000 - products.reduce((sum, product) => sum + (product > 9 ? product - 9 : product), 0)) % 10);
}

// ---- the sample -----------------------------------------------------------------------------------------------------

const folder = new URL('../sample/', import.meta.url);
/// The records by `Type/id`: {key, type, resource, text, owner, references, parts}.
const sample = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson'))) {
  for (const text of readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')) {
    const resource = JSON.parse(text);
    const key = `${resource.resourceType}/${resource.id}`;
    sample.set(key, { key, type: resource.resourceType, resource, text });
  }
}
const keyOf = (reference) => reference?.split('/_history/')[0];

/// Returns the patient of a record as `Patient/id`, or `undefined` in the directory. The last member owns a Group.
function ownerOf(key) {
  if (!sample.has(key)) return undefined;
  const { type, resource } = sample.get(key);
  if (type === 'Patient') return key;
  const { subject, patient, beneficiary, securityContext, target, member } = resource;
  const to = subject ?? patient ?? beneficiary ?? securityContext ?? target?.[0] ?? member?.at(-1).entity;
  return ownerOf(keyOf(to?.reference));
}
for (const [key, record] of sample) {
  record.owner = ownerOf(key);
  // The targets of a Provenance are chosen from the records of a chart.
  const text = record.type === 'Provenance' ? record.text.replace(/"target":\[.*?\]/, '') : record.text;
  const references = [...text.matchAll(/"reference":"([^"]+)"/g)].map(([, reference]) => keyOf(reference));
  record.references = references.filter((reference) => sample.has(reference));
}
// Records that refer to another patient's record are left out, and so are records that refer to those.
for (let size = 0; size !== sample.size; ) {
  size = sample.size;
  for (const [key, { type, owner, references }] of sample) {
    const isOwn = (to) => sample.has(to) && [owner, undefined].includes(sample.get(to).owner);
    if (type !== 'Group' && !references.every(isOwn)) sample.delete(key);
  }
}
const needed = new Set([...sample.values()].flatMap(({ references }) => references));
const PATIENTS = [...sample.keys()].filter((key) => key.startsWith('Patient/'));

/// The replacements of names, by name: {of: a function that makes a name, isShared: whether the directory has it}.
const names = new Map();
for (const { type, resource, owner } of sample.values()) {
  const add = (name, of) => names.set(name, { of, isShared: owner === undefined });
  if (type === 'Organization') {
    const [name, second] = /^\S+ (\S+)/.exec(resource.name);
    add(name, (random) => `${composed(random)} ${second}`);
  } else if (['Patient', 'Practitioner', 'RelatedPerson'].includes(type)) {
    for (const { family, given = [] } of resource.name) {
      if (family) add(family, composed);
      for (const name of given.filter((name) => name.length > 2)) add(name, (random) => pick(GIVEN, random));
    }
  }
}

/// The parts of a text that are replaced: a pattern, and a function that returns a chart's replacement.
const REPLACED = {
  id: ['(?<=^\\{"resourceType":"\\w+","id":")[^"]+', (chart, _, { key }) => chart.id(key)],
  targets: [
    '(?<="target":\\[)\\{"reference".*?(?=\\])',
    (chart, text) => {
      const keys = [...text.matchAll(/"reference":"([^"]+)"/g)].map(([, reference]) => keyOf(reference));
      return keys
        .filter((key) => sample.get(key)?.owner === chart.owner && chart.id(key))
        .map((key) => `{"reference":"${chart.to(key)}"}`);
    },
  ],
  reference: ['(?<=")[A-Z][A-Za-z]+/[\\w.-]+(?=["/])', (chart, text) => (sample.has(text) ? chart.to(text) : text)],
  change: ['(?<="(?:lastUpdated|deceasedDateTime)":")[\\d-]{10}', (chart, text) => dayAfter(text, chart.shift)],
  // The other dates of a Patient move with the birth date.
  day: [
    '(?<=")\\d{4}-\\d\\d-\\d\\d(?=["T])|(?<="start":")[\\d-]{4,7}(?=")',
    (chart, text, { type }) => dayAfter(text, type === 'Patient' ? chart.born : chart.shift).slice(0, text.length),
  ],
  // A start month moves from its first day, and other months from their end, so that no end is before its start.
  month: [
    '(?<="\\w*(?:Date|DateTime|Occurrence|end)":")[\\d-]{4,7}(?=")',
    (chart, text) => dayAfter(text, chart.shift + 27).slice(0, text.length),
  ],
  // Values only get smaller, so that percentages stay below a hundred.
  value: [
    '(?<="valueQuantity":\\{"value":)[\\d.]+',
    (chart, text) => (text * (1 - chart.random(100) / 1_000)).toFixed(text.split('.')[1]?.length),
  ],
  identifier: [
    '(?<="system":"(?:http|urn)[^"]*","value":")[^"]+',
    (chart, text) => memo(chart.identifiers, text, () => otherIdentifier(text, chart.random)),
  ],
  telephone: ['(?<=-555-)\\d{4}(?=")', (chart, text) => otherDigits(text, chart.random)],
  mailbox: ['(?<=")[\\w.-]+(?=@)', (chart) => `u${chart.random(1e6)}`],
  city: [
    '(?<="city":")[^"]*","state":"[^"]*","postalCode":"[^"]*(?=")',
    (chart) => {
      const [city, state, code] = pick(CITIES, chart.random).split(',');
      return `${city}","state":"${state}","postalCode":"${code}${10 + chart.random(90)}`;
    },
  ],
  name: [
    `(?<![\\p{L}\\p{N}])(?:${[...names.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![\\p{L}\\p{N}])`,
    (chart, text) => chart.name(text),
  ],
};
const PATTERN = Object.entries(REPLACED).map(([form, [pattern]]) => `(?<${form}>${pattern})`);
// The parts of each text are constant strings and functions of a chart.
for (const record of sample.values()) {
  record.parts = [];
  let end = 0;
  for (const { 0: text, index, groups } of record.text.matchAll(new RegExp(PATTERN.join('|'), 'gu'))) {
    const [, write] = REPLACED[Object.keys(groups).find((form) => groups[form] !== undefined)];
    record.parts.push(record.text.slice(end, index), (chart) => write(chart, text, record));
    end = index + text.length;
  }
  record.parts.push(record.text.slice(end));
}

// ---- charts ---------------------------------------------------------------------------------------------------------

/// A numbered copy of the chart of a sample patient, or a copy of the directory.
class Chart {
  rounds = 1;
  round = 0;
  start = 0;
  shift = 0;
  ids = [];
  names = new Map();

  constructor(seed, number, directories = [], rounds = MAX_ROUNDS) {
    Object.assign(this, { seed, number, random: generator(seed, number) });
    if (directories.length === 0) return;
    this.at = number % PATIENTS.length;
    this.owner = PATIENTS[this.at];
    this.id(this.owner);
    this.directory = pick(directories, this.random);
    this.rounds = 1 + this.random(Math.min(rounds, Math.floor(MAX_RECORDS / charts.get(this.owner).length) || 1));
    this.start = -this.random(2 * DAYS_OF_ROUND);
    this.born = this.start - this.rounds * DAYS_OF_ROUND + this.random(DAYS_OF_ROUND);
  }

  /// Returns the id of a record, or `undefined` if the record is left out.
  id(key) {
    const { type, owner } = sample.get(key);
    if (owner === undefined && this.directory) return this.directory.id(key);
    // A Group has other patients as members before its own patient.
    if (type === 'Patient' && owner !== this.owner) {
      return patientId(this.seed, this.number - this.at + PATIENTS.indexOf(key));
    }
    this.ids[this.round] ??= new Map();
    return memo(this.ids[REPEATED.has(type) ? this.round : 0], key, () => {
      const isLeftOut =
        owner && !['Patient', 'Provenance'].includes(type) && !needed.has(key) && this.random(LEFT_OUT) === 0;
      return isLeftOut ? undefined : uuid(this.random);
    });
  }

  to = (key) => `${sample.get(key).type}/${this.id(key)}`;

  name(name) {
    const { of, isShared } = names.get(name);
    return isShared && this.directory ? this.directory.name(name) : memo(this.names, name, () => of(this.random));
  }

  /// Returns all lines, the newest round first. Records that occur once are in the newest round.
  lines() {
    const lines = [];
    for (; this.round < this.rounds; this.round += 1) {
      this.shift = this.start - this.round * DAYS_OF_ROUND;
      this.identifiers = new Map();
      for (const [key, { type, parts }] of charts.get(this.owner)) {
        if ((this.round > 0 && !REPEATED.has(type)) || this.id(key) === undefined) continue;
        const line = parts.map((part) => (typeof part === 'string' ? part : part(this))).join('');
        if (!line.includes('"target":[]')) lines.push(`${line}\n`);
      }
    }
    return lines;
  }
}
const ofOwner = (owner) => [...sample].filter(([, record]) => record.owner === owner);
const charts = new Map([undefined, ...PATIENTS].map((owner) => [owner, ofOwner(owner)]));

/// Yields the lines of a population: first the directories, then chart after chart. With `rounds`, only every hundredth
/// chart has more rounds than that.
export function* population(patients, { seed = 1, rounds = MAX_ROUNDS } = {}) {
  const directories = Array.from({ length: DIRECTORIES }, (_, at) => new Chart(seed, `directory ${at}`));
  for (const directory of directories) yield* directory.lines();
  for (let number = 0; number < patients; number += 1) {
    yield* new Chart(seed, number, directories, number % 100 === 0 ? MAX_ROUNDS : rounds).lines();
  }
}

export function populate(file, patients, options) {
  const descriptor = openSync(file, 'w');
  let text = '';
  for (const line of population(patients, options)) {
    text += line;
    if (text.length > 1 << 20) {
      writeFileSync(descriptor, text);
      text = '';
    }
  }
  writeFileSync(descriptor, text);
  closeSync(descriptor);
}

if (process.argv[1] === import.meta.filename) {
  const options = { patients: { type: 'string' }, seed: { type: 'string', default: '1' }, out: { type: 'string' } };
  const { patients, seed, out } = parseArgs({ options }).values;
  if (!/^\d+$/.test(patients) || !out) {
    console.error('populate: it needs --patients NUMBER and --out FILE');
    process.exit(2);
  }
  populate(out, Number(patients), { seed });
}
