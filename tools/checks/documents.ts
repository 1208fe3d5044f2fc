import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { type Check, repositoryFiles, root } from "./check.ts";

export const documents: Check = {
  name: "documents",
  cannotDetect: "a path that exists but holds something else than the text says",
  async run() {
    const files = await repositoryFiles(/^([A-Z]+\.md|docs\/.*\.md)$/);
    const known = { tops: await topEntries(), commands: await commands() };
    const problems = await Promise.all(files.map((file) => problemsOf(file, known)));
    return { summary: `${files.length} documents`, problems: problems.flat() };
  },
};

interface DocumentContext {
  tops: Set<string>;
  commands: Set<string>;
}

async function problemsOf(file: string, known: DocumentContext): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  return text.split("\n").flatMap((line, index) => {
    const at = `${file}:${index + 1}`;
    const missing = [...linked(line, file), ...cited(line, known.tops)].filter((path) =>
      !existsSync(join(root, path))
    );
    const unknown = [...line.matchAll(/npm run ([a-z][\w:-]*)/g)].map((match) => match[1] ?? "")
      .filter((command) => !known.commands.has(command));
    return [
      ...missing.map((path) => `${at}: there is no ${path}`),
      ...missingAnchors(line, file).map((target) => `${at}: there is no heading for ${target}`),
      ...unknown.map((command) => `${at}: there is no command npm run ${command}`),
    ];
  });
}

/** Targets of relative links. */
function linked(line: string, file: string): string[] {
  return [...line.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((match) => match[1] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => normalize(target.startsWith("/") ? target : join(dirname(file), target)));
}

/** Links to a heading that the page, or this one, does not have. */
function missingAnchors(line: string, file: string): string[] {
  const targets = [...line.matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)];
  return targets.flatMap(([, path = "", anchor = ""]) => {
    const page = path === "" ? file : normalize(join(dirname(file), path));
    if (/^[a-z]+:/.test(path) || !page.endsWith(".md") || !existsSync(join(root, page))) return [];
    return anchorsOf(readFileSync(join(root, page), "utf8")).has(anchor) ? [] : `${page}#${anchor}`;
  });
}

/** Anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = ""]) =>
      title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}

/** Paths in code spans: those that start with a file or folder of the root and are not patterns. */
function cited(line: string, tops: Set<string>): string[] {
  return [...line.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)(?::\d+)?`/g)]
    .map((match) => match[1] ?? "")
    .filter((path) => path.includes("/") && tops.has(path.split("/")[0] ?? ""));
}

async function topEntries(): Promise<Set<string>> {
  return new Set((await repositoryFiles(/\//)).map((file) => file.split("/")[0] ?? ""));
}

async function commands(): Promise<Set<string>> {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return new Set(Object.keys(scripts));
}
