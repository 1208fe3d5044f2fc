// Builds programs from their Go modules, whose contents Go itself verifies, into a folder of `.cache`.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { takeTurn } from "./turn.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const candidates = ["go", "/usr/local/go/bin/go"];

/** The command of Go; undefined where there is none. */
function goCommand() {
  return candidates.find((go) => spawnSync(go, ["version"], { stdio: "ignore" }).status === 0);
}

/**
 * @typedef {object} GoPrograms
 * @property {string} name of their folder in `.cache`
 * @property {string[]} modules each a package with its version
 */

/** @param {GoPrograms} programs */
const homeOf = ({ name }) => join(root, ".cache", name);

/** @param {GoPrograms} programs */
function isCurrent(programs) {
  const stamp = join(homeOf(programs), "installed.txt");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === programs.modules.join("\n");
}

/**
 * Whether the programs are there or can be built.
 * @param {GoPrograms} programs
 */
export function canHaveGoPrograms(programs) {
  return isCurrent(programs) || goCommand() !== undefined;
}

/**
 * The folder of the programs, built when they are missing or of other versions; that takes minutes. Throws when there is
 * no Go.
 * @param {GoPrograms} programs
 */
export function goPrograms(programs) {
  const folder = join(homeOf(programs), "bin");
  if (isCurrent(programs)) return folder;
  const release = takeTurn(root, `installing-${programs.name}`);
  try {
    if (!isCurrent(programs)) build(programs, folder);
    return folder;
  } finally {
    release();
  }
}

/**
 * @param {GoPrograms} programs
 * @param {string} folder
 */
function build(programs, folder) {
  const go = goCommand();
  if (!go) {
    throw new Error(
      `There is no Go: install Go 1.24 or newer, with which ${programs.name} is built`,
    );
  }
  console.error(`Building ${programs.name}…`);
  mkdirSync(folder, { recursive: true });
  // Building takes longer than all that they are used for: nothing is optimized, nothing needs a C compiler.
  const env = { ...process.env, GOBIN: folder, GOFLAGS: "", CGO_ENABLED: "0" };
  for (const module of programs.modules) {
    execFileSync(go, ["install", "-gcflags=all=-N -l", "-ldflags=-s -w", module], {
      env,
      cwd: homeOf(programs),
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  writeFileSync(join(homeOf(programs), "installed.txt"), programs.modules.join("\n"));
}
