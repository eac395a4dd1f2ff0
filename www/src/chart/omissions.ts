//! Sentences about what belongs to a section of the chart and is left out of it. Where there is such a thing, no words
//! may say that nothing is recorded.

import { isOlderType } from '#reading/fhir/older.ts';
import { typesOf } from '#reading/fhir/other-types.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { own } from '#reading/own.ts';
import { type PlainMessage, t, words } from '../language/message.ts';
import { type Abilities, isR4 } from '../source/abilities.ts';
import { files } from '../source/files.ts';
import { serverAbilities } from '../source/server-abilities.ts';
import type { SearchResult } from '../source/source.ts';
import { namedElsewhere } from './named-elsewhere.ts';
import type { Section } from './section.ts';
import type { ChartStore } from './store.ts';

/**
 * The sections to which records of types belong that the chart does not read: of an older FHIR, and of a newer one.
 * Types that the chart reads belong to the sections that search for them.
 */
export const OTHER_TYPES: Readonly<Record<string, readonly string[]>> = {
  DeviceDispense: ['other'],
  DeviceUsage: ['procedures'],
  DeviceUseRequest: ['orders'],
  DiagnosticOrder: ['orders'],
  GenomicStudy: ['reports'],
  ImagingManifest: ['reports'],
  ImagingObjectSelection: ['reports'],
  ImagingSelection: ['reports'],
  MedicationOrder: ['medications'],
  MedicationUsage: ['medications'],
  NutritionIntake: ['other'],
  Order: ['orders'],
  OrderResponse: ['orders'],
  ProcedureRequest: ['orders'],
  ReferralRequest: ['orders'],
  Sequence: ['labs'],
};

/** The sections by the names of types that are in no list: of other versions of FHIR, or of none. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/Definition$|Knowledge|Product/, ''],
  [/Famil/i, 'family'],
  [/Allerg|Intoleran|AdverseReaction/i, 'allergies'],
  [/Medica|Prescri|Drug/i, 'medications'],
  [/Immuni|Vaccin/i, 'immunizations'],
  [/Conditi|Problem|Diagnosis/i, 'problems'],
  [/Vital/i, 'vitals'],
  [/Order|Request|Referral/i, 'orders'],
  [/Report|Imaging|Radiolog/i, 'reports'],
  [/Observation|Laborator|LabResult|TestResult|Sequence/i, 'labs'],
  [/Procedure|Surger|Device/i, 'procedures'],
  [/Questionnaire|Screening|SocialHistory/i, 'screening'],
  [/Consent|Directive/i, 'consents'],
  [/Alert|Flag/i, 'flags'],
  [/Plan|Goal/i, 'plan'],
  [/CareTeam/i, 'team'],
  [/Encounter|Visit|Admission/i, 'visits'],
  [/Document|ClinicalNote/i, 'documents'],
];
const placeByName = (type: string): string | undefined => BY_NAME.find(([name]) => name.test(type))?.[1];

/** A section, as far as its records are looked for. */
type Searched = Pick<Section, 'id' | 'queries' | 'onlyFirstShown'>;

/** Returns whether records of a type belong to a section. */
export function belongsTo(type: string, { id, queries, onlyFirstShown }: Searched): boolean {
  const searches = onlyFirstShown ? queries.slice(0, 1) : queries;
  return searches.some((query) => typesOf(query).includes(type)) || (own(OTHER_TYPES, type)?.includes(id) ?? false);
}

/** What is known of the origin of the records. */
export interface Origin {
  files?: FilesFacts;
  abilities?: Abilities | undefined;
}

/** What the engine took of the user's own files, and what not. Counts are by type. */
interface FilesFacts {
  /** What it holds, also of types that the chart does not read. */
  counts: Record<string, number>;
  lost: Record<string, number>;
  unserved: Record<string, number>;
  older: Record<string, number>;
  nobodys: Record<string, number>;
  /** Records of patients of whom there is no Patient. */
  absent: Record<string, number>;
  /** Parts that the source did not deliver, as the files say; '' where the type is not known, as in `lost`. */
  undelivered: Record<string, number>;
}

function originOf({ source, patient }: ChartStore): Origin {
  if (source.name === 'files') {
    if (files.value.is !== 'open') return {};
    const { report } = files.value;
    // Of a patient without a Patient, the others have charts of their own.
    return { files: report.absentPatients.includes(patient) ? { ...report, absent: {} } : report };
  }
  const { value } = serverAbilities;
  return source.abilities && value !== 'unknown' ? { abilities: value } : {};
}

type Counts = Record<string, number>;

/** The counts of the types of a section. */
const countsOf = (counts: Counts, section: Searched, wanted = (_: string) => true): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([type]) => wanted(type) && belongsTo(type, section)));

const countsText = (counts: Counts): string =>
  words().listed(Object.entries(counts).map(([type, n]) => `${typeWords(words(), type)}\u00a0(${words().number(n)})`));

function filesOmissions(
  { counts, lost, unserved, older, nobodys, absent, undelivered }: FilesFacts,
  section: Searched,
): string[] {
  const isUnread = (type: string): boolean => own(OTHER_TYPES, type) !== undefined && !isOlderType(type);
  const isUnlisted = (type: string): boolean => !Object.hasOwn(OTHER_TYPES, type) && !isOlderType(type);
  const unlisted = Object.entries(unserved).filter(([type]) => isUnlisted(type) && placeByName(type) === section.id);
  const unread = { ...countsOf({ ...unserved, ...counts }, section, isUnread), ...Object.fromEntries(unlisted) };
  const past = { ...countsOf(older, section), ...countsOf(unserved, section, isOlderType) };
  // An older resource may name its patient by an element that R4 does not have.
  const stray = Object.fromEntries(
    Object.entries(countsOf(nobodys, section))
      .map(([type, n]) => [type, n - (past[type] ?? 0)] as const)
      .filter(([, n]) => n > 0),
  );
  const ofOthers = countsOf(absent, section);
  const belonging = (counts: Counts): number => Object.values(countsOf(counts, section)).reduce((sum, n) => sum + n, 0);
  const [faults, missing] = [belonging(lost), belonging(undelivered)];
  const some = (counts: Counts): boolean => Object.keys(counts).length > 0;
  return [
    ...(some(unread)
      ? [t('Your files have records of types that are not shown: {types}.', { types: countsText(unread) })]
      : []),
    ...(some(past)
      ? [
          t('Your files have records of an older FHIR (DSTU2 or STU3), which cannot be shown: {types}.', {
            types: countsText(past),
          }),
        ]
      : []),
    ...(some(stray)
      ? [t('Your files have records that name no patient, and are in no chart: {types}.', { types: countsText(stray) })]
      : []),
    ...(some(ofOthers)
      ? [
          t('Your files have records of patients who are not in them, in charts of their own: {types}.', {
            types: countsText(ofOthers),
          }),
        ]
      : []),
    ...(faults > 0 ? [t('Parts of your files could not be taken, and may belong here: {n}.', { n: faults })] : []),
    ...(missing > 0
      ? [t('Your files lack parts that their source did not deliver, and that may belong here: {n}.', { n: missing })]
      : []),
  ];
}

function serverOmissions(abilities: Abilities, section: Searched): string[] {
  const { fhirVersion = '', types } = abilities;
  const others = [...types.keys()].filter((type) => own(OTHER_TYPES, type)?.includes(section.id));
  return [
    ...(isR4(abilities)
      ? []
      : [
          t('This server speaks FHIR {version}. Records in another form than that of FHIR R4 cannot be shown.', {
            version: fhirVersion,
          }),
        ]),
    ...(others.length > 0
      ? [
          t('This server may have records of types that are not shown: {types}.', {
            types: words().listed(others.map((type) => typeWords(words(), type))),
          }),
        ]
      : []),
  ];
}

/** Returns whether something is left out of which the type is not known: it may belong to each section. */
export const hasUntyped = ({ files }: Origin): boolean => Boolean(files?.lost[''] || files?.undelivered['']);

/** Returns whether what is left out of a chart may belong to each of its sections. The notice of the chart has it. */
export const hasUntypedOmissions = (store: ChartStore): boolean => hasUntyped(originOf(store));

/** The words beside records of a chart of which something is left out whose type is not known. */
export const MORE_UNTYPED: PlainMessage = 'More of this may be among what is left out of this chart.';

/** What of the origin of the records is left out of a section, as far as its type is known. */
export const originOmissions = ({ files, abilities }: Origin, section: Searched): string[] => [
  ...(files ? filesOmissions(files, section) : []),
  ...(abilities ? serverOmissions(abilities, section) : []),
];

/** What of the answers to searches is left out. Of own files, the older resources are counted when they are opened. */
function searchOmissions(found: SearchResult[], isOfFiles: boolean): string[] {
  const malformed = found.flatMap((one) => one.malformed);
  const mended = found.flatMap((one) => one.mended ?? []);
  const older = isOfFiles ? 0 : found.reduce((sum, one) => sum + one.older, 0);
  const ofOthers = found.reduce((sum, one) => sum + (one.ofOthers ?? 0), 0);
  return [
    ...(malformed.length > 0
      ? [
          t('{n} record could not be shown: {why}.|{n} records could not be shown: {why}.', {
            n: malformed.length,
            why: malformed[0] ?? '',
          }),
        ]
      : []),
    ...(mended.length > 0
      ? [
          t('{n} record has unreadable fields: {fields}.|{n} records have unreadable fields: {fields}.', {
            n: mended.length,
            fields: words().listed([...new Set(mended.flatMap(({ lost }) => lost))].slice(0, 4)),
          }),
        ]
      : []),
    ...(ofOthers > 0
      ? [t('{n} record of another patient is left out.|{n} records of other patients are left out.', { n: ofOthers })]
      : []),
    ...(older > 0 ? [t('Records of an older FHIR (DSTU2 or STU3) cannot be shown: {n}.', { n: older })] : []),
    ...found.flatMap(({ unread }) => (unread ? [unread()] : [])),
    ...new Set(found.flatMap(({ ungranted }) => (ungranted ? [ungranted()] : []))),
    ...found.flatMap(({ errors }) => errors.map((text) => t('The server reports an error: {text}', { text }))),
  ];
}

/** Returns whether something is left out of a section, or may be. */
export const hasOmissions = (section: Searched, store: ChartStore, queries = section.queries): boolean =>
  hasUntypedOmissions(store) || omissionsOf(section, store, queries).length > 0;

/**
 * What is left out of a section, among the answers to some of its searches and by the origin of the records. What may
 * belong to each section is not said in each.
 */
export function omissionsOf(section: Searched, store: ChartStore, queries = section.queries): string[] {
  const found = queries.flatMap((query) => {
    const state = store.loadInTime(query);
    return state.is === 'loaded' ? [state.found] : [];
  });
  return [
    ...searchOmissions(found, store.source.name === 'files'),
    ...originOmissions(originOf(store), section),
    ...(queries.includes(section.queries[0] ?? '') ? namedElsewhere({ id: section.id, queries }, store) : []),
  ];
}
