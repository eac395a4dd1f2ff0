//! What the name of a result says beyond its code: another person, a side, or a time within a test.

import { codesOf, namesOf } from '../fhir/concept-codes.ts';
import { textAt, valuesAt } from '../fhir/element-text.ts';
import { concept } from '../fhir/text.ts';
import type { Concept, Observation } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import { kept } from '../kept.ts';
import { ENGLISH, type PlainMessage } from '../language/words.ts';
import { remembered } from '../remembered.ts';

/** People other than the patient, in the words of results. */
const PEOPLE: readonly [PlainMessage, string][] = [
  ['fetus', 'fo?etus|fo?etal|feto'],
  ['newborn', 'newborn|recien nacid[oa]'],
  ['baby', 'baby|bebe'],
  ['donor', 'donor|donante'],
];
/** Tests of the patient with such a word, such as the haemoglobin F of an adult and antibodies against a donor. */
const OF_PATIENT = new RegExp(
  'ha?emoglobin|fibronectin|\\bcells?\\b|celulas|\\bd?na\\b|adn|bleed|antibod|anticuerpo|fet\\w+ screen|number of' +
    '|specific|(?:organ|blood|tissue) donor|donante de (?:organos|sangre)|donor (?:site|status|card)',
);

/** Returns the person whom a text names at its start or end: `Fetal heart rate`, `Frecuencia cardíaca fetal`. */
const personIn = remembered((text): PlainMessage | undefined => {
  const name = unaccented(text.toLowerCase()).trim();
  const isNamed = (words: string): boolean =>
    new RegExp(`^(?:the |el |la )?(?:${words})\\b|\\b(?:${words})(?:\\W+[a-d1-4])?\\W*$`).test(name);
  return OF_PATIENT.test(name) ? undefined : PEOPLE.find(([, words]) => isNamed(words))?.[0];
});

/** Returns the person whom a name of a value says; `undefined` for the patient. */
export const personNamed = (code: Concept | undefined): PlainMessage | undefined =>
  namesOf(code).map(personIn).find(Boolean);

/** Returns the person other than the patient of whom a result is, by its name, its site or a component. */
export const personSaid = kept((o: Observation): PlainMessage | undefined => {
  if (o.bodySite === undefined && o.component === undefined) return personNamed(o.code);
  const said = [
    textAt(ENGLISH, o, 'bodySite'),
    ...valuesAt(o, 'component.valueString'),
    ...valuesAt(o, 'component').map((part) => textAt(ENGLISH, part, 'valueCodeableConcept')),
  ];
  const texts = said.filter((one) => typeof one === 'string' && one.length < 40) as string[];
  return personNamed(o.code) ?? texts.map(personIn).find(Boolean);
});

/** Words that tell two results of one code apart. A chamber of the heart is part of the name of its test. */
const APART: readonly [string, RegExp][] = [
  ['left', /\b(?:left(?!\W*(?:ventric|atri|shift|heart|bundle))|(?<!(?:ventricul|auricul)\w*\W)izquierd[oa]|links)\b/],
  ['right', /\b(?:right(?!\W*(?:ventric|atri|heart|bundle))|(?<!(?:ventricul|auricul)\w*\W)derech[oa]|rechts)\b/],
  ['both', /\b(?:both|bilateral|ambos|ambas|beidseits)\b/],
  ['not fasting', /\b(?:non?|not|sin)\W(?:fasting|(?:en )?ayunas)\b/],
  ['fasting', /\b(?:fasting|ayunas|nuchtern)\b/],
  ['before', /\b(?:before|antes|pre\W?(?:dose|dialysis|meal|prandial|op|exercise))\b/],
  ['after', /\b(?:post|after|despues|tras|nach|post?prandial)\b/],
  ['random', /\brandom\b/],
  ['peak', /\bpeak\b/],
  ['trough', /\b(?:trough|valle)\b/],
];
/** Sides in letters, which mean a side only as capitals. */
const LETTERS: readonly [string, RegExp][] = [
  ['left', /\b(?:OS|OI|LE)\b|\(L\)|\bL(?= (?:eye|ear|arm|leg|hand|foot|knee|hip)\b)/],
  ['right', /\b(?:OD|RE)\b|\(R\)|\bR(?= (?:eye|ear|arm|leg|hand|foot|knee|hip)\b)/],
];
const TIME = /\b(\d+(?:[.,]\d+)?)\W?(h|m)(?:rs?|ours?|oras?|ins?|inutes?|inutos?)?\b/g;

const tellingIn = remembered((text) => {
  const name = unaccented(text.toLowerCase());
  const times = [...name.matchAll(TIME)].map(([, number, unit]) => `${number} ${unit}`);
  const found = [
    ...APART.filter(([, words]) => words.test(name)),
    ...LETTERS.filter(([, letters]) => letters.test(text)),
  ].map(([token]) => token);
  // `2 h` and `2 h after a meal` are one time.
  const tokens = times.length > 0 ? found.filter((token) => token !== 'after') : found;
  return [...new Set([...tokens, ...times])].sort().join(', ');
});

/** Returns the side and the time in the name of a result with a code, in one form; empty if it says none. */
export const sideAndTime = ({ code }: Observation): string =>
  codesOf(code).length > 0 ? tellingIn(concept(ENGLISH, code) ?? '') : '';
