// Restarts a command whenever a source file changes: the whole process, including engines, so that the state
// is always that of a fresh start.
import { watch } from "node:fs";
import { join } from "node:path";

/** Folders whose sources are watched, with all below them. */
export const folders = [
  "cache",
  "contract",
  "eventlog",
  "graph",
  "kit",
  "metadata",
  "platform",
  "services",
  "storage",
];
const sources = /\.(ts|sql|cypher|ya?ml|json)$/;

/**
 * Starts `launch()` (a child process), and again after each change, when the previous one has ended.
 * @param {string} root
 * @param {() => import("node:child_process").ChildProcess} launch
 * @returns {{ stop(signal: NodeJS.Signals): void }}
 */
export function runOnChange(root, launch) {
  let child = start();
  let isPending = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settled;

  function start() {
    const started = launch();
    started.on("exit", () => {
      if (!isPending) return console.error("Stopped; waiting for a change…");
      isPending = false;
      child = start();
    });
    return started;
  }

  function restart() {
    console.error("Changed; starting again…");
    if (child.exitCode !== null || child.signalCode !== null) child = start();
    else {
      isPending = true;
      child.kill("SIGTERM");
    }
  }

  for (const folder of [...folders, "."]) {
    watch(join(root, folder), { recursive: folder !== "." }, (_, file) => {
      if (!file || !sources.test(file) || file.endsWith(".test.ts")) return;
      clearTimeout(settled);
      settled = setTimeout(restart, 150);
    });
  }
  return {
    stop(signal) {
      isPending = false;
      child.once("exit", () => process.exit(0));
      if (!child.kill(signal)) process.exit(0);
    },
  };
}
