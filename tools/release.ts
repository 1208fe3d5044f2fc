// Makes a release: version, changelog, chart, commit and tag. `npm run release -- 0.2.0`
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { gather } from "./changelog.ts";
import { runCommand } from "./command.ts";

const usage = `Usage: npm run release -- <version> [--draft]

Writes <version> into package.json, package-lock.json and the chart, gathers changes/ into CHANGELOG.md, commits, and tags the
commit v<version>. Images and the chart take their version from there. --draft only shows what the changelog will say. Nothing is
pushed: git push --follow-tags publishes.

Exit codes: 0 done, 1 refused, nothing was changed, 2 wrong use.`;

export interface ReleaseOptions {
  /** The repository. */
  root: string;
  version: string;
  /** ISO 8601. */
  day: string;
  draft: boolean;
  /** Renders the files that name the version, such as the chart. */
  generate: () => void;
}

const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Makes a release; returns the exit code and the text to print. */
export function release(options: ReleaseOptions): { code: number; text: string } {
  const { root, version, day, draft, generate } = options;
  const refusal = refusalOf(root, version);
  if (refusal) return { code: 1, text: refusal };
  const shown = gather({ root, day, draft: true, version });
  if (shown.code !== 0 || draft) return shown;
  for (const file of ["package.json", "package-lock.json"]) writeVersion(join(root, file), version);
  gather({ root, day, draft: false, version });
  generate();
  const tag = `v${version}`;
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", `Release ${version}`);
  git(root, "tag", "--annotate", "--cleanup=verbatim", tag, "--message", shown.text);
  return { code: 0, text: `Tagged ${tag}. Publish it: git push --follow-tags` };
}

/** Why there cannot be this release now; null when there can. */
function refusalOf(root: string, version: string): string | null {
  const { version: now } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const isTagged = git(root, "tag", "--list", `v${version}`) !== "";
  if (!form.test(version)) return `${version} is no version: use <major>.<minor>.<patch>`;
  if (isTagged) return `v${version} is tagged already`;
  if (compare(version, now) < 0) return `${version} is below ${now}, the version in package.json`;
  // Nobody was given the version of package.json before the first tag of it.
  if (compare(version, now) === 0 && git(root, "tag", "--list", "v*") !== "") {
    return `${version} is the version in package.json already: raise it`;
  }
  if (git(root, "status", "--porcelain") !== "") {
    return "There are changes that are not committed: commit or discard them first";
  }
  return null;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number));
  return [0, 1, 2].map((at) => left![at]! - right![at]!).find((one) => one !== 0) ?? 0;
}

/** Writes the version of a package file, and of its root package in a lock file. */
function writeVersion(file: string, version: string): void {
  const content = JSON.parse(readFileSync(file, "utf8"));
  content.version = version;
  if (content.packages?.[""]) content.packages[""].version = version;
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function main(args: string[]): Promise<number> {
  const [version, ...rest] = args.filter((one) => one !== "--draft");
  if (version === undefined || rest.length > 0 || version.startsWith("-")) {
    console.error(usage);
    return Promise.resolve(2);
  }
  const { code, text } = release({
    root: ".",
    version,
    day: new Date().toISOString().slice(0, 10),
    draft: args.includes("--draft"),
    generate: () => {
      execFileSync(process.execPath, ["run", "-A", "tools/fix.ts"], { stdio: "inherit" });
    },
  });
  console.log(text);
  return Promise.resolve(code);
}

if (import.meta.main) await runCommand(main);
