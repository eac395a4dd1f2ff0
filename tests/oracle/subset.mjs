// The parts of resources for _summary and _elements (docs/decisions/search.md#parts-of-resources), by the published
// elements of R4, and not by the tables of the server.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FILE = join(process.env.DEFINITIONS ?? '../shared/definitions', 'elements.r4.json.gz');
export const isHere = existsSync(FILE);

const TAG = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };
const IN_EACH = ['id', 'extension', 'modifierExtension'];

let published;
function definitions() {
  published ??= JSON.parse(gunzipSync(readFileSync(FILE)));
  return published;
}

// The definition of a member of an object, which is defined at a type or at an element: the path, the element, and
// the place where the members of the member are defined.
function definitionOf(holder, member) {
  const { types, elements } = definitions();
  const name = member.replace(/^_/, '');
  for (let of = holder; of; of = types[of]?.base) {
    const plain = elements[`${of}.${name}`];
    if (plain) return { at: `${of}.${name}`, element: plain, holder: below(`${of}.${name}`, plain.t?.[0]) };
    for (let end = 1; end < name.length; end++) {
      const at = `${of}.${name.slice(0, end)}[x]`;
      const type = elements[at]?.t.find((type) => type[0].toUpperCase() + type.slice(1) === name.slice(end));
      if (type) return { at, element: elements[at], holder: below(at, type) };
    }
  }
  return undefined;

  function below(at, type) {
    return elements[at].as ?? (type === 'BackboneElement' || type === 'Element' ? at : type);
  }
}

// The summary of the value of an element that is in the summary, or undefined if it is empty.
function summarized(value, holder, within) {
  if (Array.isArray(value)) {
    const items = value.map((item) => summarized(item, holder, within)).filter((item) => item !== undefined);
    return items.length > 0 || value.length === 0 ? items : undefined;
  }
  if (value === null || typeof value !== 'object' || holder === 'Resource' || within.includes(holder)) return value;
  const members = Object.entries(value).flatMap(([member, held]) => {
    if (IN_EACH.includes(member)) return [[member, held]];
    const { element, holder: under } = definitionOf(holder, member) ?? {};
    if (element && !isMarked(element)) return [];
    const kept = member.startsWith('_') || !element ? held : summarized(held, under, [...within, holder]);
    return kept === undefined ? [] : [[member, kept]];
  });
  return members.length > 0 || Object.keys(value).length === 0 ? Object.fromEntries(members) : undefined;
}

const isMarked = ({ s, min, m }) => Boolean(s || min || m);

// shape: {summary: 'true' | 'text' | 'data'} or {elements: names}
export function subsetOf(resource, { summary, elements }) {
  const type = resource.resourceType;
  const { meta, ...others } = resource;
  const members = Object.entries(others).flatMap(([member, held]) => {
    if (['resourceType', 'id'].includes(member)) return [[member, held]];
    const { at, element, holder } = definitionOf(type, member) ?? { element: {} };
    const mustStay = element.min || element.m;
    if (summary === 'true') {
      if (!mustStay && !element.s) return [];
      const kept = member.startsWith('_') ? held : summarized(held, holder, [type]);
      return kept === undefined ? [] : [[member, kept]];
    }
    const stem = at?.endsWith('[x]') ? at.slice(type.length + 1, -'[x]'.length) : undefined;
    const name = member.replace(/^_/, '');
    const isWanted = { text: name === 'text', data: name !== 'text' }[summary] ?? [name, stem].some(isNamed);
    return mustStay || isWanted ? [[member, held]] : [];
  });
  const tags = meta?.tag ?? [];
  const isTagged = tags.some(({ system, code }) => system === TAG.system && code === TAG.code);
  return { ...Object.fromEntries(members), meta: { ...meta, tag: isTagged ? tags : [...tags, TAG] } };

  function isNamed(name) {
    return name !== undefined && elements.includes(name);
  }
}
