//! Sentences about records that belong to a section of the chart but are left out. A section with such omissions must
//! not say that nothing is recorded.

import { typesOf } from '#reading/fhir/other-types.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { withoutEmpty } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import { typeInR4 } from '#reading/versions/as-r4.ts';
import { isOlderType } from '#reading/versions/is-older.ts';
import { type CountMessage, type MessageWith, type PlainMessage, t, words } from '../../language/message.ts';
import { type Abilities, isR4 } from '../../source/abilities.ts';
import { files } from '../../source/files.ts';
import { serverAbilities } from '../../source/server-abilities.ts';
import type { SearchResult } from '../../source/source.ts';
import type { ChartStore } from '../loading/store.ts';
import { namedElsewhere } from './named-elsewhere.ts';
import type { Section } from './section.ts';

/**
 * The sections for types that the chart does not read: types of older and of newer versions of FHIR. Types that the
 * chart reads belong to the sections that search for them.
 */
export const OTHER_TYPES: Readonly<Record<string, readonly string[]>> = {
  GenomicStudy: ['reports'],
  ImagingManifest: ['reports'],
  ImagingObjectSelection: ['reports'],
  ImagingSelection: ['reports'],
  MedicationUsage: ['medications'],
  NutritionIntake: ['other'],
  Order: ['orders'],
  OrderResponse: ['orders'],
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

/** The facts that are known about the origin of the records. */
export interface Origin {
  files?: FilesFacts;
  abilities?: Abilities | undefined;
}

/** The records of the user's own files that the engine has loaded, and those that it has not, counted by type. */
interface FilesFacts {
  /** The loaded records, including types that the chart does not read. */
  counts: Record<string, number>;
  lost: Record<string, number>;
  unserved: Record<string, number>;
  older: Record<string, number>;
  nobodys: Record<string, number>;
  /** Records of patients without a Patient resource. */
  absent: Record<string, number>;
  /** Parts that, according to the files, the source did not deliver. As in `lost`, '' stands for an unknown type. */
  undelivered: Record<string, number>;
}

function originOf({ source, patient }: ChartStore): Origin {
  if (source.name === 'files') {
    if (files.value.is !== 'open') return {};
    const { report } = files.value;
    // In the chart of a patient without a Patient resource, records of other such patients are not omissions.
    return { files: report.absentPatients.includes(patient) ? { ...report, absent: {} } : report };
  }
  const { value } = serverAbilities;
  return source.abilities && value !== 'unknown' ? { abilities: value } : {};
}

type Counts = Record<string, number>;

/** Returns the counts of the types that belong to a section. */
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
  const ofTypes = (of: Counts, says: MessageWith<'types'>): string =>
    Object.keys(of).length > 0 ? t(says, { types: countsText(of) }) : '';
  const parts = (of: Counts, says: CountMessage): string => {
    const n = Object.values(countsOf(of, section)).reduce((sum, one) => sum + one, 0);
    return n > 0 ? t(says, { n }) : '';
  };
  return withoutEmpty(
    ofTypes(unread, 'Your files have records of types that are not shown: {types}.'),
    ofTypes(past, 'Your files have records of an older FHIR (DSTU2 or STU3), which cannot be shown: {types}.'),
    ofTypes(stray, 'Your files have records that name no patient, and are in no chart: {types}.'),
    ofTypes(
      countsOf(absent, section),
      'Your files have records of patients who are not in them, in charts of their own: {types}.',
    ),
    parts(lost, 'Parts of your files could not be taken, and may belong here: {n}.'),
    parts(undelivered, 'Your files lack parts that their source did not deliver, and that may belong here: {n}.'),
  );
}

function serverOmissions(abilities: Abilities, section: Searched): string[] {
  const { fhirVersion = '', types } = abilities;
  // A server is searched by the types of R4: what it has under another name is not asked for.
  const others = [...types.keys()].filter((type) =>
    typeInR4(type) === type ? own(OTHER_TYPES, type)?.includes(section.id) : belongsTo(typeInR4(type), section),
  );
  const names = words().listed(others.map((type) => typeWords(words(), type)));
  return withoutEmpty(
    !isR4(abilities) &&
      t('This server speaks FHIR {version}. Records in another form than that of FHIR R4 cannot be shown.', {
        version: fhirVersion,
      }),
    names && t('This server may have records of types that are not shown: {types}.', { types: names }),
  );
}

/** Returns whether something of an unknown type is left out. It may belong to any section. */
export const hasUntyped = ({ files }: Origin): boolean => Boolean(files?.lost[''] || files?.undelivered['']);

/** Returns whether a chart leaves out something that may belong to any section. The chart's notice reports it. */
export const hasUntypedOmissions = (store: ChartStore): boolean => hasUntyped(originOf(store));

/** The words beside records if the chart leaves out something of an unknown type. */
export const MORE_UNTYPED: PlainMessage = 'More of this may be among what is left out of this chart.';

/** Returns sentences about records of known types that a section lacks because of their origin. */
export const originOmissions = ({ files, abilities }: Origin, section: Searched): string[] => [
  ...(files ? filesOmissions(files, section) : []),
  ...(abilities ? serverOmissions(abilities, section) : []),
];

/** Returns sentences about omissions in answers. Older resources of the user's files are counted on opening instead. */
function searchOmissions(found: SearchResult[], isOfFiles: boolean): string[] {
  const malformed = found.flatMap((one) => one.malformed);
  const mended = found.flatMap((one) => one.mended ?? []);
  const older = isOfFiles ? 0 : found.reduce((sum, one) => sum + one.older, 0);
  const ofOthers = found.reduce((sum, one) => sum + (one.ofOthers ?? 0), 0);
  const fields = words().listed([...new Set(mended.flatMap(({ lost }) => lost))].slice(0, 4));
  return withoutEmpty(
    malformed.length > 0 &&
      t('{n} record could not be shown: {why}.|{n} records could not be shown: {why}.', {
        n: malformed.length,
        why: malformed[0] ?? '',
      }),
    mended.length > 0 &&
      t('{n} record has unreadable fields: {fields}.|{n} records have unreadable fields: {fields}.', {
        n: mended.length,
        fields,
      }),
    ofOthers > 0 &&
      t('{n} record of another patient is left out.|{n} records of other patients are left out.', { n: ofOthers }),
    older > 0 && t('Records of an older FHIR (DSTU2 or STU3) cannot be shown: {n}.', { n: older }),
    ...found.map(({ unread }) => unread?.()),
    ...new Set(found.map(({ ungranted }) => ungranted?.())),
    ...found.flatMap(({ errors }) => errors.map((text) => t('The server reports an error: {text}', { text }))),
  );
}

/** Returns whether something is, or may be, left out of a section. */
export const hasOmissions = (section: Searched, store: ChartStore, queries = section.queries): boolean =>
  hasUntypedOmissions(store) || omissionsOf(section, store, queries).length > 0;

/**
 * Returns sentences about what a section leaves out: in the answers to some of its searches, and because of the origin
 * of the records. Omissions that may belong to any section are not included.
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
