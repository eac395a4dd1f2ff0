//! Text of records, which many hands write and an assistant reads. Marking it lowers the risk that it is followed as an
//! instruction; it does not remove the risk. So a tool changes nothing, and follows no address in a text.

import { HIDDEN, visible } from '../visible.ts';

/** Hidden letters in JSON: as they are, or escaped. */
const UNSEEN = new RegExp(String.raw`${HIDDEN.source}|\\(?<=(?<!\\)(?:\\\\)*\\)(?:u00[01][0-9a-f]|[bf])`, 'gu');

/** Returns the sentence about letters that nobody sees in what was read, if there are any. */
export const hiddenText = (read: unknown): string[] =>
  [JSON.stringify(read).match(UNSEEN)?.length ?? 0].flatMap((n) => (n > 0 ? `Letters that nobody sees: ${n}.` : []));

/** Returns the words of a text in lower case, without the marks beside them: `hemoglobin.total` is one, `v.` is `v`. */
export const wordsIn = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*/gu) ?? [];

/** The longest name that counts as a plain one. */
const LONGEST = 160;
/** Markup, quoted blocks, the label of a speaker, and letters of other scripts than those of the app. */
const MARKUP = /[<>{}`\n]|!?\[[^\]]*\]\(|\[\/|\p{Lu}{3}:|[^\P{L}\p{sc=Latin}\p{sc=Greek}\p{sc=Common}]/u;
/** Addresses of any kind. A name of a test may have a point after a capital: `Hemoglobin.total`. */
const ADDRESS = /@|:\/\/|\bwww\.|\p{L}{3}:\S|\b[a-z][\w-]*\.[a-z]{2}|\.(?:com|org|net|io)\b|(?:\.\p{L}+){2}/u;
/** Words by which a text speaks to its reader, in languages that readers of the app meet. */
const ADDRESSED = new RegExp(
  String.raw`\b(?:you|your|yours|please|ignore|disregard|forget|instead|pretend|instructions?|prompts?|assistant` +
    '|chatbot|override|reveal|respond|reply|answer|tell|say|call|send|fetch|overview|json|charts?|tools?|rules?' +
    '|must|should|would|cannot|mention|hide|delete|output|print|claim|execute|everything|then|now|always|read' +
    '|ignora|olvida|instrucci[oó]n(?:es)?|asistente|responde|env[ií]a\\w*|usted|eres|esto' +
    '|por favor|haz|ejecut\\w+|ahora|debe[ns]?|todos|todas|siguiente|alles?|bitte|muss|vous|doit|tous|toutes)\\b',
  'i',
);
/** An order: an act at the beginning of a sentence. A name has a noun there, or goes on with `of`, `in` and so on. */
const ORDER = new RegExp(
  '(?:^|[.;:!?] *)(?:use|give|list|show|stop|start|consider|skip|omit|avoid|hold|take|increase|decrease|reduce' +
    '|change|switch|resume|continue|discontinue|withhold|titrate|taper|prescribe|administer|inject|insert|replace' +
    '|remove|cancel|admit|refer|discharge (?:home|her|him)|transfer|forward|approve|accept|assume|ensure' +
    '|summari[sz]e|translate|write|run|recommend|suspenda|administre|aumente|reduzca|retire|omita|deje)' +
    String.raw`(?! (?:of|in|from|by|due|flexion)\b)\b`,
  'i',
);
/** An article without a preposition before it: it belongs to the object of a verb, which a name does not have. */
const OBJECT = new RegExp(
  String.raw`(?<!\b(?:of|in|to|from|on|at|by|with|for|into|and|or|half|above|below|under|over|around|through|after` +
    '|before|during|de|en|con|por|para|a|y|o|dans|sur) )' +
    String.raw`(?<!\p{L})(?:the|el|la|lo|los|las|le|les|das|die|den|il)(?![\p{L}\p{N}])`,
  'iu',
);

/** Returns whether a text is short, and has no markup, no address and no letters that nobody sees. */
const isClean = (text: string): boolean =>
  text.length <= LONGEST && !MARKUP.test(text) && !ADDRESS.test(text) && visible(text) === text;

/** Returns whether a text is a short name that does not speak to its reader. */
export const isPlainName = (text: string): boolean =>
  isClean(text) && ![ADDRESSED, ORDER, OBJECT].some((one) => one.test(text.trim()));

/** Words that are rare in a free name, and usual where somebody is told what to do: acts, persons, and order. */
const TOLD = new RegExp(
  String.raw`\b(?:omit|run|show|recommend|abr[ae]|patients?|paciente|modelo|every|all|query|continue` +
    '|system|models?|doctors?|users?|summary|records?|is|are|this|these|those|next)\\b|\\p{L}:',
  'u',
);
/** The most words of a plain text that its author wrote freely, without those that only join others. */
const MAX_FREE = 4;
const WORD = /(?<!\p{L})(?!(?:and|the|for|with|without|con|sin|por|del|los|las)(?!\p{L}))\p{L}{3,}/gu;

/** Members whose values are no words for people. */
export const TECHNICAL = new Set(['resourceType', 'id', 'meta', 'system', 'reference', 'url', 'data']);

/** Collects the words of a record: those of the displays of its codings, and those that its author wrote freely. */
function collect(value: unknown, coded: Set<string>, free: Set<string>): void {
  if (typeof value === 'string') for (const word of value.toLowerCase().match(/\p{L}+/gu) ?? []) free.add(word);
  if (typeof value !== 'object' || value === null) return;
  const { system, display } = value as Record<string, unknown>;
  for (const [name, one] of Object.entries(value))
    if (!TECHNICAL.has(name)) collect(one, coded, one === display && typeof system === 'string' ? coded : free);
}

/**
 * Returns the rule by which texts about some records are told plainly: they read like names, and have few words but
 * those of codings and those of the app. A longer text could be a sentence to its reader in any language.
 */
export function plainRule(records: readonly unknown[]): (text: string) => boolean {
  const [coded, free] = [new Set<string>(), new Set<string>()];
  collect(records, coded, free);
  return (text) => {
    const wordsOf = (isOne: (word: string) => boolean): string =>
      text.replace(/\p{L}+/gu, (word) => (isOne(word.toLowerCase()) ? word : ''));
    const own = wordsOf((word) => free.has(word) && !coded.has(word));
    return (
      isClean(text) &&
      isPlainName(wordsOf((word) => free.has(word) || coded.has(word))) &&
      (own.match(WORD)?.length ?? 0) <= MAX_FREE &&
      !TOLD.test(own.toLowerCase())
    );
  };
}

/**
 * Returns whether a text reads like the name of a person: a few words, of which the longer ones have capitals. Made-up
 * people have numbers in their names.
 */
export const isPersonName = (text: string): boolean =>
  isPlainName(text) && /^(?:(?:\p{L}{1,3}|\p{Lu}[\p{L}\p{M}'’]*_?\d{0,9}|\d{1,4})[.,]?(?:[ -]|$)){1,6}$/u.test(text);
