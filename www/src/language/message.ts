//! The messages of the app: those of the reading, and its own.

import type { MessageValues, MessageWithoutPlaces, Translate } from '#reading/language/words.ts';
import type { Message } from './es/catalogue.ts';
import { words } from './language.ts';

export type { Message };
export { words };

/** The messages without a place, which tables may hold. */
export type PlainMessage = MessageWithoutPlaces<Message>;

/** The text of a message in the language of the page. */
export const t: Translate<Message> = (message: string, values: Record<string, string | number> = {}): string =>
  words().parts(message, values).join('');

export const translated = (text: string): string => words().translated(text);

/** Sentences one after the other. */
export const sentences = (messages: readonly PlainMessage[]): string => messages.map((one) => t(one)).join(' ');

/** A message with templates in its places, as the content of a template. */
export const rich = <M extends Message>(message: M, values: MessageValues<M, unknown>): unknown[] =>
  words().parts(message, values);
