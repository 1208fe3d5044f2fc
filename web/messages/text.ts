import { setupI18n } from "@lingui/core";
import { language } from "#web/messages/language.ts";
import type { Messages } from "#web/messages/messages.gen.ts";

/** `<area>.<name>`: a message of `web/messages/<language>/<area>.json`. */
export type MessageKey = keyof Messages;

/** Messages without values, which can be kept in a table and shown as they are. */
export type PlainKey = {
  [K in MessageKey]: Messages[K] extends undefined ? K : never;
}[MessageKey];

/** Values of a message as it is declared: none, or one for each of its arguments. */
type ValuesOf<K extends MessageKey> = Messages[K] extends undefined ? [] : [Messages[K]];

export const catalogue = setupI18n({ locale: language, messages: { [language]: {} } });

/**
 * The text of a message in the language of the page, with plurals, numbers and lists as the language writes them (ICU
 * MessageFormat). To be called while something is rendered or done, never when a module is loaded: its text may not be there yet.
 */
export function t<K extends MessageKey>(key: K, ...values: ValuesOf<K>): string {
  return catalogue.t(key, values[0] as Record<string, unknown> | undefined);
}

/** What people call a code of the contract; undefined for those that have no name. */
export function nameOf(code: string): string | undefined {
  const key = `names.${code}`;
  return Object.hasOwn(catalogue.messages, key) ? catalogue.t(key) : undefined;
}
