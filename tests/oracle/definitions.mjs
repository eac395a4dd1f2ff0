// The search parameters of R4 and US Core, from definitions/: {type: {name: {kind, expression, targets, components}}}.

import fs from 'node:fs';

const linesOf = (name) =>
  fs
    .readFileSync(new URL(`definitions/${name}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'));

// What is wrong in the publication: components in the places of each other, and a type that is none.
const CORRECTED = {
  'DocumentReference relationship': { components: ['reference target', 'token code'], targets: ['DocumentReference'] },
  'Observation code-value-date': { components: ['token code', 'date value.as(dateTime) | value.as(Period)'] },
};

function readExpressions() {
  const found = {};
  let type;
  for (const [name, kind, expression, more] of linesOf('expressions')) {
    if (kind === undefined) {
      type = name;
      found[type] = {};
      continue;
    }
    const parts = kind === 'composite' ? more.split('; ') : undefined;
    // Some definitions name targets that their expressions leave out.
    const only = [...expression.matchAll(/resolve\(\) is (\w+)/g)].map(([, target]) => target);
    found[type][name] = {
      kind,
      expression: expression.replace(/(^|[ (])\./g, `$1${type}.`),
      targets: kind !== 'reference' ? undefined : only.length > 0 ? only : (more?.split(' ') ?? ['*']),
      components: (CORRECTED[`${type} ${name}`]?.components ?? parts)?.map((part) => {
        const [, kind, expression] = /^(\w+) (.+)$/.exec(part);
        // That of a document is the only one with a reference.
        return { kind, expression, targets: kind === 'reference' ? CORRECTED[`${type} ${name}`].targets : undefined };
      }),
    };
  }
  return found;
}

const { Resource: common, ...own } = readExpressions();

export const DEFINITIONS = Object.fromEntries(
  Object.entries(own).map(([type, params]) => [type, { ...common, ...params }]),
);

// 'Observation.status' -> [{system, codes}]: the codes of a system, or all.
export const SYSTEMS = new Map();
for (const [system, elements, codes] of linesOf('systems')) {
  for (const element of elements.split(' ')) {
    SYSTEMS.set(element, [...(SYSTEMS.get(element) ?? []), { system, codes: codes?.split(' ') }]);
  }
}
