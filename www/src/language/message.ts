//! The messages of the app: those of the reading, and its own.

import { type Plain, parts, type Translate, t as text, type Values } from '#reading/language/message.ts';
import type { Message } from './es/catalogue.ts';

export { translated } from '#reading/language/message.ts';
export type { Message };

/** The messages without a place, which tables may hold. */
export type PlainMessage = Plain<Message>;

/** The text of a message in the language of the page. */
export const t = text as Translate<Message>;

/** Sentences one after the other. */
export const sentences = (messages: readonly PlainMessage[]): string => messages.map((one) => t(one)).join(' ');

/** A message with templates in its places, as the content of a template. */
export const rich = <M extends Message>(message: M, values: Values<M, unknown>): unknown[] => parts(message, values);
