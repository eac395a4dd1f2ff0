//! The patient whom the text of a document names: by a line such as `Patient name: Ada Lovelace` and one such as
//! `Date of birth: 10 Dec 1985`, in the languages that such documents often have. What is not clear is left.

import { own } from '../own.ts';
import type { NamedPerson } from './named-person.ts';

/** The part of a document in which its patient is named. */
const HEAD = 6_000;

/** Labels of the name of a patient. The word `Patient` alone is one only where a birth date is written too. */
const LABELS = [
  "patient(?:'s|’s)?[ \\t]+name",
  'name[ \\t]+of[ \\t]+(?:the[ \\t]+)?patient',
  'nombre[ \\t]+del[ \\t]+paciente',
  'patientenname',
  'name[ \\t]+des[ \\t]+patienten',
  'nom[ \\t]+du[ \\t]+patient',
];
const labelled = (labels: string): RegExp =>
  new RegExp(`(?:^|[\\n\\t|;])[ \\t]*(?:${labels})[ \\t]*[:\\t][ \\t]*([^\\n\\t|;:]{3,80})`, 'giu');
const NAME = labelled(LABELS.join('|'));
const ALONE = labelled('patient|paciente');
const BIRTH_LABELS = [
  /date[ \t]+of[ \t]+birth|birth[ \t]*date|d\.?o\.?b\.?|born(?:[ \t]+on)?/,
  /fecha[ \t]+de[ \t]+nacimiento|f\.[ \t]*nac\.|nacid[oa][ \t]+el/,
  /geburtsdatum|geb\.|date[ \t]+de[ \t]+naissance/,
].map(({ source }) => source);
const BEFORE = /(?:^|[\n\t|;(,]|[ \t]{2}|\.[ \t])[ \t]*/.source;
const AFTER = /[ \t]*[:\t]?[ \t]*([^\n\t|;]{6,30})/.source;
const BIRTH = new RegExp(`${BEFORE}(?:${BIRTH_LABELS.join('|')})${AFTER}`, 'giu');

/** Words that begin the next label on the same line. */
const NEXT = /[ \t]+(?:d\.?o\.?b\b|date of birth|birth|born|sex|gender|age|mrn|id\b|fecha|sexo|edad|nhc|geb).*$/iu;
const PARTICLES = /^(?:de|del|la|las|los|y|e|da|dos|di|van|von|der|den|zu|bin|al|el|le|du)$/;

/** Words in the place of a name. */
const NO_NAME = /^(?:patients?|pacientes?|unknown|desconocid[oa]|anonymous|anonym|self|test|example|none)$/i;

/** A name: two words or more, each with a capital letter; nothing for other text. */
export function nameIn(text: string): string | undefined {
  const name = text
    .replace(NEXT, '')
    .replace(/[([].*$/, '')
    .trim()
    .replace(/[.,]+$/, '');
  const words = name.split(/[\s,]+/).filter(Boolean);
  const isName = words.every((word) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word) || PARTICLES.test(word));
  const isOther = words.some((word) => NO_NAME.test(word));
  return isName && !isOther && words.length >= 2 && words.length <= 7 ? name : undefined;
}

const MONTHS: Readonly<Record<string, number>> = {
  jan: 1,
  ene: 1,
  feb: 2,
  mar: 3,
  apr: 4,
  abr: 4,
  may: 5,
  jun: 6,
  jul: 7,
  aug: 8,
  ago: 8,
  sep: 9,
  oct: 10,
  nov: 11,
  dec: 12,
  dic: 12,
};

/** A date as FHIR writes it; nothing where it is none of the calendar. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isDay = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year > 1850;
  return isDay ? at.toISOString().slice(0, 10) : undefined;
}

/** The dates that a text may begin with: `03/04/1985` is of March or of April. */
export function datesIn(text: string): string[] {
  const iso = /^\D?(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text);
  if (iso) return [dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))].flatMap((day) => day ?? []);
  const numbers = /^\D?(\d{1,2})[-/.][ ]?(\d{1,2})[-/.][ ]?(\d{4})(?!\d)/.exec(text);
  if (numbers) {
    const [a, b, year] = numbers.slice(1).map(Number) as [number, number, number];
    return [...new Set([dayOf(year, b, a), dayOf(year, a, b)].flatMap((day) => day ?? []))];
  }
  const dayFirst = /^\D?(\d{1,2})(?:st|nd|rd|th|\.)?(?: de)?[ -]+(\p{L}{3})\p{L}*\.?,?(?: de| del)?[ -]+(\d{4})/iu.exec(
    text,
  );
  const monthFirst = /^(\p{L}{3})\p{L}*\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})/iu.exec(text);
  const [day, name, year] = dayFirst?.slice(1) ?? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const month = own(MONTHS, (name ?? '').toLowerCase());
  const found = month === undefined ? undefined : dayOf(Number(year), month, Number(day));
  return found ? [found] : [];
}

/** The person whom a text names as its patient; nothing where it names none. Cells of a table are parted by tabs. */
export function personIn(text: string): NamedPerson | undefined {
  const head = text.slice(0, HEAD);
  const dates = [...head.matchAll(BIRTH)].map(([, written = '']) => datesIn(written.trim()));
  const birthDates = dates.find((days) => days.length > 0) ?? [];
  const written = (label: RegExp): string[] => [...head.matchAll(label)].flatMap(([, said = '']) => nameIn(said) ?? []);
  const [name] = [...written(NAME), ...(birthDates.length > 0 ? written(ALONE) : [])];
  return name === undefined ? undefined : { names: [name], birthDates };
}
