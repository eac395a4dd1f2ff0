// The search parameters of R4, and the further ones of guides, from the tables of the server, which tests/definitions/
// compares with the published definitions: {type: {name: {kind, elements, targets, components, isOfGuides}}}.
// An element is {type, system, steps}. The element of a component also belongs to an instance: {root, isOfResource}.

import fs from 'node:fs';

const linesOf = (name) =>
  fs
    .readFileSync(
      new URL(`../../src/${name === 'types' ? 'fhir' : 'search'}/tables/${name}.tsv`, import.meta.url),
      'utf8',
    )
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'));

// 'name', 'extension(url)', 'name[member=value]' or 'name[Type]' -> {name, member, wanted}
const STEP = /(\w+)(?:\((.+?)\))?(?:\[(?:(\w+)=)?(.+?)\])?(?:\.|$)/g;
export const stepsOf = (path) =>
  [...path.matchAll(STEP)].map(([, name, url, member, wanted]) => ({
    name,
    member: url ? 'url' : member,
    wanted: url ?? wanted,
  }));

const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

function elementOf(name, text, system) {
  const [, path, type] = /^(.*):(\w+)\*?$/.exec(text);
  return { type, system: type === 'code' ? system : undefined, steps: stepsOf(path || camelCase(name)) };
}

function componentOf(text, params) {
  const [name, kind, ...elements] = text.split(' ');
  const { targets, system } = params[name] ?? {};
  const read = (element) => {
    const [, root, isOfResource, path] = /^(\w*)\/(\/?)(.+)$/.exec(element);
    return { root, isOfResource: isOfResource !== '', ...elementOf('', path, system) };
  };
  return { kind, targets, elements: elements.map(read) };
}

function paramOf(name, [kind, found, more]) {
  if (kind === 'composite') return { kind, parts: found.split('; ') };
  const system = (kind === 'token' && more) || undefined;
  const elements = found.split(' ').map((text) => elementOf(name, text, system));
  return { kind, elements, system, targets: kind === 'reference' ? (more || '*').split(' ') : undefined };
}

// The columns of each line, and the type above it.
function* rowsOf(name) {
  let type;
  for (const columns of linesOf(name)) {
    if (columns.length === 1) [type] = columns;
    else yield [type, ...columns];
  }
}

const found = {};
for (const table of ['parameters', 'parameters-of-guides']) {
  for (const [type, name, ...rest] of rowsOf(table)) {
    found[type] ??= {};
    found[type][name] = { ...paramOf(name, rest), isOfGuides: table !== 'parameters' };
  }
}
for (const params of Object.values(found)) {
  for (const param of Object.values(params)) param.components = param.parts?.map((part) => componentOf(part, params));
}

const { Resource: common, ...own } = found;
const names = linesOf('types').map(([name]) => name);

export const DEFINITIONS = Object.fromEntries(names.map((name) => [name, { ...common, ...own[name] }]));
