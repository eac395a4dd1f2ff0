//! The group of people to whom a reference range applies: sex and age in codes and words that are understood.

import type { Subject } from '../../fhir/facts.ts';
import type { Concept } from '../../fhir/types.ts';
import { own } from '../../own.ts';
import { isAgeIn } from '../values/subject.ts';

type Group = 'male' | 'female' | 'adult' | 'anyone' | 'filler';

const GROUPS: Readonly<Record<string, Group>> = {
  ...named('male', ['male', 'males', 'm', 'man', 'men', 'boy', 'boys', '248153007', 'männlich', 'maennlich', 'mann']),
  ...named('male', ['männer', 'hombre', 'hombres', 'varón', 'varones', 'masculino', 'homme', 'hommes', 'mannen']),
  ...named('male', ['mannelijk', '男性', '男']),
  ...named('female', ['female', 'females', 'f', 'woman', 'women', 'girl', 'girls', '248152002', 'weiblich', 'frau']),
  ...named('female', ['frauen', 'mujer', 'mujeres', 'femenino', 'femme', 'femmes', 'vrouw', 'vrouwen', 'vrouwelijk']),
  ...named('female', ['w', '女性', '女']),
  ...named('adult', ['adult', 'adults', 'erwachsene', 'adulto', 'adultos', 'adultes', 'volwassenen', '成人']),
  ...named('anyone', [
    ...['both', 'all', 'any', 'everyone', 'alle', 'beide', 'ambos', 'todos', 'tous', 'unisex', 'general'],
  ]),
  ...named('filler', ['sex', 'sexes', 'gender', 'genders', 'patients', 'population', 'normal', 'the', 'for', 'only']),
};
function named(group: Group, words: readonly string[]): Record<string, Group> {
  return Object.fromEntries(words.map((word) => [word, group]));
}

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;:()[\]/&+.-]+/)
    .filter(Boolean);

/** Returns whether words apply to a person; `undefined` if a word is not understood, or the person is unknown. */
function isAbout(words: readonly string[], { sex, birth }: Subject, on: string | undefined): boolean | undefined {
  const groups = words.map((word) => own(GROUPS, word));
  const sexes = groups.filter((one) => one === 'male' || one === 'female');
  const isSexKnown = sex === 'male' || sex === 'female';
  const answers = [
    sexes.length === 0 || (isSexKnown ? sexes.includes(sex) : new Set(sexes).size > 1 || undefined),
    !groups.includes('adult') || isAgeIn({ low: { value: 18, code: 'a' } }, birth, on),
    groups.every(Boolean) || undefined,
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/**
 * Returns whether a range for some groups applies to a person; `undefined` if that is unknown. Each group must include
 * the person, but if both sexes are named, one is enough.
 */
export function appliesToAnyOf(
  groups: readonly Concept[],
  subject: Subject | undefined,
  on: string | undefined,
): boolean | undefined {
  if (groups.length === 0) return true;
  const words = groups.flatMap(({ text, coding = [] }) => {
    const codes = coding.flatMap(({ code }) =>
      own(GROUPS, code?.toLowerCase() ?? '') ? (code ?? '').toLowerCase() : [],
    );
    if (codes.length > 0) return codes;
    const said = text || coding.find(({ display }) => display)?.display || coding.find(({ code }) => code)?.code || '';
    return wordsIn(said);
  });
  return isAbout(words, subject ?? {}, on);
}

/** Words for a state of a person, to which a numeric range is restricted. */
const STATES = new RegExp(
  'pregnan|trimest|gestat|luteal|follic|menopaus|ovulat|schwanger|embaraz|newborn|neonat|infant|child' +
    '|pediatric|fasting|diabet',
  'i',
);

/** Returns whether words name a group of people to whom a range may apply. */
export const isGroup = (text: string): boolean =>
  STATES.test(text) || wordsIn(text).every((word) => own(GROUPS, word) !== undefined);

/** Returns whether the text of a numeric range applies to a person; `true` if it does not mention people. */
export function appliesToText(text: string, subject: Subject | undefined, on: string | undefined): boolean | undefined {
  const people = wordsIn(text).filter(
    (word) => word.length > 1 && ['male', 'female', 'adult'].includes(own(GROUPS, word) ?? ''),
  );
  const isTheirs = people.length === 0 ? true : isAbout(people, subject ?? {}, on);
  return isTheirs === true && STATES.test(text) ? undefined : isTheirs;
}
