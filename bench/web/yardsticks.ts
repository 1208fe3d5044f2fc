import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * The folder whose `node_modules` has the libraries of `yardsticks.json`: installed there when they are not, so that
 * neither the product nor its tests install what only a benchmark compares with.
 */
export function installedYardsticks(): string {
  const wanted = readFileSync(new URL("yardsticks.json", import.meta.url), "utf8");
  const folder = fileURLToPath(new URL("../../.cache/bench-web", import.meta.url));
  const stamp = join(folder, "installed.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), wanted);
  const windows = process.platform === "win32";
  const { status, error } = spawnSync(
    windows ? "npm.cmd" : "npm",
    ["install", "--omit=peer", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    { cwd: folder, stdio: ["ignore", 2, 2], shell: windows },
  );
  if (error || status !== 0) {
    throw new Error(`the yardsticks could not be installed: ${error?.message ?? `npm: ${status}`}`);
  }
  writeFileSync(stamp, wanted);
  return folder;
}
