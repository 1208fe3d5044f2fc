import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * URL of the embedded server that another process runs on this data directory; null when none does.
 * For tools that inspect a running Tributary.
 */
export function runningEmbedded(dataDir: string): string | null {
  const store = resolve(dataDir, "postgres");
  const lock = join(store, "cluster", "postmaster.pid");
  if (!existsSync(lock)) return null;
  const lines = readFileSync(lock, "utf8").split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!isAlive(pid) || !port) return null;
  const password = readFileSync(`${store}.password`, "utf8").trim();
  return `postgres://tributary:${password}@127.0.0.1:${port}/postgres`;
}

/** Whether this machine has a process with that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}
