// Extracts facts about resource types and search parameters from the official definitions, and writes them as
// tab-separated tables in src/search/tables/ and src/fhir/tables/, which the product reads. The types that this server
// serves are listed by hand in src/fhir/tables/served.tsv.
//
//   node tools/definitions.mjs DEFINITIONS           writes the tables
//   node tools/definitions.mjs DEFINITIONS --check   checks that the tables are up to date
//
// DEFINITIONS is a folder with facts from the package hl7.fhir.r4.core 4.0.1 and from guides:
//
//   search-parameters.r4.json.gz  the SearchParameters, with the members that are read below
//   elements.r4.json.gz           {types, elements}: the elements of the base StructureDefinitions by path, with their
//                                 types (t), targets (to), cardinality (min, n), isSummary (s) and isModifier (m)
//   code-systems.r4.json          the system of each element of type code with a required binding
//   compartments.r4.json          the CompartmentDefinitions, by type
//   us-core-VERSION.json          the CapabilityStatement us-core-server and the SearchParameters of that version
//   guides/NAME-VERSION.json      the same of another guide or a later version, with the types of its extensions
//   guides/corrections.json       how to read what a guide publishes wrongly: [guide, what, field, read as, why]

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/// The guides with a part in the table of guides. The first one is the version of US Core that the contract names. Of
/// versions that follow each other and ask for the same, the table has one part.
export const GUIDES = [
  ...['us-core-6.1.0', 'us-core-7.0.0', 'us-core-8.0.0', 'us-core-9.0.0'],
  ...['carin-bb-2.0.0', 'carin-bb-2.1.0', 'carin-bb-2.2.0', 'pdex-2.0.0', 'pdex-2.1.0', 'pdex-2.2.0'],
  ...['plan-net-1.1.0', 'plan-net-1.2.0', 'plan-net-2.0.0-ballot', 'formulary-2.0.1', 'formulary-2.1.0'],
  ...['ipa-1.0.0', 'ipa-1.1.0', 'eu-health-data-api-1.0.0-ballot'],
];
const isUsCore = (guide) => guide.startsWith('us-core-');
/// The other CapabilityStatements of a guide that this server instantiates too.
const OTHERS = { 'eu-health-data-api-1.0.0-ballot': ['EEHRxF-DocumentAccessProvider'] };
/// What a guide needs besides the parameters that it names: the tag that tells the two forms of a claim apart.
const NEEDED = { 'ExplanationOfBenefit use': '_tag' };
const R4_BASE = 'http://hl7.org/fhir/SearchParameter/';

/// The types of elements that searches read as the value of an extension whose definition is not known, by the type of
/// the parameter, and the values of the extensions of FHIR itself that occur.
const READS = { token: ['CodeableConcept', 'Coding', 'code', 'Identifier', 'boolean'] };
const EXTENSIONS = {
  'http://hl7.org/fhir/StructureDefinition/condition-assertedDate': { value: ['dateTime'] },
  'http://hl7.org/fhir/StructureDefinition/organization-period': { value: ['Period'] },
};

export function read(folder, name = GUIDES[0]) {
  const json = (name) => {
    const bytes = readFileSync(join(folder, name));
    return JSON.parse(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  };
  const { types, elements } = json('elements.r4.json.gz');
  const guide = json(existsSync(join(folder, `${name}.json`)) ? `${name}.json` : `guides/${name}.json`);
  return {
    types,
    elements,
    parameters: json('search-parameters.r4.json.gz'),
    codes: json('code-systems.r4.json'),
    compartments: json('compartments.r4.json'),
    name,
    guide,
    extensions: { ...EXTENSIONS, ...guide.extensions },
    corrections: json('guides/corrections.json').rows.filter(([of]) => isMeant(of, name)),
  };
}

/// Returns whether a row of the corrections is about a guide: `plan-net-*`, or `plan-net-1.2.0, 2.0.0-ballot`.
function isMeant(of, guide) {
  const [first, ...versions] = of.split(', ');
  const [family] = /^[a-z-]+-/.exec(first);
  return first === `${family}*`
    ? guide.startsWith(family)
    : [first, ...versions.map((one) => family + one)].includes(guide);
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

/// Returns the elements that an expression finds in a type, or `undefined` if its form is not supported or a part of it
/// finds no element. Supported are paths, unions, casts, the first of a list, `where(resolve() is T)`,
/// `where(name='value')`, and extensions by URL, which stand for their values. For `X.exists() and X != false` the
/// result is X. `kind` is the type of the parameter.
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
    if (!nodes?.length) return undefined;
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
  const valuesOf = (node, type) => {
    const { value } = node.extension ?? {};
    const known = value?.map((one) => /^\w+/.exec(one)[0]) ?? reads;
    const is = (child) =>
      type ? capitalized(child.type) === capitalized(type) : (known?.includes(child.type) ?? true);
    return children(defs, node, 'value').filter(is);
  };
  while (rest) {
    const url = take(/^\.extension\.where\(url ?= ?'([^']+)'\)/)?.[1];
    if (url) {
      nodes = nodes.map((node) => {
        const extension = (node.extension?.parts ?? defs.extensions)?.[url];
        const path = [node.path, `extension(${url})`].filter(Boolean).join('.');
        const repeats = node.repeats || extension?.max === '*';
        return { ...node, at: 'Extension', path, type: 'Extension', repeats, extension };
      });
      continue;
    }
    const isExtension = nodes.every(({ type }) => type === 'Extension');
    const value = isExtension && take(/^\.value([A-Z]\w*)?(?:\.ofType\((\w+)\))?(?=\.|$)/);
    if (value) {
      nodes = nodes.flatMap((node) => valuesOf(node, value[1] ?? value[2]));
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
  return nodes.flatMap((node) => (node.type === 'Extension' ? valuesOf(node) : [node]));
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

const order = (one, other) => (one < other ? -1 : 1);
const byName = (one, other) => order(one.name, other.name);

/// Returns the rows of the R4 parameters of a type, sorted by name.
function r4Rows(defs, type) {
  const own = defs.parameters.filter((published) => published.base.includes(type));
  const row = (published) => {
    if (!published.url.startsWith(R4_BASE)) throw new Error(`${published.url} is not of R4`);
    return { name: published.code, ...columns(defs, type, published), id: published.url.slice(R4_BASE.length) };
  };
  return own.map(row).sort(byName);
}

// ---- guides --------------------------------------------------------------------------------------------------------

/// Returns how the corrections read a member of what a guide publishes. `undefined` if they do not name it.
const corrected = ({ corrections }, what, member) =>
  corrections.find(([, of, named]) => of === what && named === member)?.[3];

/// Returns the rows of the parameters that a guide defines for a type, sorted by name. An expression that is not
/// understood is read as the corrections have it.
export function guideRows(defs, type) {
  const own = defs.guide.searchParameters.filter(({ base }) => base.includes(type));
  const row = (published) => {
    const { code, url } = published;
    const other = corrected(defs, url, 'expression');
    const isUnderstood = compile(defs, type, published.expression, published.type);
    const read = isUnderstood || !other ? published : { ...published, expression: other };
    return { name: code, ...columns(defs, type, read), id: url.slice(url.lastIndexOf('/') + 1) };
  };
  return own.map(row).sort(byName);
}

/// Returns the CapabilityStatements of a guide that this server instantiates.
const statementsOf = ({ name, guide }) => [guide, ...(OTHERS[name] ?? []).map((other) => guide.others[other])];

/// Returns a list that these CapabilityStatements have for a type.
const lists = (defs, type, member) => statementsOf(defs).flatMap(({ resources }) => resources[type]?.[member] ?? []);

/// Returns the rows of the parameters that guides define and R4 does not, by type and name. All have to define a
/// parameter alike, and as R4 does, unless a correction settles it.
function furtherRows(guides) {
  const found = new Map(typesOf(guides[0]).map((type) => [type, new Map(r4Rows(guides[0], type).map(named))]));
  const elements = (row) => `${row.kind} ${row.found.replaceAll('*', '')}`;
  for (const [defs, [type, known]] of guides.flatMap((defs) => [...found].map((of) => [defs, of]))) {
    const asked = lists(defs, type, 'params').map(([name]) => name);
    for (const row of guideRows(defs, type).filter(({ name }) => !name.startsWith('_'))) {
      const other = known.get(row.name);
      if (other && elements(other) !== elements(row) && !corrected(defs, `${type} ${row.name}`, 'expression')) {
        throw new Error(`${type} ${row.name} of ${defs.name} finds ${row.found}, and not ${other.found}`);
      }
      // What US Core defines and does not ask for, such as race, is in no set.
      if (!other && (asked.includes(row.name) || !isUsCore(defs.name)))
        known.set(row.name, { ...row, isFurther: true });
    }
  }
  return found;
}
const named = (row) => [row.name, row];

/// Returns the names of the parameters that a guide needs of each type beside those of US Core: those that it asks for
/// or defines, those of its includes, and those to which its chains lead.
function neededNames(defs, known) {
  const needed = new Map([...known.keys()].map((type) => [type, new Set()]));
  const need = (type, published) => {
    const [name, chained] = (corrected(defs, `${type} ${published}`, 'value') ?? published).split('.');
    const row = known.get(type)?.get(name);
    if (!row && !name.startsWith('_')) throw new Error(`${defs.name} asks for ${type} ${name}, which nothing defines`);
    if (row && !isSupported(row)) return;
    needed.get(type).add(name);
    if (NEEDED[`${type} ${name}`]) needed.get(type).add(NEEDED[`${type} ${name}`]);
    if (!chained) return;
    for (const to of row.more.split(' ').filter((to) => known.get(to).has(chained))) need(to, chained);
  };
  for (const type of known.keys()) {
    for (const [name] of lists(defs, type, 'params')) need(type, name);
    for (const { name } of guideRows(defs, type)) need(type, name);
    const values = ['searchInclude', 'searchRevInclude'].flatMap((member) => lists(defs, type, member));
    for (const [value] of values) {
      const [of, name] = value.includes(':') ? value.split(':') : [type, value];
      if (name !== '*') need(of, name);
    }
  }
  for (const [type, parameters = ''] of rowsOf('../src/fhir/tables/served.tsv')) {
    for (const name of ['_id', '_lastUpdated', ...parameters.split(/[* ]+/)]) needed.get(type).delete(name);
  }
  return needed;
}

/// Returns words, each below the level of conformance that precedes it: `patient SHALL code`. The first have no level.
function byLevel(entries) {
  const at = ([, level]) => ['', 'SHALL', 'SHOULD', 'MAY'].indexOf(level ?? '');
  const sorted = entries.toSorted((one, other) => at(one) - at(other));
  return sorted.flatMap(([word, level], index) => (level && level !== sorted[index - 1]?.[1] ? [level, word] : [word]));
}

/// Returns the lines of the table of guides about a guide: its addresses, and what it says about each type. Those of
/// other guides than US Core leave out what US Core says too.
function guideLines(defs, usCore, known) {
  const isOwn = isUsCore(defs.name);
  const needed = isOwn ? undefined : neededNames(defs, known);
  const canonicalOf = ({ guide }) => guide.url.split('/CapabilityStatement/')[0];
  const canonical = canonicalOf(defs);
  const lines = [...known].map(([type, params]) => {
    const main = statementsOf(defs).flatMap(({ resources }) => resources[type]?.profile ?? []);
    const addresses = [...main, ...lists(defs, type, 'profiles').map(([url]) => url.split('|')[0])];
    const profiles = addresses
      .filter((url) => isOwn || !url.startsWith(canonicalOf(usCore[0])))
      .map((url) => url.replace(`${canonical}/StructureDefinition/`, ''));
    const ids = new Map(guideRows(defs, type).map(({ name, id }) => [name, id]));
    const levels = new Map(lists(defs, type, 'params').map(([name, , , level]) => [name, level]));
    const isMeant = (name) => name.startsWith('_') || params.has(name);
    const word = (name) => {
      const isUsual = ids.get(name) === `${isOwn ? 'us-core-' : ''}${type.toLowerCase()}-${name}`;
      const isDefined = ids.has(name) && (isOwn || params.get(name).isFurther);
      return [isDefined && !isUsual ? `${name}=${ids.get(name)}` : name, isOwn && levels.get(name)];
    };
    const parameters = isOwn ? [...ids.keys()].filter(isMeant) : [...needed.get(type)].sort();
    const isSaid = (names, one) => lists(one, type, 'combinations').some(([all]) => all.toSorted().join() === names);
    const combinations = lists(defs, type, 'combinations')
      .filter(([names]) => names.length > 1 && names.every(isMeant))
      .filter(([names]) => isOwn || !usCore.every((one) => isSaid(names.toSorted().join(), one)))
      .map(([names, level]) => [names.join('+'), level ?? 'SHOULD'])
      .sort(([one], [other]) => one.split('+').length - other.split('+').length || order(one, other));
    const values = (member) => (isOwn ? lists(defs, type, member) : []).map(([value]) => value.replace(`${type}:`, ''));
    const columns = [
      [...new Set(profiles)].sort(),
      byLevel(parameters.map(word)),
      byLevel(combinations),
      values('searchInclude'),
      values('searchRevInclude'),
    ];
    return line(type, ...columns.map((column) => column.join(' ')));
  });
  const statements = statementsOf(defs).map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
  return [line('*', canonical, statements.join(' ')), ...lines.filter((text) => text.includes('\t'))];
}

/// Returns the table of guides. Versions of the same lines share them.
function guideTable(guides, known) {
  const usCore = guides.filter(({ name }) => isUsCore(name));
  const parts = new Map();
  for (const defs of guides) {
    const text = guideLines(defs, usCore, known).join('\n');
    parts.set(text, [defs.name, ...(parts.get(text) ?? [])]);
  }
  return table([...parts].flatMap(([text, names]) => [names.join(' '), text]));
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
const rowsOf = (file) => {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.filter((row) => !row.startsWith('#')).map((row) => row.split('\t'));
};
const SUPPORTED = Object.fromEntries(
  rowsOf('../src/search/tables/element-types.tsv').map(([kind, types]) => [kind, types.split(' ')]),
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

const parameterLine = ({ name, kind, found, more, id, isFurther }) =>
  line(name, kind, found, more, isFurther ? '' : id);

function parameterTable(defs, supported) {
  const lines = ['Resource', 'DomainResource', ...typesOf(defs)].flatMap((type) => {
    const rows = r4Rows(defs, type).filter((row) => isSupported(row) === supported);
    return block(
      type,
      rows.map((row) => parameterLine({ ...row, id: row.id === `${type}-${row.name}` ? '' : row.id })),
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

function main([folder, flag]) {
  if (!folder) throw new Error('which folder holds the definitions?');
  const guides = GUIDES.map((name) => read(folder, name));
  const [defs] = guides;
  const known = furtherRows(guides);
  const further = (rows) =>
    [...rows.values()]
      .filter(({ isFurther }) => isFurther)
      .sort(byName)
      .map(parameterLine);
  const tables = {
    types: typeTable(defs),
    parameters: parameterTable(defs, true),
    'parameters-unsupported': parameterTable(defs, false),
    summary: summaryTable(defs),
    compartments: compartmentTable(defs),
    'parameters-of-guides': table([...known].flatMap(([type, rows]) => block(type, further(rows)))),
    guides: guideTable(guides, known),
  };
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
