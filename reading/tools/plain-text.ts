//! Text of records, which many hands write and an assistant reads. Marking it lowers the risk that it is followed as an
//! instruction; it does not remove the risk. So a tool changes nothing, and follows no address in a text.

/** Controls but line breaks, bidirectional marks, zero-width letters, and tags. */
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Returns a text without letters that nobody sees. */
export const visible = (text: string): string =>
  text.toWellFormed().replace(HIDDEN, (letter) => (letter === '\n' || letter === '\t' ? letter : ''));

/** The longest name that counts as a plain one. */
const LONGEST = 160;
/** Markup, addresses and quoted blocks. */
const MARKUP = /[<>{}`\n]|!?\[[^\]]*\]\(|:\/\/|\bwww\./;
/** Words by which a text speaks to its reader, in English and in Spanish. */
const ADDRESSED = new RegExp(
  String.raw`\b(?:you|your|yours|please|ignore|disregard|forget|instead|pretend|instructions?|prompts?|assistant` +
    '|chatbot|override|reveal|respond|reply|answer|tell|say|call|send|fetch' +
    '|read|ignora|olvida|instrucci[oó]n(?:es)?|asistente|responde|env[ií]a|usted|eres|por favor)\\b',
  'i',
);

/** Returns whether a text is a short name that does not speak to its reader. */
export const isPlainName = (text: string): boolean =>
  text.length <= LONGEST && !MARKUP.test(text) && !ADDRESSED.test(text) && visible(text) === text;
