import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { languages } from "#contract/languages.ts";
import { type Check, repositoryFiles, root } from "./check.ts";
import { argumentsOf, tagsOf } from "../web/messages.ts";

/** Message files by their folder: one file a language, or a folder a language with one file an area. */
const folders = ["contract/names", "platform/messages", "web/messages"];

export const messages: Check = {
  name: "messages",
  cannotDetect:
    "a translation that says something else, and keys that are put together while running",
  async run() {
    const read = folders.map((folder) => {
      const texts = new Map(languages.map((one) => [one, textsOf(folder, one)] as const));
      return { folder, texts };
    });
    const problems = read.flatMap(({ folder, texts }) => {
      const english = texts.get("en")!;
      return languages.flatMap((language) =>
        differences(english, texts.get(language)!).map((problem) =>
          `${folder}, ${language}: ${problem}`
        )
      );
    });
    const keys = read.filter(({ folder }) => folder !== "contract/names")
      .flatMap(({ folder, texts }) => [...texts.get("en")!.keys()].map((key) => ({ folder, key })));
    const unused = await unusedKeys(keys);
    return {
      summary: `${keys.length} messages in ${languages.length} languages`,
      problems: [...problems, ...unused],
    };
  },
};

/** Messages of a language by their key. */
function textsOf(folder: string, language: string): Map<string, string> {
  const path = join(root, folder);
  const names = readdirSync(path);
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  if (names.includes(`${language}.json`)) {
    return new Map(Object.entries(read(join(path, `${language}.json`))));
  }
  if (!names.includes(language)) return new Map();
  return new Map(
    readdirSync(join(path, language)).flatMap((file) =>
      Object.entries(read(join(path, language, file)))
        .map(([key, text]) => [`${basename(file, ".json")}.${key}`, text] as const)
    ),
  );
}

/** What a language lacks or has too much of, compared with English. */
export function differences(
  english: ReadonlyMap<string, string>,
  translated: ReadonlyMap<string, string>,
): string[] {
  const superfluous = [...translated.keys()].filter((key) => !english.has(key))
    .map((key) => `${key} does not exist in English`);
  const others = [...english].flatMap(([key, text]) => {
    const other = translated.get(key);
    if (other === undefined) return [`${key} is missing`];
    if (other.trim() === "" && text.trim() !== "") return [`${key} is empty`];
    return differencesOf(text, other).map((problem) => `${key} ${problem}`);
  });
  return [...superfluous, ...others];
}

function differencesOf(english: string, translated: string): string[] {
  try {
    const [needed, used] = [english, translated].map((text) =>
      [...argumentsOf(text).keys()].sort().join(", ")
    );
    const [tags, otherTags] = [english, translated].map((text) =>
      [...new Set(tagsOf(text))].join(", ")
    );
    return [
      ...(needed === used
        ? []
        : [`has the arguments ${used || "none"} instead of ${needed || "none"}`]),
      ...(tags === otherTags
        ? []
        : [`has the tags ${otherTags || "none"} instead of ${tags || "none"}`]),
    ];
  } catch (error) {
    return [`cannot be read: ${(error as Error).message.split("\n")[0]}`];
  }
}

/** Keys that no source contains. */
async function unusedKeys(keys: { folder: string; key: string }[]): Promise<string[]> {
  const files = await repositoryFiles(/^(web|services|platform)\/.*(?<!\.gen|\.test)\.tsx?$/);
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  const used = new Set(
    sources.flatMap((text) => text.match(/(?<=["'`])[\w-]+(?:\.[\w-]+)+(?=["'`])/g) ?? []),
  );
  const computed = sources.flatMap((text) =>
    text.match(/(?<=`)[\w-]+(?:\.[\w-]+)*\.(?=\$\{)/g) ?? []
  );
  return keys.filter(({ key }) =>
    !used.has(key) && !computed.some((start) => key.startsWith(start))
  )
    .map(({ folder, key }) => `${folder}: ${key} is not used`);
}
