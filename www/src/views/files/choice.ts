//! The files that the user chose in a file dialog or dropped, with the files in dropped folders.

import type { NamedFile } from '../../engine/load/file-report.ts';
import type { Choice } from '../../source/files.ts';

/** Returns whether a file in a folder is read. A file that was chosen itself is read whatever its name. */
export const isRecordsFile = (name: string): boolean =>
  /^[^.].*\.(json|ndjson|jsonl|fhir)(\.gz)?$|^[^.].*\.gz$/i.test(name);

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Compares by name, with numbers in numeric order, as folders are listed. */
const byName = (a: NamedFile, b: NamedFile): number => a.name.localeCompare(b.name, 'en', { numeric: true });

/** Returns the files without the other files of folders. `isOfFolder`: the file was not chosen itself. */
export function choiceOf(all: (NamedFile & { isOfFolder: boolean })[]): Choice {
  const read = all.filter(({ name, isOfFolder }) => !isOfFolder || isRecordsFile(lastPart(name)));
  return {
    files: read.map(({ name, file }) => ({ name, file })).sort(byName),
    leftOut: all.length - read.length,
  };
}

export const choiceOfDialog = (list: FileList | null): Choice =>
  choiceOf(
    [...(list ?? [])].map((file) => ({
      name: file.webkitRelativePath || file.name,
      file,
      isOfFolder: file.webkitRelativePath !== '',
    })),
  );

export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false;

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** Returns the entries of a folder. The browser gives them in portions, of which the last is empty. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}

type DroppedFile = NamedFile & { isOfFolder: boolean };

async function filesIn(entry: FileSystemEntry, isOfFolder: boolean): Promise<DroppedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.replace(/^\//, ''), file, isOfFolder }];
  }
  if (!isFolder(entry)) return [];
  const found: DroppedFile[] = [];
  for (const one of await entriesIn(entry)) found.push(...(await filesIn(one, true)));
  return found;
}

/** Returns the choice of a drop. The items can be read only during the event, so they are read before any `await`. */
export async function choiceOfDrop(data: DataTransfer): Promise<Choice> {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const found = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files: DroppedFile[] = [];
  for (const one of found) {
    if (one instanceof File) files.push({ name: one.name, file: one, isOfFolder: false });
    else if (one) files.push(...(await filesIn(one, false)));
  }
  return choiceOf(files);
}
