//! The way of chosen files from the first page to the view that opens them. Their names come into no address.

import { FILES_URL, navigate } from '../../routes.ts';
import type { Choice } from '../../source/files.ts';

let waiting: Choice | undefined;

/** Opens the view of files, which takes the choice. A choice of nothing changes nothing. */
export function handOver(choice: Choice): void {
  if (choice.files.length === 0 && choice.leftOut === 0) return;
  waiting = choice;
  navigate(FILES_URL);
}

/** The choice that was handed over, once. */
export function takeChoice(): Choice | undefined {
  const choice = waiting;
  waiting = undefined;
  return choice;
}
