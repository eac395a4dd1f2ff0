//! Treatments of the skin, the eyes, the ears or the nose: at a glance they stand behind those of the whole body.

/** Words of forms and routes, in the languages of the app and in those of common files. */
const LOCAL = new RegExp(
  String.raw`(?<!\p{L})(?:topical(?:ly)?|cream|ointment|lotion|shampoo|liniment|ophthalmic|otic|cutaneous|to the skin` +
    '|(?:eye|ear|nose|nasal) (?:drops?|ointment|gel|spray)|(?:left|right|both|affected) (?:eyes?|ears?)' +
    '|t[oó]pic[oa]|crema|pomada|ung[uü]ento|colirio|champ[uú]|oft[aá]lmic[oa]|[oó]tic[oa]' +
    String.raw`|creme|salbe|augentropfen|ohrentropfen|nasenspray|collyre|pommade)(?!\p{L})`,
  'iu',
);
/** Words of what acts in the whole body, whatever its form. */
const SYSTEMIC = new RegExp(
  String.raw`(?<!\p{L})(?:oral(?:ly)?|by mouth|transdermal|patch|parche|estradiol|estrogens?` +
    '|testosterone?|testosterona' +
    String.raw`|nitroglycerine?|nitroglicerina|fentanyl|fentanilo|insulin|insulina)(?!\p{L})`,
  'iu',
);

/** Returns whether a medication is for the skin, an eye, an ear or the nose, by the words of its name and its dose. */
export const isLocalTreatment = (words: string): boolean => LOCAL.test(words) && !SYSTEMIC.test(words);
