//! The routes that the text of a dosage names. The texts are in lower case and have no accents.

/** Words that every route has. */
const EMPTY_WORDS = /^(?:route|administration|dosing|instruction|imperative|qualifier|value|take|give|administer|use)$/;

/** Ways of saying the same route. */
const ROUTES: readonly RegExp[] = [
  /\b(?:oral|orally|mouth|po|swallow|boca|vo)\b/,
  /\b(?:subcutaneous|subcutaneously|subcut|subq|sc|sq|under the skin|subcutanea)\b/,
  /\b(?:intravenous|intravenously|iv|vein|intravenosa|vena)\b/,
  /\b(?:intramuscular|intramuscularly|im|muscle)\b/,
  /\b(?:inhalation|inhaled|inhale|inh|puffs?|respiratory tract|inhalatoria)\b/,
  /\b(?:topical|topically|cutaneous|skin|piel|topica|transdermal|transdermally|patch|patches|parches?)\b/,
  /\b(?:nasal|nose|nostrils?|nariz)\b/,
  /\b(?:ophthalmic|ocular|eyes?|ojos?|oftalmica)\b/,
  /\b(?:sublingual|sublingually|under the tongue|sl)\b/,
  /\b(?:rectal|rectally|rectum)\b/,
  /\b(?:intrathecal|intrathecally|intratecal)\b/,
  /\b(?:epidural|epidurally|peridural)\b/,
  /\b(?:intradermal|intradermally|intradermica)\b/,
  /\b(?:intraosseous|intraosea)\b/,
  /\b(?:intravitreal|intravitreally|intravitrea)\b/,
  /\b(?:buccal|buccally)\b/,
  /\b(?:vaginal|vaginally|vagina)\b/,
  /\b(?:otic|ears?|oidos?|otica)\b/,
  /\b(?:(?:via|by|per) (?:the )?(?:peg|ngt?|tube)|(?:peg|ng|g|j|feeding|enteral) tube|nasogastric|gastrostomy|sonda)\b/,
];

/** Words by which a route is warned of, with what they warn of. */
const WARNING = new RegExp(
  String.raw`\b(?:not (?:for|by|via|to be)|never|fatal (?:if|when)|do not|don't|avoid` +
    String.raw`|no (?:usar|administrar|aplicar)|evitar)\b[^.;,]*`,
  'g',
);

/** What is inhaled is inhaled by the mouth. */
const INHALED = /\b(?:inhale[ds]?|inhalations?|puffs?|inhal\w*)\b/;
const BY_MOUTH = /\b(?:by mouth|por la boca|por boca|oral inhalation)\b/g;

/**
 * Returns whether a text says that something is taken by a route, and by no other one. What the text warns of counts
 * for none.
 */
export function saysRoute(text: string, name: string): boolean {
  const said = text.replace(WARNING, ' ');
  const plain = INHALED.test(said) ? said.replace(BY_MOUTH, ' ') : said;
  const wanted = ROUTES.filter((route) => route.test(INHALED.test(name) ? name.replace(BY_MOUTH, ' ') : name));
  const found = ROUTES.filter((route) => route.test(plain));
  if (found.some((route) => !wanted.includes(route))) return false;
  return found.length > 0 || hasWordOf(plain, name);
}

/** Returns whether a text has one of the telling words of a name. Both are in lower case and have no accents. */
export function hasWordOf(text: string, name: string): boolean {
  const words = name.split(/[^\p{L}\d]+/u);
  return words.some((word) => word.length > 3 && !EMPTY_WORDS.test(word) && text.includes(word));
}
