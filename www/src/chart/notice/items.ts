//! The records that a chart leaves out or has replaced: each kind with its number and the list of its records.

import { typesOf } from '#reading/fhir/other-types.ts';
import { typeOf } from '#reading/fhir/record-address.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { isOlderType } from '#reading/versions/is-older.ts';
import { engine } from '../../engine/client.ts';
import type { FilePlace, Remark, RemarkKind } from '../../engine/load/file-report.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import { type CountMessage, type PlainMessage, t, words } from '../../language/message.ts';
import { reasonOf } from '../../source/fault-reason.ts';
import { files } from '../../source/files.ts';
import { linkReason, remarkReason } from '../../source/remark-words.ts';
import type { SearchResult } from '../../source/source.ts';
import type { ChartStore } from '../loading/store.ts';
import { SEARCHES, SECTIONS } from '../sections.ts';

/** A record of the list, with its place in the files and the reason why it is listed. */
export interface NoticeEntry extends Partial<FilePlace> {
  type: string;
  id: string;
  reason: string;
  /** True if the engine holds exactly this record, not another version, under its address, and can read it. */
  isHeld?: true;
  /** True if the record is in no chart because its patient is not known. */
  isOfNobody?: true;
}

/** A kind of omission or replacement. */
export interface NoticeItem {
  /** A short text with the number of its records. */
  says: string;
  /** The title of the list. `about` is a sentence that explains the list. */
  title: string;
  about: string;
  count: number;
  /** True if no content is missing: for example, only ids or versions were replaced. */
  isQuiet?: true;
  entries(): NoticeEntry[] | Promise<NoticeEntry[]>;
}

/** An item whose words are messages, which may have the number of its records. */
interface ItemMessages extends Omit<NoticeItem, 'says' | 'title' | 'about'> {
  says: CountMessage;
  title: PlainMessage;
  about: CountMessage;
}

const inWords = ({ says, title, about, ...item }: ItemMessages): NoticeItem => ({
  ...item,
  ...{ says: t(says, { n: item.count }), title: t(title), about: t(about, { n: item.count }) },
});

/** The note on records of another version of FHIR that are read as R4. */
const READ_AS_R4: PlainMessage =
  'Their elements with one meaning in R4 are shown under its names. What has none stays as it is in the file.';

const IN_PART: CountMessage =
  '{n} record without elements that its source left out|{n} records without elements that their source left out';

/** The most records that are listed of a kind. */
export const MAX = 200;

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

/** Returns the entries for addresses such as `Condition/c`, with their places in the files. */
async function located(addresses: string[], reason: string): Promise<NoticeEntry[]> {
  const first = addresses.slice(0, MAX);
  const { value: places } = await engine('locate', first);
  const byAddress = new Map(places.map((place) => [place.address, place]));
  return first.map((address) => {
    const [type = '', id = ''] = address.split('/');
    const { address: _, ...place } = byAddress.get(address) ?? { address };
    return { type, id, reason, isHeld: true, ...place };
  });
}

/** The kinds of remarks about records that the engine holds as they are listed. */
const HELD: readonly RemarkKind[] = ['mended', 'subset', 'from-r5', 'from-older', 'placed'];

function entryOf(remark: Remark): NoticeEntry {
  const { kind, why: _, ...record } = remark;
  return { ...record, ...(HELD.includes(kind) ? { isHeld: true } : {}), reason: remarkReason(remark) };
}

/** Returns the item for the Patients that a link marks as the same person. */
function linkedItem({ linked }: LoadedFiles, { patient }: ChartStore): NoticeItem {
  const entries = new Map(
    linked.flatMap((link): [string, NoticeEntry][] => {
      const other = link.patient === patient ? link.other : link.other === patient ? link.patient : undefined;
      const reason = linkReason(link, link.patient === patient);
      return other === undefined ? [] : [[other, { type: 'Patient', id: other, isHeld: true, reason }]];
    }),
  );
  return inWords({
    count: entries.size,
    says: '{n} other entry of this person|{n} other entries of this person',
    title: 'Other entries of this person',
    about: 'A Patient names another one as the same person. The records of each are in a chart of its own.',
    entries: () => [...entries.values()],
  });
}

/** Returns the number of records that name no patient. Older ones do not count: R4 may lack their patient element. */
const strayIn = ({ nobodys, older }: LoadedFiles): number =>
  Object.entries(nobodys).reduce((count, [type, n]) => count + Math.max(0, n - (older[type] ?? 0)), 0);

/** Returns the number of records of the open files that are in no chart because they name no patient. */
export const unassignedCount = ({ source }: ChartStore): number =>
  source.name === 'files' && files.value.is === 'open' ? strayIn(files.value.report) : 0;

function filesItems(report: LoadedFiles, { patient }: ChartStore, addresses: readonly string[]): NoticeItem[] {
  const { lost, older, unserved, absent, absentPatients, remarkCounts } = report;
  const own = new Set(addresses);
  const hasOthers = own.size > 0 && (report.counts.Patient ?? 0) > 1;
  // A chart tells nothing of the records in another one.
  const isTold = ({ kind, type, id }: Remark): boolean =>
    !(hasOthers && HELD.includes(kind)) || own.has(`${type}/${id}`);
  const unknown = Object.fromEntries(Object.entries(unserved).filter(([type]) => !isOlderType(type)));
  const past = { ...older, ...Object.fromEntries(Object.entries(unserved).filter(([type]) => isOlderType(type))) };
  const stray = strayIn(report);
  const isOfAbsent = absentPatients.includes(patient);
  const others = isOfAbsent ? 0 : sum(absent);
  const ofKinds = (...kinds: RemarkKind[]): Pick<NoticeItem, 'count' | 'entries'> => {
    const some = report.remarks.filter((one) => kinds.includes(one.kind) && isTold(one));
    const all = kinds.reduce((n, kind) => n + (remarkCounts[kind] ?? 0), 0);
    const count = hasOthers && kinds.some((kind) => HELD.includes(kind)) ? some.length : all;
    return { count, entries: () => some.slice(0, MAX).map(entryOf) };
  };
  const items: ItemMessages[] = [
    {
      count: sum(lost),
      says: '{n} part of the files that could not be read|{n} parts of the files that could not be read',
      title: 'Parts that could not be read',
      about: 'They may be records of this person.',
      entries: () =>
        report.faults.map((fault) => {
          const { code: _, why: _why, ...at } = fault;
          return { type: '', id: '', ...at, reason: reasonOf(fault) };
        }),
    },
    {
      ...ofKinds('undelivered'),
      count: sum(report.undelivered),
      says: '{n} part that the source did not deliver|{n} parts that the source did not deliver',
      title: 'Not delivered by the source',
      about: 'The files say that there is more than they have: further pages of a search, or answers that failed.',
    },
    {
      ...ofKinds('subset'),
      says: IN_PART,
      title: 'Records in part',
      about: 'Their source sent a part of each alone (SUBSETTED). What they seem to lack may be recorded there.',
    },
    {
      ...ofKinds('guessed'),
      says: '{n} file whose letters may be wrong|{n} files whose letters may be wrong',
      title: 'Letters that may be wrong',
      about: 'These files are not in UTF-8. They were read as Windows-1252, which has the letters of Western Europe.',
    },
    {
      ...ofKinds('past'),
      count: sum(past),
      says: '{n} record of an older FHIR|{n} records of an older FHIR',
      title: 'Of an older FHIR',
      about: 'These files have records of DSTU2 or STU3. edgechart reads FHIR R4, so that these cannot be shown:',
    },
    {
      ...ofKinds('from-r5'),
      isQuiet: true,
      says: '{n} record of FHIR R5, read as R4|{n} records of FHIR R5, read as R4',
      title: 'Of FHIR R5, read as R4',
      about: READ_AS_R4,
    },
    {
      ...ofKinds('from-older'),
      isQuiet: true,
      says: '{n} record of STU3 or DSTU2, read as R4|{n} records of STU3 or DSTU2, read as R4',
      title: 'Of STU3 or DSTU2, read as R4',
      about: READ_AS_R4,
    },
    {
      count: others,
      says: '{n} record of a patient who is not in the files|{n} records of patients who are not in the files',
      title: 'Of patients who are not in the files',
      about: 'They name a patient whose Patient record is missing. They are in charts of their own.',
      entries: async () => {
        const { value } = await engine('addresses', 'files', undefined, true);
        return located(value, t('Its patient is not in the files.'));
      },
    },
    {
      count: stray,
      says: '{n} record that names no patient|{n} records that name no patient',
      title: 'Records that name no patient',
      about: 'They do not say whose they are, or name somebody who is not there. They may be of this person.',
      entries: async () => {
        const { value } = await engine('addresses', 'files', undefined, false);
        const all = await located(value, t(NO_PATIENT));
        return all.map((entry) => ({ ...entry, isOfNobody: true }));
      },
    },
    {
      ...ofKinds('placed'),
      isQuiet: true,
      says: '{n} record of the only patient of its document|{n} records of the only patients of their documents',
      title: 'Of the only patient of a document',
      about: 'These records name no patient. Their document has one Patient alone, in whose chart they are.',
    },
    {
      ...ofKinds('unserved'),
      count: sum(unknown),
      says: '{n} resource of an unknown type|{n} resources of unknown types',
      title: 'Of unknown types',
      about: 'They are of types that FHIR R4 does not have.',
    },
    {
      ...ofKinds('older', 'changed'),
      isQuiet: true,
      says: '{n} record with another version|{n} records with other versions',
      title: 'Replaced by another version',
      about: 'The newer version of a record counts: by meta.lastUpdated, then by meta.versionId, then by its place.',
    },
    {
      ...ofKinds('deleted'),
      says: '{n} record that was deleted|{n} records that were deleted',
      title: 'Deleted',
      about: 'The files say that these records were deleted.',
    },
    {
      ...ofKinds('mended'),
      isQuiet: true,
      says: '{n} record whose id or time of change was replaced|{n} records whose id or time of change was replaced',
      title: 'Ids and times that were replaced',
      about: 'Their id or their time of change cannot be used as it is in the file. Nothing else of them changed.',
    },
  ];
  return items.map(inWords);
}

/** The reason for a record that names no patient. */
export const NO_PATIENT: PlainMessage = 'It names no patient.';

/** The types whose records are shown with other records or in the banner, not in a section. */
const WITH_OTHERS = new Set(['Patient', 'Provenance']);

/** The records that no search has found, kept for the same addresses and answers of a chart. */
const unshown = new WeakMap<ChartStore, { addresses: readonly string[]; answers: unknown; found: string[] }>();

/** Returns the addresses of a chart's records that none of its searches has found. */
function unshownOf(addresses: readonly string[], store: ChartStore): string[] {
  const before = unshown.get(store);
  if (before?.addresses === addresses && before.answers === store.answers) return before.found;
  const found = unshownIn(addresses, store);
  // `unshownIn` may start searches, but that does not change the answers.
  unshown.set(store, { addresses, answers: store.answers, found });
  return found;
}

function unshownIn(addresses: readonly string[], store: ChartStore): string[] {
  const loaded = store.all();
  const searches = SEARCHES.map((query) => ({
    query,
    state: store.loadInTime(query),
  }));
  const searched = new Set(searches.flatMap(({ query }) => typesOf(query)));
  const isWaiting = searches.some(({ state }) => state.is === 'waiting');
  // Records that a section loads on demand are not left out.
  const onDemand = new Set(
    searches.flatMap(({ query, state }) => (state.is === 'loaded' && state.found.later ? typesOf(query) : [])),
  );
  const shown = new Set([...loaded.values()].map(({ resourceType }) => resourceType));
  return addresses.filter((address) => {
    const type = typeOf(address);
    if (WITH_OTHERS.has(type) || onDemand.has(type) || loaded.has(address)) return false;
    // While answers are awaited, only types that nothing searches for are known to be left out.
    return !isWaiting || !(searched.has(type) || shown.has(type));
  });
}

function unshownItem(addresses: readonly string[], store: ChartStore): NoticeItem {
  const found = unshownOf(addresses, store);
  const types = [...new Set(found.map((address) => typeOf(address)))];
  return {
    count: found.length,
    says: t('{n} record in no section ({types})|{n} records in no section ({types})', {
      n: found.length,
      types: words().listed(types.slice(0, 4).map((type) => typeWords(words(), type))) + (types.length > 4 ? ' …' : ''),
    }),
    title: t('In no section'),
    about: t('They are records of this person of kinds that the chart has no section for. “Share or print” has them.'),
    entries: () => located(found, t('No section shows it.')),
  };
}

/** Returns the items for omissions in the answers to a chart's searches. */
function answerItems(store: ChartStore): NoticeItem[] {
  const found = new Map<string, SearchResult>();
  const capped: NoticeEntry[] = [];
  for (const { title, queries } of SECTIONS) {
    for (const query of queries) {
      const state = store.loadInTime(query);
      if (state.is !== 'loaded' || found.has(query)) continue;
      found.set(query, state.found);
      if (state.found.unread)
        capped.push({ type: typeOf(query), id: '', reason: `${t(title)}: ${state.found.unread()}` });
    }
  }
  const all = [...found.values()];
  const mended = new Map(all.flatMap((one) => one.mended ?? []).map((one) => [`${one.type}/${one.id}`, one]));
  const malformed = [...found].flatMap(([query, { malformed }]) =>
    malformed.map((reason) => ({ type: typeOf(query), id: '', reason })),
  );
  const ofOthers = all.reduce((n, one) => n + (one.ofOthers ?? 0), 0);
  const older = store.source.name === 'files' ? 0 : all.reduce((n, one) => n + one.older, 0);
  const items: ItemMessages[] = [
    {
      count: capped.length,
      says: '{n} list that goes on|{n} lists that go on',
      title: 'Lists that go on',
      about: 'There is more than was read. It is also missing in trends, the timeline, find and what is shared.',
      entries: () => capped,
    },
    {
      count: malformed.length,
      says: '{n} record that could not be read|{n} records that could not be read',
      title: 'Records that could not be read',
      about: 'An element that is needed to understand them does not have the form of FHIR.',
      entries: () => malformed.slice(0, MAX),
    },
    {
      count: mended.size,
      says: '{n} record with fields that could not be read|{n} records with fields that could not be read',
      title: 'Fields that could not be read',
      about: 'These elements do not have the form of FHIR, and were left out. The rest of each record is shown.',
      entries: () =>
        [...mended.values()].slice(0, MAX).map(({ type, id, lost }) => ({
          type,
          id,
          isHeld: true,
          reason: t('Left out: {elements}', { elements: lost.join(', ') }),
        })),
    },
    {
      count: ofOthers,
      says: '{n} record of another patient|{n} records of other patients',
      title: 'Of other patients',
      about: 'The server answered with records of other patients than the one that was asked for.',
      entries: () => [],
    },
    {
      count: older,
      says: '{n} record of an older FHIR|{n} records of an older FHIR',
      title: 'Of an older FHIR',
      about: 'Records of an older FHIR (DSTU2 or STU3) cannot be shown: {n}.',
      entries: () => [],
    },
  ];
  return items.map(inWords);
}

/** Returns the item for sections declined, even in part, when access was given. Types never asked for do not count. */
function consentItem(store: ChartStore): NoticeItem {
  const left = SECTIONS.flatMap(({ title, queries }): NoticeEntry[] => {
    const [types, reasons] = [new Set<string>(), new Set<string>()];
    for (const query of queries) {
      const state = store.loadInTime(query);
      if (state.is === 'withheld' && state.wasAsked !== false) types.add(typeWords(words(), typeOf(query)));
      if (state.is === 'loaded' && state.found.ungranted) reasons.add(state.found.ungranted());
    }
    if (types.size > 0)
      reasons.add(t('Left out when access was given: {types}.', { types: words().listed([...types]) }));
    return reasons.size > 0 ? [{ type: '', id: '', reason: `${t(title)}: ${[...reasons].join(' ')}` }] : [];
  });
  return {
    count: left.length,
    says: t('{n} area left out when access was given, or a part|{n} areas left out when access was given, or parts', {
      n: left.length,
    }),
    title: t('Left out when access was given'),
    about: [
      t('What was left out was not sent here.'),
      store.source.name === 'session' ? t('To share it too, log out, and sign in again.') : '',
    ].join(' '),
    entries: () => left,
  };
}

/** Returns what a chart leaves out or has replaced. `addresses` has all records of the patient, if they are known. */
export function noticeItems(store: ChartStore, addresses: readonly string[]): NoticeItem[] {
  const { value } = files;
  const isOfFiles = store.source.name === 'files' && value.is === 'open';
  return [
    ...(isOfFiles ? [linkedItem(value.report, store), ...filesItems(value.report, store, addresses)] : []),
    ...(addresses.length > 0 ? [unshownItem(addresses, store)] : []),
    consentItem(store),
    ...answerItems(store),
  ].filter(({ count }) => count > 0);
}
