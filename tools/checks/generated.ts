import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, root } from "./check.ts";

export const generated: Check = {
  name: "generated",
  cannotDetect: "a description that is wrong in the schema itself",
  async run({ update }) {
    // Imported late: it loads the whole API, which fails while there is a type error.
    const { generatedDocuments } = await import("../docs.ts");
    const documents = Object.entries(await generatedDocuments());
    const problems = await Promise.all(documents.map(async ([file, text]) => {
      if (update) write(file, text);
      const found = await readFile(join(root, file), "utf8").catch(() => "");
      return found === text ? [] : `${file}:${firstDifference(found, text)}`;
    }));
    return { summary: `${documents.length} documents`, problems: problems.flat() };
  },
};

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function firstDifference(found: string, wanted: string): string {
  if (found === "") return " missing (npm run docs writes it)";
  const [has, needs] = [found.split("\n"), wanted.split("\n")];
  const at = needs.findIndex((line, index) => line !== has[index]);
  const line = at < 0 ? needs.length : at;
  return `${line + 1} is out of date (npm run docs writes it; review the change)\n` +
    `  has  ${(has[line] ?? "").trim()}\n  must ${(needs[line] ?? "").trim()}`;
}
