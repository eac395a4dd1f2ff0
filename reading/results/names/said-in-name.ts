//! The person, the side and the time within a test that the words of a result say beyond its code.

import { codesOf, namesOf } from '../../fhir/concept-codes.ts';
import { valuesAt, valueText } from '../../fhir/element-text.ts';
import { concept } from '../../fhir/text.ts';
import type { Concept, Observation } from '../../fhir/types.ts';
import { unaccented } from '../../fhir/unaccented.ts';
import { kept } from '../../kept.ts';
import { ENGLISH, type PlainMessage } from '../../language/words.ts';
import { remembered } from '../../remembered.ts';

/** The words for other people, at the start or at the end of a text: `Fetal heart rate`, `Grupo sanguíneo materno`. */
const PEOPLE: readonly (readonly [PlainMessage, RegExp])[] = [
  person('fetus', String.raw`f(?:o?e?|œ)t(?:us|al\w{0,2})|fo?et(?:o|en)|fhr`),
  person('newborn', String.raw`newborn|neugeboren\w*|pasgeboren\w*|recien\W?nacid[oa]|nouveau\W?ne`),
  person('baby', String.raw`baby|bebe|twin\W+[a-d1-4]`),
  person('donor', 'donor|donante|donneur|spender(?:in)?'),
  person('mother', 'mother|maternal|madre|matern[oa]|(?:kinds)?mutter|moeder|mere|maternelle?'),
  person('father', 'father|paternal|padre|patern[oa]|(?:kinds)?vater|vader|pere|paternel(?:le)?'),
  person('sibling', 'sibling|brother|sister|herman[oa]|bruder|schwester|frere|s(?:oe|œ)ur'),
  person('partner', 'partner(?:in)?|spouse|husband|wife|pareja|espos[oa]|marido|ehe(?:mann|frau)|conjointe?'),
];
function person(says: PlainMessage, words: string): readonly [PlainMessage, RegExp] {
  return [says, new RegExp(String.raw`^(?:the |el |la )?(?:${words})\b|\b(?:${words})(?:\W+[a-d1-4])?\W*$`)];
}
/** Words of tests of the patient, such as the hemoglobin F of an adult and antibodies against a donor. */
const OF_PATIENT = new RegExp(
  String.raw`h(?:a|e|ae)moglobin|fibronectin|\bcells?\b|celulas|dna\b|\badn\b|bleed|blues|screen|anti(?:body|cuerpo)` +
    String.raw`|\b(?:with|by|con|por|mit|avec|par) |chromatid|notification|zellen|specific` +
    '|(?:organ|blood|tissue) donor|donante de |donor (?:site|status|card)',
);

const personIn = remembered((text): PlainMessage | undefined => {
  const name = unaccented(text.toLowerCase()).trim();
  return OF_PATIENT.test(name) ? undefined : PEOPLE.find(([, words]) => words.test(name))?.[0];
});

/** Returns the person whom a name of a value says; `undefined` for the patient. */
export const personNamed = (code: Concept | undefined): PlainMessage | undefined =>
  namesOf(code).map(personIn).find(Boolean);

/** Returns the person other than the patient of whom a result is, by its name, site, method or a component. */
export const personSaid = kept((o: Observation): PlainMessage | undefined => {
  const values = ['bodySite', 'method', 'component.valueString', 'component.valueCodeableConcept'].flatMap((at) =>
    valuesAt(o, at),
  );
  const texts = values.flatMap((one) => valueText(ENGLISH, one) ?? []).filter(({ length }) => length < 40);
  return personNamed(o.code) ?? texts.map(personIn).find(Boolean);
});

/** Words and letters that tell two results of one code apart. A chamber of the heart is part of the test's name. */
const APART: readonly [string, RegExp][] = [
  ['left', /\b(?:left(?!\W*(?:ventric|atri|shift|heart|bundle))|(?<!cul\w*\W)izquierd[oa]|links)\b/i],
  ['left', /\b(?:OS|OI|LE)\b|\(L\)|\bL(?= (?:eye|ear|arm|leg|hand|foot|knee|hip)\b)/],
  ['right', /\b(?:right(?!\W*(?:ventric|atri|heart|bundle))|(?<!cul\w*\W)derech[oa]|rechts)\b/i],
  ['right', /\b(?:OD|RE)\b|\(R\)|\bR(?= (?:eye|ear|arm|leg|hand|foot|knee|hip)\b)/],
  ['both', /\b(?:both|bilateral|amb[oa]s|beidseits)\b/i],
  ['unfasted', /\b(?:non?|not|sin)\W(?:fasting|(?:en )?ayunas)\b/i],
  ['fasting', /\b(?:fasting|ayunas|nuchtern)\b/i],
  ['after', /\b(?:post|after|despues|tras|nach|post?prandial)\b/i],
];
const TIME = /\b(\d+(?:[.,]\d+)?)\W?(h|m)(?:rs?|ours?|oras?|ins?|inutes?|inutos?)?\b/gi;

const tellingIn = remembered((text) => {
  const name = unaccented(text);
  const times = [...name.matchAll(TIME)].map(([, number, unit]) => `${number} ${unit?.toLowerCase()}`);
  const tokens = APART.filter(([, words]) => words.test(name)).map(([token]) => token);
  // `2 h` and `2 h after a meal` are one time.
  return [...new Set([...tokens.filter((token) => token !== 'after' || times.length === 0), ...times])].join(', ');
});

/** Returns the side and the time in the name of a result with a code, in one form; empty if it says none. */
export const sideAndTime = ({ code }: Observation): string =>
  codesOf(code).length > 0 ? tellingIn(concept(ENGLISH, code) ?? '') : '';
