// Opens a sample of the records that a chart links to, and compares the text of the drawer with all elements of each
// record in the files.

import { entry, said, saidConcept, saidDate, saidNarrative, saidQuantity } from './entry.mjs';
import { isObject } from './records.mjs';
import { list } from './words.mjs';

/// Opens some of the records that a part of a chart links to. Returns the text of the drawer and the JSON of each.
export const openRecords = (page, shares, part = 'main .sections') =>
  page.evaluate(
    async ([parts, within]) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const said = (node) => {
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        let text = '';
        for (let one = walker.nextNode(); one; one = walker.nextNode()) text += `${one.data} `;
        return text;
      };
      const links = [...document.querySelectorAll(`${within} button.record`)];
      const chosen = new Set(parts.map((part) => links[Math.floor(part * links.length)]).filter(Boolean));
      const opened = [];
      for (const link of chosen) {
        link.click();
        const drawer = () => document.querySelector('dialog.drawer[open]');
        for (let turn = 0; turn < 200 && !drawer(); turn += 1) await frame();
        await frame();
        // The title of a document opens its text, which has a button for its record.
        if (!drawer().querySelector('.record-json')) drawer().querySelector('.actions button.record').click();
        for (let turn = 0; turn < 200 && !drawer()?.querySelector('.record-json pre'); turn += 1) await frame();
        await frame();
        const copy = drawer().cloneNode(true);
        const address = copy.querySelector('.record-json .lead code').textContent;
        const json = copy.querySelector('.record-json pre').textContent;
        copy.querySelector('.record-json').remove();
        opened.push({ link: link.textContent, text: said(copy), address, json });
        drawer().close();
        await frame();
      }
      return opened;
    },
    [shares, part],
  );

/// Elements that are technical, or shown elsewhere on the page.
const LEFT_OUT = ['resourceType', 'id', 'meta', 'text', 'contained', 'implicitRules', 'language', 'url'];
const OWNERS = ['subject', 'patient', 'beneficiary'];

const has = (value, ...members) => members.some((name) => value[name] !== undefined);

/// Returns the checks of a value by its FHIR data type (https://hl7.org/fhir/R4/datatypes.html).
function checksOf(value) {
  if (Array.isArray(value)) return value.flatMap(checksOf);
  if (typeof value === 'number') return saidQuantity({ value });
  if (typeof value === 'string') {
    if (/^\d{4}(-\d\d){0,2}(T.*)?$/.test(value)) return saidDate(value);
    // A string without white space may be a code, which the page shows in its own words.
    return /\s/.test(value.trim()) ? said(value) : [];
  }
  if (!isObject(value)) return [];
  if (Array.isArray(value.coding)) return saidConcept(value);
  if (has(value, 'display')) return said(value.display);
  if (typeof value.reference === 'string') return [];
  if (has(value, 'value') && has(value, 'unit', 'comparator') && typeof value.value === 'number')
    return saidQuantity(value);
  // The texts of names, addresses, phone numbers and identifiers are checked, and not their periods or uses.
  if (has(value, 'family', 'given', 'line', 'city') || (has(value, 'system', 'use') && has(value, 'value')))
    return elements(value, ['period', 'system', 'use', 'type', 'assigner']);
  if (has(value, 'text') && has(value, 'time', 'authorString', 'authorReference'))
    return elements(value, ['extension']);
  if (has(value, 'contentType', 'data')) return said(value.title);
  // The page says "once" and "daily" for the 1 of a repetition.
  if (has(value, 'periodUnit')) return Object.values(value).flatMap((one) => (one === 1 ? [] : checksOf(one)));
  return elements(value, []);
}

const elements = (value, without) =>
  Object.entries(value)
    .filter(([name]) => !without.includes(name) && !LEFT_OUT.includes(name) && !name.startsWith('_'))
    .flatMap(([name, one]) => (name === 'extension' ? list(one).flatMap(extension) : checksOf(one)));

const extension = (one) => (isObject(one) ? elements(one, []) : []);

/// Returns the facts that the drawer must show of a record, and the fact that its JSON matches the files.
export function openedFacts(record) {
  const { resource } = record;
  return [
    ...elements(resource, OWNERS).map((word) =>
      entry('element of an opened record', record, [], undefined, { words: [word] }),
    ),
    ...saidNarrative(resource.text).map((word) =>
      entry('text of an opened record', record, [], undefined, { words: [word] }),
    ),
  ];
}
