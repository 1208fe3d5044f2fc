import type { Messages } from "@lingui/core";
import { firstAreas } from "#web/messages/areas.ts";
import { language } from "#web/messages/language.ts";
import { catalogue } from "#web/messages/text.ts";

const files = {
  ...import.meta.glob<Record<string, string>>("./*/*.json", { import: "default" }),
  // Mails and chat messages name things alike.
  ...import.meta.glob<Record<string, string>>("../../contract/names/*.json", { import: "default" }),
};
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
    return messages.map(([name, text]) => [`${area}.${name}`, compiled(text)]);
  }));
  catalogue.load(language, Object.fromEntries(read.flat()));
}

/**
 * The build compiles messages and leaves those without arguments as text, which is shortest. Lingui takes a text for a message
 * that was not compiled, and warns each time that it is shown; a list is one that was.
 */
function compiled(message: string): Messages[string] {
  return import.meta.env.PROD && typeof message === "string" ? [message] : message;
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
