// Works out what the official definitions say about resource types and search parameters, and writes it as two tables:
// src/fhir/definitions.rs and src/search/definitions.rs. They hold facts alone: names, element paths, types, code
// systems and combinations of parameters.
//
//   node tools/definitions.mjs DEFINITIONS           writes the tables
//   node tools/definitions.mjs DEFINITIONS --check   says whether they are as they would be written
//   node tools/definitions.mjs DEFINITIONS --additions VERSION
//                                                    prints what another version of US Core adds to what is served
//
// DEFINITIONS is a folder with search-parameters.r4.json.gz, compartments.r4.json, elements.r4.json.gz,
// code-systems.r4.json and us-core-6.1.0.json, and us-core-VERSION.json for each other version. Needs node and rustfmt;
// for the additions, the command line.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { servedTypes } from './server/served.mjs';

const US_CORE = '6.1.0';
const R4_BASE = 'http://hl7.org/fhir/SearchParameter/';
const US_CORE_BASE = 'http://hl7.org/fhir/us/core/SearchParameter/';
const US_CORE_PROFILES = 'http://hl7.org/fhir/us/core/StructureDefinition/';

/// The string parts of a type that is searched as a string (https://hl7.org/fhir/R4/search.html#string).
const PARTS = {
  HumanName: ['family', 'given', 'prefix', 'suffix', 'text'],
  Address: ['line', 'city', 'district', 'state', 'postalCode', 'country', 'text'],
};
/// The element types that each type of parameter reads, of those that are supported.
const READS = {
  token: ['CodeableConcept', 'Coding', 'code', 'Identifier'],
  date: ['date', 'dateTime', 'instant', 'Period', 'Timing'],
  string: ['string', 'markdown', 'HumanName', 'Address'],
  reference: ['Reference', 'canonical'],
};

export function read(folder, usCore = US_CORE) {
  const json = (name) => {
    const bytes = readFileSync(join(folder, name));
    return JSON.parse(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  };
  const { types, elements } = json('elements.r4.json.gz');
  return {
    types,
    elements,
    parameters: json('search-parameters.r4.json.gz'),
    patients: json('compartments.r4.json').Patient.resources,
    codes: json('code-systems.r4.json'),
    usCore: json(`us-core-${usCore}.json`),
  };
}

// ---- elements ------------------------------------------------------------------------------------------------------

const capitalized = (name) => name[0].toUpperCase() + name.slice(1);

/// The elements of that name under a node, a choice spread over its types. A node is a path in the definitions (`at`)
/// and in JSON (`path`), the type of its element, whether a resource may have several of it, and the types that it may
/// refer to.
function children(defs, node, name, only) {
  const own = defs.elements[node.at];
  const holder =
    own?.as ?? (own?.t?.every((type) => type === 'BackboneElement' || type === 'Element') ? node.at : node.type);
  const [at, choice] = find(defs, holder, name);
  if (!at) return [];
  const element = defs.elements[at];
  const types = element.as ? ['BackboneElement'] : element.t;
  return types
    .filter((type) => !only || type === only)
    .map((type) => ({
      at: element.as ?? at,
      path: [node.path, choice ? name + capitalized(type) : name].filter(Boolean).join('.'),
      type,
      repeats: node.repeats || element.n !== undefined,
      to: element.to,
    }));
}

/// The place of an element of a type or of one that it is based on, and whether it is a choice.
function find(defs, holder, name) {
  for (let of = holder; of; of = defs.types[of]?.base) {
    if (defs.elements[`${of}.${name}`]) return [`${of}.${name}`, false];
    if (defs.elements[`${of}.${name}[x]`]) return [`${of}.${name}[x]`, true];
  }
  return [];
}

// ---- expressions ---------------------------------------------------------------------------------------------------

/// The elements that an expression finds in a type, or nothing where it is not of a form that is understood: paths,
/// their unions, casts, `where(resolve() is T)` and extensions by their address.
export function compile(defs, type, expression) {
  const found = [];
  for (const part of expression.split('|').map((text) => text.trim())) {
    const text = part.replace(/^\(([\w.]+) as (\w+)\)/, '$1.as($2)');
    const [root] = text.split('.');
    if (root !== type && root !== 'Resource' && root !== 'DomainResource') {
      if (defs.types[root]) continue;
      return undefined;
    }
    const nodes = steps(defs, { at: type, path: '', type }, text.slice(root.length));
    if (!nodes) return undefined;
    found.push(...nodes);
  }
  return found;
}

function steps(defs, start, text) {
  let nodes = [start];
  let rest = text;
  const take = (form) => {
    const match = form.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  while (rest) {
    const extension = take(/^\.extension\.where\(url ?= ?'([^']+)'\)\.value(\w+)?/);
    if (extension) {
      // The type of an extension's value is in its own definition. Where the expression does not name it, it may be
      // any.
      const [, url, type] = extension;
      const at = { at: 'Extension', path: `extension(${url})`, type: 'Extension' };
      nodes = nodes
        .flatMap(({ repeats }) => children(defs, { ...at, repeats }, 'value'))
        .filter((node) => !type || capitalized(node.type) === type);
      continue;
    }
    const is = take(/^\.where\(resolve\(\) is (\w+)\)/);
    if (is) {
      nodes = nodes.map((node) => ({ ...node, to: [is[1]] }));
      continue;
    }
    const step = take(/^\.(\w+)(?:\.as\((\w+)\)|\.ofType\((\w+)\))?(?![\w(])/);
    if (!step) return undefined;
    const only = (step[2] ?? step[3])?.replace('DateTime', 'dateTime');
    nodes = nodes.flatMap((node) => children(defs, node, step[1], only));
  }
  return nodes;
}

// ---- parameters ----------------------------------------------------------------------------------------------------

/// What a parameter finds, or nothing where that is not of a supported kind.
function parameter(defs, type, published, source) {
  if (!published.expression || !READS[published.type]) return undefined;
  const nodes = compile(defs, type, published.expression)?.filter((node) => READS[published.type].includes(node.type));
  if (!nodes?.length) return undefined;
  const types = [...new Set(nodes.map((node) => node.type))];
  const paths = nodes.flatMap(({ path, type }) => PARTS[type]?.map((part) => `${path}.${part}`) ?? [path]);
  const kind = kindOf(defs, published, nodes, types);
  return kind && { name: published.code, kind, paths: [...new Set(paths)], source };
}

function kindOf(defs, published, nodes, types) {
  const all = (...of) => types.every((type) => of.includes(type));
  if (published.type === 'date') return nodes.some((node) => node.repeats) ? 'Dates' : 'Date';
  if (published.type === 'string') return 'String';
  if (all('CodeableConcept', 'Coding')) return 'Token';
  if (all('Identifier')) return 'Identifier';
  if (all('canonical')) return 'Canonical';
  if (all('code')) {
    const systems = new Set(nodes.map((node) => defs.codes.valueSets[defs.codes.elements[node.at]]?.system));
    const [system] = systems;
    return systems.size === 1 && system ? `Code(${text(system)})` : undefined;
  }
  if (!all('Reference')) return undefined;
  const known = typesOf(defs);
  const admitted = (name) => known.includes(name) && nodes.some((node) => !node.to || node.to.includes(name));
  const targets = (published.target ?? known).filter(admitted);
  return targets.length === known.length ? 'Reference(ANY)' : `Reference(${list(targets)})`;
}

/// The parameters of a type: those of US Core, and those of R4 that it does not define.
export function parametersOf(defs, type) {
  const found = new Map();
  const add = (all, base, source) => {
    for (const published of all) {
      const { code, url } = published;
      if (found.has(code) || code.startsWith('_') || !published.base.includes(type)) continue;
      if (!url.startsWith(base)) throw new Error(`${url} is not under ${base}`);
      const row = parameter(defs, type, published, `${source}(${text(url.slice(base.length))})`);
      if (row) found.set(code, row);
    }
  };
  add(defs.usCore.searchParameters, US_CORE_BASE, 'UsCore');
  add(defs.parameters, R4_BASE, 'R4');
  for (const include of defs.usCore.resources[type]?.searchInclude ?? []) {
    const [, name, target] = include[0].split(':');
    const row = found.get(name);
    if (!row) throw new Error(`${include[0]} is not understood`);
    row.included = target ? [...(row.included ?? []), target] : row.kind.slice('Reference'.length);
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

// ---- combinations --------------------------------------------------------------------------------------------------

/// The combinations of parameters that US Core asks for, by type: the required ones first, and the shorter ones first.
export function combinationsOf(defs) {
  const found = typesOf(defs).flatMap((type) =>
    (defs.usCore.resources[type]?.combinations ?? []).map(([names, level]) => ({ type, level, names })),
  );
  const key = ({ type, level, names }) => [type, level, names.length, names].join();
  return found.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

// ---- types ---------------------------------------------------------------------------------------------------------

/// The types that a patient's record may hold: those of the patient compartment, those that US Core names, and Binary.
export function typesOf(defs) {
  const names = new Set(['Patient', 'Binary', ...Object.keys(defs.patients), ...Object.keys(defs.usCore.resources)]);
  return [...names].sort();
}

/// The profiles of US Core for a type, by name, each with how binding it is. Newer versions name theirs with the
/// version.
function profilesOf(defs, type) {
  return (defs.usCore.resources[type]?.profiles ?? [])
    .filter(([url]) => url.startsWith(US_CORE_PROFILES))
    .map(([url, level]) => [url.slice(US_CORE_PROFILES.length).split('|')[0], level])
    .sort();
}

/// What all resources have, whatever is asked for.
const ALWAYS = ['implicitRules', 'modifierExtension'];

export function typeOf(defs, type) {
  const own = Object.entries(defs.elements).filter(([at]) => at.startsWith(`${type}.`));
  const name = (at) => at.slice(type.length + 1);
  const essential = own
    .filter(([at, element]) => !name(at).includes('.') && (element.min || element.m))
    .map(([at]) => name(at));
  const attachments = own.filter(([, element]) => element.t?.join() === 'Attachment').map(([at]) => name(at));
  const usCore = defs.usCore.resources[type];
  const patient = parametersOf(defs, type).find((param) => param.name === 'patient')?.paths ?? [];
  return {
    name: type,
    patient,
    essential: essential.filter((element) => !ALWAYS.includes(element)),
    attachments,
    profiles: profilesOf(defs, type).map(([name]) => name),
    provenance: (usCore?.searchRevInclude ?? []).some(([include]) => include === 'Provenance:target'),
  };
}

// ---- additions -----------------------------------------------------------------------------------------------------

/// The additions of another version of US Core for the types that are served: what is neither served nor in these
/// definitions, as [type, what, name, level].
export function additions(defs, other, served) {
  return Object.entries(served).flatMap(([type, { parameters, includes }]) => {
    const asked = other.usCore.resources[type] ?? {};
    const include = [...(asked.searchInclude ?? []), ...(asked.searchRevInclude ?? [])].map(([name, level]) => [
      name.split(':').slice(0, 2).join(':'),
      level,
    ]);
    const combinations = (of) =>
      combinationsOf(of)
        .filter((combination) => combination.type === type)
        .map(({ names, level }) => [names.join(' + '), level]);
    const known = (rows) => rows.map(([name]) => name);
    return [
      ['parameter', (asked.params ?? []).map(([name, , , level]) => [name, level]), parameters],
      ['combination', combinations(other), known(combinations(defs))],
      ['include', [...new Map(include)], includes],
      ['profile', profilesOf(other, type), known(profilesOf(defs, type))],
    ].flatMap(([what, all, here]) =>
      all.filter(([name]) => !here.includes(name)).map(([name, level]) => [type, what, name, level]),
    );
  });
}

// ---- the tables ----------------------------------------------------------------------------------------------------

const text = (value) => JSON.stringify(value);
const list = (values) => `&[${values.map(text).join(', ')}]`;
const from = `R4 4.0.1 and US Core ${US_CORE}`;
const written = '//! Written by `tools/definitions.mjs`: not to be edited.';

function typeTable(defs) {
  const rows = typesOf(defs).map((type) => {
    const { name, patient, essential, attachments, profiles, provenance } = typeOf(defs, type);
    const more = [
      attachments.length > 0 && `.attachments(${list(attachments)})`,
      profiles.length > 0 && `.profiles(${list(profiles)})`,
      provenance && '.with_provenance()',
    ];
    return `define(${text(name)}, ${list(patient)}, ${list(essential)})${more.filter(Boolean).join('')},`;
  });
  return `//! Facts about the resource types that a patient's record may hold, from ${from}.\n${written}

use super::definition::{Definition, define};

/// The version of US Core that the profiles are of.
pub const US_CORE: &str = ${text(US_CORE)};

/// The types in alphabetical order, each with the elements that name its patient and those that no subset leaves out.
pub(super) const TYPES: &[Definition] = &[${rows.join('\n')}];\n`;
}

function parameterTable(defs) {
  const rows = typesOf(defs).map((type) => {
    const params = parametersOf(defs, type).map(({ name, kind, paths, source, included }) => {
      const include = included ? `.included(${Array.isArray(included) ? list(included) : included.slice(1, -1)})` : '';
      return `param(${text(name)}, ${kind}, ${list(paths)}, ${source})${include},`;
    });
    return `(${text(type)}, &[${params.join('\n')}]),`;
  });
  const combinations = combinationsOf(defs).map(
    ({ type, level, names }) => `(${text(type)}, ${capitalized(level.toLowerCase())}, ${list(names)}),`,
  );
  return `//! The search parameters of the types that a patient's record may hold, from ${from}: those of the
//! kinds that are supported; and their combinations.
${written}

use super::combination::Expectation::{self, Shall, Should};
use super::definition::{
    ANY, Defined,
    Form::{Canonical, Code, Date, Dates, Identifier, Reference, String, Token},
    Source::{R4, UsCore},
    param,
};

/// The types in alphabetical order, each with its parameters.
pub(super) const PARAMETERS: &[(&str, &[Defined])] = &[${rows.join('\n')}];

/// The combinations of parameters that US Core asks for, by type and level.
pub(super) const COMBINED: &[(&str, Expectation, &[&str])] = &[${combinations.join('\n')}];\n`;
}

const formatted = (code) =>
  execFileSync('rustfmt', ['--edition', '2024', '--config', 'max_width=120,use_small_heuristics=Max'], {
    input: code,
    encoding: 'utf8',
  });

function main([folder, flag, version]) {
  if (!folder) throw new Error('which folder holds the definitions?');
  const defs = read(folder);
  if (flag === '--additions') {
    if (!version) throw new Error('of which version?');
    for (const row of additions(defs, read(folder, version), servedTypes())) console.log(row.join('\t'));
    return;
  }
  const root = fileURLToPath(new URL('..', import.meta.url));
  let differs = 0;
  for (const [path, code] of [
    ['src/fhir/definitions.rs', typeTable(defs)],
    ['src/search/definitions.rs', parameterTable(defs)],
  ]) {
    const table = formatted(code);
    if (flag !== '--check') writeFileSync(join(root, path), table);
    else if (readFileSync(join(root, path), 'utf8') !== table) {
      differs += 1;
      console.error(`${path} is not as the definitions have it: make definitions`);
    }
  }
  process.exitCode = differs ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
