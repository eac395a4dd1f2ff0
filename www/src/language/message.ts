//! Translates the messages of the app, including those of `reading/`.

import type { MessageValues, MessageWithoutPlaces, Translate } from '#reading/language/words.ts';
import type { Message } from './es/catalogue.ts';
import { words } from './language.ts';

export type { Message };
export { words };

/** The messages without placeholders, which tables may hold. */
export type PlainMessage = MessageWithoutPlaces<Message>;

/** The messages without placeholders, or with one of a name. */
export type MessageWith<Name> = { [M in Message]: keyof MessageValues<M, unknown> extends Name ? M : never }[Message];
export type CountMessage = MessageWith<'n'>;

/** Returns the text of a message in the language of the page. */
export const t: Translate<Message> = (message: string, values: Record<string, string | number> = {}): string =>
  words().parts(message, values).join('');

export const translated = (text: string): string => words().translated(text);

export const sentences = (messages: readonly PlainMessage[]): string => messages.map((one) => t(one)).join(' ');

/** Returns a message with templates in its placeholders, as the content of a template. */
export const rich = <M extends Message>(message: M, values: MessageValues<M, unknown>): unknown[] =>
  words().parts(message, values);
