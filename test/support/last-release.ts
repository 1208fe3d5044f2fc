import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemaFiles } from "#metadata/schema/migrate.ts";
import { lockedPackages, runtimePackages } from "../../tools/licences/packages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The last release, as a folder with its files and packages. */
export interface LastRelease {
  /** A tag, or the commit of `test/cases/last-release.json`. */
  ref: string;
  root: string;
  /** Whether this release has a breaking file of the schema that it lacks, so that there is no way back. */
  isBreaking: boolean;
  remove(): void;
}

/**
 * Checks out the last release: the newest tag `v…` before this commit, or else the commit of `test/cases/last-release.json`. Throws
 * with what to do when this clone does not have it.
 */
export function checkOutLastRelease(): LastRelease {
  const ref = newestTag() ?? recordedCommit();
  if (!hasCommit(ref)) {
    throw new Error(
      `The last release (${ref}) is not in this clone: ${
        git("rev-parse", "--is-shallow-repository").trim() === "true"
          ? "it is shallow, run git fetch --unshallow --tags"
          : "run git fetch --tags"
      }, or clone with full history (fetch-depth: 0)`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "tributary-last-release-"));
  // The account of the packaged PostgreSQL reads from it.
  chmodSync(folder, 0o755);
  const archive = execFileSync("git", [...safe, "archive", ref], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync("tar", ["x", "-C", folder], { input: archive });
  packages(folder);
  return {
    ref,
    root: folder,
    isBreaking: isBreaking(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

// Without this option git refuses a clone that belongs to another account.
const safe = ["-c", "safe.directory=*"];

const git = (...args: string[]) =>
  execFileSync("git", [...safe, ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

/** Of the commit before this one: a release is tested against the one before it. */
function newestTag(): string | null {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^").trim();
  } catch {
    return null;
  }
}

function recordedCommit(): string {
  const file = join(root, "test/cases/last-release.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { commit: string }).commit;
}

function hasCommit(ref: string): boolean {
  try {
    return git("cat-file", "-t", `${ref}^{commit}`).trim() === "commit";
  } catch {
    return false;
  }
}

/** The packages of this checkout where it has all that the release runs with; else its own. */
function packages(folder: string): void {
  const here = runtimeVersions(root);
  const isSame = Object.entries(runtimeVersions(folder)).every(([path, version]) =>
    here[path] === version
  );
  if (isSame) return symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // As `npm start` of that release does: npm alone brings neither Deno nor PostgreSQL's links.
  const install = "import('./tools/install.mjs').then((all) => all.ensureInstalled(process.cwd()))";
  execFileSync("node", ["-e", install], { cwd: folder, stdio: "ignore" });
}

/** Version of each package that a checkout runs with, by its folder. */
function runtimeVersions(folder: string): Record<string, string | undefined> {
  const lock = lockedPackages(folder);
  return Object.fromEntries([...runtimePackages(lock)].map((path) => [path, lock[path]!.version]));
}

function isBreaking(folder: string): boolean {
  const before = new Set(readdirSync(join(folder, "metadata/schema")));
  return schemaFiles().numbered.some(({ name, breaking }) => breaking && !before.has(name));
}
