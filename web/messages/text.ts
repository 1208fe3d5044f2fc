import { setupI18n } from "@lingui/core";
import { firstAreas } from "#web/messages/areas.ts";
import { language } from "#web/messages/language.ts";
import type { Messages } from "#web/messages/messages.gen.ts";

/** `<area>.<name>`: a message of `web/messages/<language>/<area>.json`. */
export type MessageKey = keyof Messages;

/** Messages without values, which can be kept in a table and shown as they are. */
export type PlainKey = {
  [K in MessageKey]: Messages[K] extends undefined ? K : never;
}[MessageKey];

/** Values of a message as it is declared: none, or one for each of its arguments. */
export type ValuesOf<K extends MessageKey> = Messages[K] extends undefined ? [] : [Messages[K]];

const files = {
  ...import.meta.glob<Record<string, string>>("./*/*.json", { import: "default" }),
  // Mails and chat messages name things alike.
  ...import.meta.glob<Record<string, string>>("../../contract/names/*.json", { import: "default" }),
};
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

/** Loads what the first screen shows. */
export const loadFirst = once(() => load((area) => firstAreas.includes(area)));

/** Loads everything else. */
export const loadRest = once(() => load((area) => !firstAreas.includes(area)));

/** Each area is a file, and those of one call are one file of the built interface. */
async function load(isMeant: (area: string) => boolean): Promise<void> {
  const found = Object.entries(files).flatMap(([path, read]) => {
    const [tag, area] = placeOf(path);
    return tag === language && area && isMeant(area) ? [{ area, read }] : [];
  });
  const read = await Promise.all(found.map(async ({ area, read }) => {
    const messages = Object.entries(await read());
    return messages.map(([name, text]) => [`${area}.${name}`, text]);
  }));
  catalogue.load(language, Object.fromEntries(read.flat()));
}

/** Language and area of a file: `./de/alerts.json`, `../../contract/names/de.json`. */
function placeOf(path: string): [tag?: string, area?: string] {
  const [, folder, name] = /(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
  return folder === "names" ? [name, "names"] : [folder, name];
}

/** Repeats what failed, and nothing else. */
function once(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined;
  return () =>
    loading ??= load().catch((cause) => {
      loading = undefined;
      throw cause;
    });
}
