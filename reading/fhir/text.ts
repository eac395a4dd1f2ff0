//! Elements in words. Codes are shown as they were sent, and are never interpreted.

import { joined } from '../joined.ts';
import { plainDecimal } from '../language/decimal.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isShaped, list, partial, type ShapeValue, string } from '../shape.ts';
import { withoutDirections } from '../visible.ts';
import { endOf, instant } from './date.ts';
import { factsOf } from './facts.ts';
import { classNamed, knownName } from './known-names.ts';
import { saysError, statusesIn } from './status-code.ts';
import { typeWords } from './type-words.ts';
import * as fhir from './types.ts';
import { printedUnitOf, unitSuffix } from './units.ts';
import { isLoinc } from './vital-codes.ts';

/** The longest text that is shown: a megabyte in one name would stop the page. The record's JSON has the whole text. */
const MAX_LENGTH = 400;

export const clipped = (text: string, longest = MAX_LENGTH): string =>
  withoutDirections(text.length > longest ? `${text.slice(0, longest)}…` : text);

/** The identifier of a device term (ISO/IEEE 11073), such as `MDC_PULS_OXIM_SAT_O2`, which is not a name. */
const TERM_ID = /^MDCX?_[A-Z0-9_]+$/;

export function concept(words: Words, value: fhir.Concept | undefined): string | undefined {
  const said =
    readable(value?.text) || value?.coding?.find(({ display }) => display && !TERM_ID.test(display))?.display;
  if (said !== undefined) return clipped(said);
  const codings = value?.coding ?? [];
  const named = codings.flatMap(({ system = '', code }) => knownName(words, system, code) ?? []);
  const withCode = codings.filter(({ code }) => code);
  const coded = withCode.find(({ system = '' }) => !NULL_FLAVOR.test(system)) ?? withCode[0];
  const bare = codings.find(({ display }) => display) ?? coded;
  const name = named[0] ?? bare?.display ?? (bare && bareCode(words, bare));
  return name ?? reference(words, inPlace(value)) ?? (value?.text ? words.t('Unreadable text in the file') : undefined);
}

/** The extension with a record in place of a concept (<https://hl7.org/fhir/extensions/>). */
export const IN_PLACE = 'http://hl7.org/fhir/StructureDefinition/alternate-reference';

const placed = list(partial({ url: string, valueReference: fhir.referenceShape }));

/** Returns the reference to a record in place of a concept. */
const inPlace = (value: fhir.Concept & { extension?: unknown } = {}): fhir.Reference | undefined =>
  isShaped(placed, value.extension) ? value.extension.find(({ url }) => url === IN_PLACE)?.valueReference : undefined;

/** The output of a program for one of its objects, in place of a text. */
const DUMP =
  /\b\w+=(?:None|null|undefined)\b.*\b\w+=(?:None|null|undefined)\b|^\[object \w+\]$|^[\w.]+@[0-9a-f]{6,8}$/s;
const NAME_IN_DUMP = /\bdisplay_?name=(['"])(.+?)\1/i;

/** Returns a text that a person wrote; from the output of a program for its objects, only the name in it, if any. */
function readable(text: string | undefined): string | undefined {
  return text && DUMP.test(text) ? NAME_IN_DUMP.exec(text)?.[2] : text;
}

/** Terminologies whose codes mean nothing to a reader without a look-up, by their systems. */
const TERMINOLOGIES: Record<string, string> = {
  'http://www.nlm.nih.gov/research/umls/rxnorm': 'RxNorm',
  'http://snomed.info/sct': 'SNOMED CT',
  'http://loinc.org': 'LOINC',
  'http://hl7.org/fhir/sid/icd-10': 'ICD-10',
  'http://hl7.org/fhir/sid/icd-10-cm': 'ICD-10-CM',
  'http://hl7.org/fhir/sid/icd-9-cm': 'ICD-9-CM',
  'http://www.whocc.no/atc': 'ATC',
  'http://hl7.org/fhir/sid/cvx': 'CVX',
  'http://hl7.org/fhir/sid/ndc': 'NDC',
  'http://fdasis.nlm.nih.gov': 'UNII',
  'http://www.ama-assn.org/go/cpt': 'CPT',
  'http://hl7.org/fhir/sid/icd-11': 'ICD-11',
  'http://id.who.int/icd/release/11/mms': 'ICD-11',
  'http://hl7.org/fhir/sid/icpc-2': 'ICPC-2',
  'http://fhir.de/CodeSystem/bfarm/icd-10-gm': 'ICD-10-GM',
  'http://fhir.de/CodeSystem/dimdi/icd-10-gm': 'ICD-10-GM',
  'http://fhir.de/CodeSystem/bfarm/ops': 'OPS',
  'http://fhir.de/CodeSystem/bfarm/atc': 'ATC',
  'http://fhir.de/CodeSystem/ifa/pzn': 'PZN',
  'https://dmd.nhs.uk': 'dm+d',
  'http://hl7.org/fhir/ndfrt': 'NDF-RT',
  'http://va.gov/terminology/medrt': 'MED-RT',
  'urn:oid:2.16.840.1.113883.6.1': 'LOINC',
  'urn:oid:2.16.840.1.113883.6.12': 'CPT',
  'urn:oid:2.16.840.1.113883.6.3': 'ICD-10',
  'urn:oid:2.16.840.1.113883.6.4': 'ICD-10-PCS',
  'http://www.cms.gov/Medicare/Coding/ICD10': 'ICD-10-PCS',
  'urn:oid:2.16.840.1.113883.6.59': 'CVX',
  'urn:oid:2.16.840.1.113883.12.292': 'CVX',
  'urn:oid:2.16.840.1.113883.6.69': 'NDC',
  'urn:oid:2.16.840.1.113883.6.73': 'ATC',
  'urn:oid:2.16.840.1.113883.6.88': 'RxNorm',
  'urn:oid:2.16.840.1.113883.6.90': 'ICD-10-CM',
  'urn:oid:2.16.840.1.113883.6.96': 'SNOMED CT',
  'urn:oid:2.16.840.1.113883.6.103': 'ICD-9-CM',
  'urn:oid:2.16.840.1.113883.4.9': 'UNII',
};

/** The codes of HL7 v3 for why there is no value, in words. */
const NULL_FLAVOR = /NullFlavor$|2\.16\.840\.1\.113883\.5\.1008$/;
const NULL_FLAVORS: Readonly<Record<string, string>> = {
  UNK: 'unknown',
  NI: 'no information',
  ASKU: 'asked but unknown',
  NASK: 'not asked',
  NAV: 'temporarily unknown',
  NA: 'not applicable',
  MSK: 'masked',
  OTH: 'other',
};

/** Returns the name of an unknown system, by the end of its address; `undefined` if that is not a name. */
function systemName(system: string): string | undefined {
  const end = system.split(/[/#?]/).findLast(Boolean) ?? '';
  return /^urn:/i.test(system) || !/[a-z]{3}/i.test(end) || isUuid(end) ? undefined : clipped(end, 60);
}

/**
 * Returns the words for a code without a display. A code of a terminology is called a code of it; a code of HL7's
 * tables, or one that looks like a word, is shown as a word. A number would read as a measured value.
 */
function bareCode(words: Words, coding: fhir.Coding): string | undefined {
  const { system = '', code = '' } = coding;
  if (NULL_FLAVOR.test(system)) return capital(words.translated(own(NULL_FLAVORS, code) ?? code));
  const isWord = HL7_TABLE.test(system) || !/\d/.test(code) || /\p{L}{3}/u.test(code);
  const terminology = own(TERMINOLOGIES, system) ?? (isWord ? undefined : systemName(system));
  if (terminology !== undefined)
    return words.t('code {code} ({terminology}), without a name', { code: clipped(code), terminology });
  return isWord ? codingWords(words, coding) : words.t('code {code}, without a name', { code: clipped(code) });
}

/** Returns whether a concept has a name: a text, a display, a known code, or a record in its place. */
export const isNamed = (value: fhir.Concept): boolean =>
  Boolean(value.text || inPlace(value)) ||
  (value.coding ?? []).some((one) => one.display || knownName(ENGLISH, one.system ?? '', one.code) !== undefined);

/** The tables of codes that HL7 publishes. */
const HL7_TABLE = /^https?:\/\/(?:terminology\.)?hl7\.org\//;

/** Returns a coding in words. A code without a display is shown unchanged. */
export function codingWords(words: Words, value: fhir.Coding | undefined): string | undefined {
  const said = value?.display || (value && classNamed(words, value)) || value?.code;
  return said === undefined ? undefined : clipped(said);
}

export function concepts(words: Words, values: fhir.Concept[] | undefined): string {
  return joined(...(values ?? []).map((value) => concept(words, value)));
}

export const codeOf = (value: fhir.Concept | undefined): string | undefined =>
  value?.coding?.find(({ code }) => code)?.code;

/**
 * Returns the code that distinguishes a test from others: its LOINC code, or else its first code with the system, since
 * two laboratories may have one code for two tests.
 */
export function testCode(value: fhir.Concept | undefined): string | undefined {
  const codings = value?.coding?.filter(({ code }) => code) ?? [];
  const loinc = codings.find(({ system }) => isLoinc(system));
  const { system = '', code } = codings[0] ?? {};
  return loinc?.code ?? (code && [own(TERMINOLOGIES, system) ?? system, code].filter(Boolean).join('|'));
}

export const hasCode = (value: fhir.Concept | undefined, ...codes: string[]): boolean =>
  (value?.coding ?? []).some(({ code }) => code !== undefined && codes.includes(code));

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The address of a record: its type and its id. */
const ADDRESS = /^(?:.*\/)?([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})$/;

/**
 * Returns words for a reference without a name: the type of the record in words, with its id. A UUID means nothing to
 * readers, and neither does the id of a contained resource. Only a target that was found is said to have no name.
 */
function unnamed(words: Words, { reference: address = '', type: given }: fhir.Reference, isFound: boolean) {
  if (address === '') return undefined;
  const [, type = given, id = ''] = ADDRESS.exec(address.replace(/\/_history\/[^/]*$/, '')) ?? [];
  const isHidden = /^urn:(?:uuid|oid):/.test(address) || address.startsWith('#') || isUuid(id);
  if (!isHidden) return id === '' ? address : `${typeWords(words, type ?? '')} ${id}`;
  const kind = type ? typeWords(words, type) : words.t('Record');
  return isFound ? words.t('{type} without a name', { type: kind }) : words.t('{type}, not named here', { type: kind });
}

export function reference(words: Words, value: fhir.Reference | undefined): string | undefined {
  if (value === undefined) return undefined;
  const { name } = factsOf(value);
  const said =
    value.display?.trim() || name?.(words) || unnamed(words, value, name !== undefined) || value.identifier?.value;
  return said === undefined ? undefined : clipped(said);
}

export const references = (words: Words, values: fhir.Reference[] | undefined): string =>
  joined(...(values ?? []).map((value) => reference(words, value)));

export function performers(words: Words, all: readonly { actor?: fhir.Reference }[] = []): string | undefined {
  const actors = all.flatMap(({ actor }) => actor ?? []);
  return references(words, actors) || undefined;
}

/** Returns a number with its original digits, without an exponent. */
export function digits(of: fhir.Quantity | undefined): string | undefined {
  const written = of?.written ?? of?.value?.toString();
  return written === undefined ? undefined : plainDecimal(written);
}

/** Returns a number for display, with its own digits and with the decimal sign of the locale. */
export function measuredNumber(words: Words, of: fhir.Quantity | undefined): string | undefined {
  const written = digits(of);
  return written === undefined ? undefined : words.decimal(written);
}

/** Returns the number of decimals with which a number was sent. */
export const decimals = (of: fhir.Quantity | undefined): number => (digits(of)?.split('.')[1] ?? '').length;

export function quantity(words: Words, value: fhir.Quantity | undefined): string | undefined {
  if (value?.value === undefined) return value?.unit;
  const unit = unitSuffix(printedUnitOf(words, value, value.value));
  const comparator =
    { '<=': '≤\u00a0', '>=': '≥\u00a0', '<': '<\u00a0', '>': '>\u00a0' }[value.comparator ?? ''] ??
    (value.comparator ? `${value.comparator}\u00a0` : '');
  return withoutDirections(`${comparator}${measuredNumber(words, value) ?? ''}${unit}`);
}

/** The representation of a name (<https://hl7.org/fhir/extension-iso21090-en-representation.html>). */
const REPRESENTATION = /\/iso21090-EN-representation$/;
/** Representations in their order: ideographs, then names without one, syllables, and letters. */
const REPRESENTATIONS = ['IDE', '', 'SYL', 'ABC'];

const extended = list(partial({ url: string, valueCode: string }));

/** Returns the representation of a name; the empty text for one without an extension. */
function representationOf(name: fhir.HumanName & { extension?: unknown }): string {
  const all = isShaped(extended, name.extension) ? name.extension : [];
  return all.find(({ url = '' }) => REPRESENTATION.test(url))?.valueCode ?? '';
}

const nameText = ({ text, given = [], family }: fhir.HumanName): string =>
  text || [...given, family].filter(Boolean).join(' ');

/** The uses of names in their order. A name without a use is in use. */
const USES = ['official', 'usual', '', 'temp', 'nickname', 'anonymous', 'maiden', 'old'];

/** The modifier elements of names, numbers, addresses and telephone numbers, of which a person may have several. */
const used = partial({ use: string, period: partial({ start: string, end: string }) });
const usedOf = (of: object): ShapeValue<typeof used> => (isShaped(used, of) ? of : {});

/** Returns whether a name, a number or an address is no longer in use. */
export function isOld(of: object): boolean {
  const { use, period } = usedOf(of);
  return use === 'old' || (endOf(period?.end) ?? Infinity) <= Date.now();
}

/** Returns whether a name, a number or an address is temporary, or begins later. */
function isTemporary(of: object): boolean {
  const { use, period } = usedOf(of);
  return use === 'temp' || (instant(period?.start) ?? -Infinity) > Date.now();
}

/** Sorts names, numbers or addresses: those in use, then temporary ones, then old ones. */
export const byUse = <T extends object>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => Number(isOld(a)) - Number(isOld(b)) || Number(isTemporary(a)) - Number(isTemporary(b)));

/** Returns a text with the use of its name, number or address, unless that is the usual one. */
export function withUse(words: Words, text: string | undefined, of: object): string | undefined {
  const written = usedOf(of).use ?? '';
  const use = isOld(of) ? 'old' : written === 'temp' ? 'temporary' : written;
  return text && use && !['official', 'usual'].includes(use) ? `${text} (${plain(words, use)})` : text;
}

/** Returns the rank of a name: empty names come last, after those that have ended. */
const nameRank = (name: fhir.HumanName): number =>
  (nameText(name) ? 0 : 100) + (isOld(name) ? 10 : 0) + USES.indexOf(name.use ?? '');

/** Returns the name in use. Of one in several scripts, ideographs come first, and the others follow in parentheses. */
export function nameOf(names: fhir.HumanName[] | undefined): string | undefined {
  const [name] = (names ?? []).toSorted((a, b) => nameRank(a) - nameRank(b));
  if (!name) return undefined;
  const order = (one: fhir.HumanName): number => REPRESENTATIONS.indexOf(representationOf(one));
  const scripts = (names ?? []).filter((one) => one === name || (one.use === name.use && representationOf(one) !== ''));
  const [said, ...others] = [...new Set(scripts.toSorted((a, b) => order(a) - order(b)).map(nameText))].filter(Boolean);
  if (said === undefined) return undefined;
  return clipped(others.length > 0 ? `${said} (${others.join(', ')})` : said);
}

export function addressOf(address: fhir.Address | undefined): string | undefined {
  if (!address) return undefined;
  const place = [address.city, [address.state, address.postalCode].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
  return [...(address.line ?? []), place].filter(Boolean).join(', ') || undefined;
}

/** Returns in words a code of a value set that FHIR requires, such as `in-progress`, or several separated by commas. */
export const plain = (words: Words, code: string | undefined): string =>
  (code ?? '').replaceAll('-', ' ').split(', ').map(words.translated).join(', ');

export const statusText = (words: Words, code: string | undefined): string =>
  code === 'unknown' ? words.translated('status unknown') : plain(words, code);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the issues of an OperationOutcome; none if the value is not an OperationOutcome. */
export const issuesOf = (body: unknown): fhir.Issue[] => (isShaped(fhir.outcome, body) ? (body.issue ?? []) : []);

export function issueText(body: unknown): string {
  const said = issuesOf(body)
    .map(({ details, diagnostics, code }) => details?.text ?? diagnostics ?? code)
    .filter(Boolean);
  return said.join(' ');
}

/** Returns whether a record of any type was entered in error, by its status or that of its document. */
export const isEnteredInError = (
  resource: fhir.Resource & {
    status?: unknown;
    docStatus?: unknown;
    lifecycleStatus?: unknown;
    verificationStatus?: fhir.Concept;
  },
): boolean =>
  saysError(resource.status) ||
  saysError(resource.docStatus) ||
  saysError(resource.lifecycleStatus) ||
  statusesIn(resource.verificationStatus, ['entered-in-error']).length > 0;
