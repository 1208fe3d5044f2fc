// Builds the web interface when its sources changed since the last build. Plain Node, like install.mjs, because
// it runs before every start.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { denoBinary } from "../install.mjs";
import { takeTurn } from "../turn.mjs";

/**
 * Builds `.cache/web/site` from `web/` unless it is current. A build that fails leaves the API as it is: `/` then
 * says which command to run.
 * @param {string} root
 * @returns {boolean} whether there is a current build
 */
export function ensureWebBuilt(root) {
  const now = fingerprint(root);
  if (builtFrom(root) === now) return true;
  if (!existsSync(join(root, "node_modules", "vite"))) return false;
  const release = takeTurn(root, "building-web");
  try {
    return builtFrom(root) === now || built(root, now);
  } finally {
    release();
  }
}

/** @param {string} root @param {string} now */
function built(root, now) {
  console.error("Building the web interface…");
  const { status } = spawnSync(denoBinary(root), ["run", "-A", "tools/web/build.ts"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    // Tests set another one, with which the build would be that of a developer.
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NODE_ENV: "production" },
  });
  if (status !== 0) {
    console.error("The web interface could not be built; the API works without it.");
    return false;
  }
  mkdirSync(join(root, ".cache", "web"), { recursive: true });
  writeFileSync(stampOf(root), now);
  return true;
}

/** @param {string} root */
function builtFrom(root) {
  const found = existsSync(join(root, ".cache", "web", "site", "index.html"));
  return found && existsSync(stampOf(root)) ? readFileSync(stampOf(root), "utf8") : "";
}

/** @param {string} root */
const stampOf = (root) => join(root, ".cache", "web", "built-from");

/** Hash of everything that the build reads. @param {string} root */
function fingerprint(root) {
  const hash = createHash("sha256");
  for (const file of [...sources(join(root, "web")), join(root, "package-lock.json")]) {
    hash.update(relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** @param {string} directory @returns {string[]} */
function sources(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return sources(path);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
    });
}

// The Dockerfile runs this file directly.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exit(ensureWebBuilt(process.cwd()) ? 0 : 1);
}
