// Folders for the temporary files of a test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/// Creates a folder that is removed when the process of the tests exits. Servers that write into it have ended then.
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'edgechart-'));
  folders.push(folder);
  return folder;
}
