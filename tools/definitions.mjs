// Extracts facts about resource types and search parameters from the official definitions, and writes them as
// tab-separated tables in src/search/tables/ and src/fhir/tables/, which the product reads. The types that this server
// serves are listed by hand in src/fhir/tables/served.tsv.
//
//   node tools/definitions.mjs DEFINITIONS           writes the tables
//   node tools/definitions.mjs DEFINITIONS --check   checks that the tables are up to date
//
// DEFINITIONS is a folder with facts from the packages hl7.fhir.r4.core 4.0.1 and hl7.fhir.us.core:
//
//   search-parameters.r4.json.gz  the SearchParameters, with the members that are read below
//   elements.r4.json.gz           {types, elements}: the elements of the base StructureDefinitions by path, with their
//                                 types (t), targets (to), cardinality (min, n), isSummary (s) and isModifier (m)
//   code-systems.r4.json          the system of each element of type code with a required binding
//   compartments.r4.json          the CompartmentDefinitions, by type
//   us-core-VERSION.json          the CapabilityStatement us-core-server and the SearchParameters of that version

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/// The version of US Core that the contract names, and all versions with a table.
const US_CORE = '6.1.0';
export const VERSIONS = [US_CORE, '7.0.0', '8.0.0'];
const R4_BASE = 'http://hl7.org/fhir/SearchParameter/';
const US_CORE_BASE = 'http://hl7.org/fhir/us/core/SearchParameter/';
const US_CORE_PROFILES = 'http://hl7.org/fhir/us/core/StructureDefinition/';

/// The types that the value of an extension may have, by the type of the parameter that reads the extension. The
/// definitions of the extensions, which list their types, are not available here.
const READS = {
  token: ['CodeableConcept', 'Coding', 'code', 'Identifier', 'boolean'],
  date: ['date', 'dateTime', 'instant', 'Period', 'Timing'],
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
    codes: json('code-systems.r4.json'),
    compartments: json('compartments.r4.json'),
    usCore: json(`us-core-${usCore}.json`),
  };
}

// ---- elements ------------------------------------------------------------------------------------------------------

const capitalized = (name) => name[0].toUpperCase() + name.slice(1);

/// Returns the elements of a name under a node; a choice element becomes one node for each type. A node has its path in
/// the definitions (`at`) and in JSON (`path`), the type of its element, whether a resource may have several of it, the
/// types that it may refer to, and the conditions on the elements of its path.
function children(defs, node, name, only) {
  const [at, choice] = find(defs, holderOf(defs, node), name);
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
      conditions: node.conditions,
    }));
}

/// Returns the type or the element at which the elements under a node are defined.
function holderOf(defs, node) {
  const own = defs.elements[node.at];
  const isOwn = own?.t?.every((type) => type === 'BackboneElement' || type === 'Element');
  return own?.as ?? (isOwn ? node.at : node.type);
}

/// Returns the path of an element of a type or of its base types, and whether the element is a choice.
function find(defs, holder, name) {
  for (let of = holder; of; of = defs.types[of]?.base) {
    if (defs.elements[`${of}.${name}`]) return [`${of}.${name}`, false];
    if (defs.elements[`${of}.${name}[x]`]) return [`${of}.${name}[x]`, true];
  }
  return [];
}

// ---- expressions ---------------------------------------------------------------------------------------------------

/// Returns the elements that an expression finds in a type, or `undefined` if its form is not supported. Supported are
/// paths, unions, casts, the first of a list, `where(resolve() is T)`, `where(name='value')`, and extensions by URL.
/// For `X.exists() and X != false` the result is X. `kind` is the type of the parameter.
export function compile(defs, type, expression, kind) {
  const found = [];
  for (const part of expression.split('|').map((text) => text.trim())) {
    const text = part
      .replace(/^\(([\w.]+) as (\w+)\)/, '$1.as($2)')
      .replace(/^([\w.]+)\.exists\(\) and \1 != false$/, '$1');
    const [root] = text.split('.');
    if (root !== type && root !== 'Resource' && root !== 'DomainResource') {
      if (defs.types[root]) continue;
      if (!find(defs, type, root)[0]) return undefined;
    }
    const start = { at: type, path: '', type, conditions: [] };
    const nodes = steps(defs, start, defs.types[root] ? text.slice(root.length) : `.${text}`, READS[kind]);
    if (!nodes) return undefined;
    found.push(...nodes);
  }
  return found;
}

const segments = ({ path }) => path.split('.').length;
const demand = (node, condition) => ({ ...node, conditions: [...node.conditions, condition] });

function steps(defs, start, text, reads) {
  let nodes = [start];
  let rest = text;
  const take = (form) => {
    const match = form.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  while (rest) {
    const extension = take(/^\.extension\.where\(url ?= ?'([^']+)'\)/);
    if (extension) {
      const at = { at: 'Extension', path: `extension(${extension[1]})`, type: 'Extension' };
      nodes = nodes.map((node) => ({ ...node, ...at }));
      continue;
    }
    const value = nodes.every(({ type }) => type === 'Extension') && take(/^\.value([A-Z]\w*)?(?=\.|$)/);
    if (value) {
      const is = ({ type }) => (value[1] ? capitalized(type) === value[1] : (reads?.includes(type) ?? true));
      nodes = nodes.flatMap((node) => children(defs, node, 'value')).filter(is);
      continue;
    }
    const is = take(/^\.where\(resolve\(\) is (\w+)\)/);
    if (is) {
      nodes = nodes.map((node) => demand({ ...node, to: [is[1]] }, ['is', segments(node), is[1]]));
      continue;
    }
    const equal = take(/^\.where\((\w+) ?= ?'([^']+)'\)/);
    if (equal) {
      nodes = nodes.map((node) => demand(node, ['eq', segments(node), equal[1], equal[2]]));
      continue;
    }
    const step = take(/^\.(\w+)(\[0\])?(?:\.as\((\w+)\)|\.ofType\((\w+)\))?(?![\w(])/);
    if (!step) return undefined;
    const only = (step[3] ?? step[4])?.replace('DateTime', 'dateTime');
    nodes = nodes.flatMap((node) => children(defs, node, step[1], only));
    if (step[2]) nodes = nodes.map((node) => ({ ...node, path: `${node.path}[0]` }));
  }
  return nodes;
}

/// The composites whose two components have swapped expressions in the publication.
const SWAPPED = ['DocumentReference-relationship'];

/// Returns the components of a composite: each has the code and the type of its parameter, and the elements that it
/// finds under each root. A root is an element that is one instance of the composite.
export function components(defs, type, published) {
  const roots = compile(defs, type, published.expression);
  return {
    roots: roots.map((root) => root.path),
    components: published.component.map(({ definition }, at, all) => {
      const { expression } = all.at(SWAPPED.includes(published.id) ? -1 - at : at);
      const { code, type: kind } = defs.parameters.find(({ url }) => url === definition);
      const rules = roots.flatMap((root) =>
        expression.split('|').flatMap((part) => {
          const text = part.trim();
          const whole = text.startsWith('%resource.');
          const from = { ...(whole ? { at: type, type } : root), path: '', conditions: [] };
          return steps(defs, from, whole ? text.slice('%resource'.length) : `.${text}`).map((node) => ({
            ...node,
            root: root.path,
            path: whole ? `/${node.path}` : node.path,
          }));
        }),
      );
      return { code, kind, rules };
    }),
  };
}

// ---- parameters ----------------------------------------------------------------------------------------------------

/// Returns the concrete resource types of R4 in alphabetical order.
export function typesOf({ types }) {
  const is = ([, { kind, abstract }]) => kind === 'resource' && !abstract;
  return Object.entries(types)
    .filter(is)
    .map(([type]) => type)
    .sort();
}

/// Returns the columns of a parameter's row.
function columns(defs, type, published) {
  const { code, type: kind, expression } = published;
  if (kind === 'composite') {
    const parts = components(defs, type, published).components.map((component) => {
      const found = component.rules.map((rule) => `${rule.root}/${element(rule)}`);
      return [component.code, component.kind, ...found].join(' ');
    });
    return { kind, found: parts.join('; '), more: '' };
  }
  const nodes = expression ? compile(defs, type, expression, kind) : [];
  if (!nodes?.length && expression) throw new Error(`${type} ${code}: ${expression} is not understood`);
  const name = code.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const found = nodes.map((node) => {
    const text = element(node);
    const several = kind === 'date' && node.repeats ? '*' : '';
    return (text.startsWith(`${name}:`) ? text.slice(name.length) : text) + several;
  });
  const more = kind === 'reference' ? targets(defs, published, nodes) : system(defs, nodes);
  return { kind, found: found.join(' '), more };
}

/// Returns an element in the form of the tables: its path and its type.
function element({ path, type, conditions }) {
  const steps = path.split('.');
  for (const [what, count, ...of] of conditions) steps[count - 1] += `[${what === 'is' ? of[0] : of.join('=')}]`;
  return `${steps.join('.')}:${type}`;
}

/// Returns the target types of a reference: those that the parameter and one of its elements allow. `*` stands for all
/// types; the definitions list all but Parameters.
function targets(defs, published, nodes) {
  const all = typesOf(defs);
  const admitted = (name) => all.includes(name) && nodes.some((node) => !node.to || node.to.includes(name));
  const found = (published.target ?? all).filter(admitted);
  return found.length >= all.length - 1 ? '*' : found.join(' ');
}

/// Returns the system that the bindings of all elements of type `code` imply, if it is a single one.
function system(defs, nodes) {
  const codes = nodes.filter((node) => node.type === 'code');
  const systems = new Set(codes.map((node) => defs.codes.valueSets[defs.codes.elements[node.at]]?.system));
  const [only] = systems;
  return systems.size === 1 && only ? only : '';
}

/// Returns the rows of a type's parameters from a list of SearchParameters, sorted by name.
function rowsOf(defs, type, all, base) {
  const own = all.filter((published) => published.base.includes(type));
  const rows = own.map((published) => {
    if (!published.url.startsWith(base)) throw new Error(`${published.url} is not under ${base}`);
    return { name: published.code, ...columns(defs, type, published), id: published.url.slice(base.length) };
  });
  return rows.sort((one, other) => (one.name < other.name ? -1 : 1));
}

export const r4Rows = (defs, type) => rowsOf(defs, type, defs.parameters, R4_BASE);

export const usCoreRows = (defs, type) => rowsOf(defs, type, defs.usCore.searchParameters, US_CORE_BASE);

// ---- US Core -------------------------------------------------------------------------------------------------------

const order = (one, other) => (one < other ? -1 : 1);

/// Returns the combinations of parameters that US Core requests for a type, sorted by level and then by length.
function combinationsOf(defs, type) {
  const found = (defs.usCore.resources[type]?.combinations ?? []).map(([names, level]) => ({ level, names }));
  const key = ({ level, names }) => [level, names.length, names].join();
  return found.sort((one, other) => order(key(one), key(other)));
}

/// Returns the profiles that US Core requests for a type, each with its conformance level. US Core profiles are listed
/// by name, others by URL. Newer versions of US Core append the version to the URL, which is removed.
function profilesOf(defs, type) {
  return (defs.usCore.resources[type]?.profiles ?? [])
    .map(([url, level]) => [url.replace(US_CORE_PROFILES, '').split('|')[0], level])
    .sort();
}

// ---- the tables ----------------------------------------------------------------------------------------------------

/// The elements that every answer includes, whatever elements are requested.
const ALWAYS = ['implicitRules', 'modifierExtension'];

const line = (...columns) => columns.join('\t').trimEnd();

/// Returns a table with a comment as its first line.
const table = (lines) => `# Written by tools/definitions.mjs; README.md explains it.\n${lines.join('\n')}\n`;

/// Returns the lines of a type below its name.
const block = (type, lines) => (lines.length > 0 ? [type, ...lines] : []);

function typeTable(defs) {
  const lines = typesOf(defs).map((type) => {
    const own = Object.entries(defs.elements)
      .filter(([at]) => at.startsWith(`${type}.`))
      .map(([at, element]) => [at.slice(type.length + 1), element]);
    const names = (elements) => elements.map(([name]) => name).join(' ');
    const essential = own.filter(([name, { min, m }]) => !name.includes('.') && (min || m) && !ALWAYS.includes(name));
    const attachments = own.filter(([, { t }]) => t?.join() === 'Attachment');
    return line(type, names(essential), names(attachments));
  });
  return table(lines);
}

/// The elements that every element or resource may have, and that summaries do not mention separately.
const IN_EACH = ['id', 'extension', 'modifierExtension'];
const isInSummary = ({ s, min, m }) => s || min || m;

/// Groups all elements, as [path, element], by the type or the element directly above them.
function byHolder(elements) {
  const found = new Map();
  for (const [at, element] of Object.entries(elements)) {
    const holder = at.slice(0, at.lastIndexOf('.'));
    found.set(holder, [...(found.get(holder) ?? []), [at, element]]);
  }
  return found;
}

/// Returns the elements directly below a type or an element, including inherited ones, as [name, element].
function below(defs, holder) {
  defs.below ??= byHolder(defs.elements);
  const found = new Map();
  for (let of = holder; of; of = defs.types[of]?.base) {
    for (const [at, element] of defs.below.get(of) ?? []) {
      const name = at.slice(of.length + 1);
      if (!IN_EACH.includes(name) && !found.has(name)) found.set(name, element);
    }
  }
  return [...found];
}

/// Returns the paths of elements that a summary leaves out within the elements that it has, in alphabetical order.
/// Recursive elements, such as a rule within a rule, are not followed.
function leftOut(defs, node, within = []) {
  const holder = holderOf(defs, node);
  if (holder === 'Resource' || within.includes(holder)) return [];
  const paths = below(defs, holder).flatMap(([name, element]) => {
    const nodes = children(defs, node, name.replace('[x]', ''));
    if (isInSummary(element)) return nodes.flatMap((child) => leftOut(defs, child, [...within, holder]));
    return node.path ? nodes.map(({ path }) => path) : [];
  });
  return paths.sort();
}

function summaryTable(defs) {
  const lines = typesOf(defs).map((type) => {
    const own = below(defs, type).filter(([name, { s, min, m }]) => s && !min && !m && !ALWAYS.includes(name));
    const names = own.map(([name]) => name).filter((name) => name !== 'meta');
    return line(type, names.join(' '), leftOut(defs, { at: type, path: '', type, conditions: [] }).join(' '));
  });
  return table(lines);
}

/// The element types that searches read, by parameter type. Parameters of other types, those without such an element,
/// and composites of these are in a separate table, which no build includes.
const SUPPORTED = Object.fromEntries(
  readFileSync(new URL('../src/search/tables/element-types.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((row) => !row.startsWith('#'))
    .map((row) => row.split('\t'))
    .map(([kind, types]) => [kind, types.split(' ')]),
);
function isSupported({ kind, found }) {
  if (kind !== 'composite') return readsOneOf(kind, found.split(' '));
  return found.split('; ').every((component) => {
    const [, kind, ...elements] = component.split(' ');
    return readsOneOf(kind, elements);
  });
}
const readsOneOf = (kind, elements) =>
  elements.some((text) => SUPPORTED[kind]?.includes(text.slice(text.lastIndexOf(':') + 1).replace('*', '')));

function parameterTable(defs, supported) {
  const lines = ['Resource', 'DomainResource', ...typesOf(defs)].flatMap((type) => {
    const rows = r4Rows(defs, type).filter((row) => isSupported(row) === supported);
    return block(
      type,
      rows.map(({ name, kind, found, more, id }) => line(name, kind, found, more, id === `${type}-${name}` ? '' : id)),
    );
  });
  return table(lines);
}

function compartmentTable(defs) {
  const compartments = Object.entries(defs.compartments).sort(([a], [b]) => (a < b ? -1 : 1));
  return table(
    compartments.flatMap(([of, { resources }]) =>
      block(
        of,
        Object.entries(resources).map(([type, names]) => line(type, names.join(' '))),
      ),
    ),
  );
}

function usCoreTable(defs) {
  const lines = typesOf(defs).flatMap((type) => {
    const own = defs.usCore.resources[type] ?? {};
    const r4 = new Map(r4Rows(defs, type).map((row) => [row.name, row]));
    const levels = new Map((own.params ?? []).map(([name, , , level]) => [name, level]));
    const parameters = usCoreRows(defs, type).map(({ name, kind, found, more, id }) => {
      const other = r4.get(name) ?? {};
      const same = name.startsWith('_') || (other.kind === kind && other.found === found && other.more === more);
      const usual = `us-core-${type.toLowerCase()}-${name}`;
      return line(
        'parameter',
        name,
        levels.get(name) ?? '',
        id === usual ? '' : id,
        ...(same ? [] : [kind, found, more]),
      );
    });
    const includes = new Map();
    for (const [include, level] of own.searchInclude ?? []) {
      const [, name, target] = include.split(':');
      includes.set(name, [level, [includes.get(name)?.[1], target].filter(Boolean).join(' ')]);
    }
    return block(type, [
      ...profilesOf(defs, type).map(([name, level]) => line('profile', name, level)),
      ...parameters,
      ...combinationsOf(defs, type).map(({ names, level }) => line('combination', names.join(' '), level)),
      ...[...includes].map(([name, [level, targets]]) => line('include', name, level, targets)),
      ...(own.searchRevInclude ?? []).map(([name, level]) => line('revinclude', name, level)),
    ]);
  });
  return table(lines);
}

function main([folder, flag]) {
  if (!folder) throw new Error('which folder holds the definitions?');
  const defs = read(folder);
  const tables = {
    types: typeTable(defs),
    parameters: parameterTable(defs, true),
    'parameters-unsupported': parameterTable(defs, false),
    summary: summaryTable(defs),
    compartments: compartmentTable(defs),
  };
  for (const version of VERSIONS) tables[`us-core-${version}`] = usCoreTable(read(folder, version));
  let differs = 0;
  for (const [name, text] of Object.entries(tables)) {
    const path = `src/${['types', 'summary'].includes(name) ? 'fhir' : 'search'}/tables/${name}.tsv`;
    const file = new URL(`../${path}`, import.meta.url);
    if (flag !== '--check') writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      differs += 1;
      console.error(`${path} is not as the definitions have it: make definitions`);
    }
  }
  process.exitCode = differs ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
