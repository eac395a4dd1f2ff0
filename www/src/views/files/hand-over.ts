//! Hands chosen files from the first page to the view that opens them. Their names are not put into an address.

import { FILES_URL, navigate } from '../../routes.ts';
import type { Choice } from '../../source/files.ts';

let waiting: Choice | undefined;

/** Opens the view of files, which takes the choice. An empty choice changes nothing. */
export function handOver(choice: Choice): void {
  if (choice.files.length === 0 && choice.leftOut === 0) return;
  waiting = choice;
  navigate(FILES_URL);
}

/** Returns the choice that was handed over, and forgets it. */
export function takeChoice(): Choice | undefined {
  const choice = waiting;
  waiting = undefined;
  return choice;
}
