import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

// The shell kills the engine when our pipe closes, however this process ends.
const guard = 'exec 3<&0; "$@" </dev/null & child=$!; echo $child > engine.pid; ' +
  "( read -r _ <&3; kill -9 $child ) & reader=$!; " +
  "wait $child; code=$?; kill $reader; exit $code";

/**
 * Starts an engine in `directory`, its output going to `engine.log` there.
 * @param {string[]} command
 * @param {string} directory
 * @param {boolean} tied whether it must end with this process
 * @returns {Promise<number>} its process id
 */
export async function launch(command, directory, tied) {
  const record = join(directory, "engine.pid");
  rmSync(record, { force: true });
  const log = openSync(join(directory, "engine.log"), "a");
  const [program = "", ...args] = tied ? ["/bin/sh", "-c", guard, "guard", ...command] : command;
  const child = spawn(program, args, {
    cwd: directory,
    detached: true,
    stdio: [tied ? "pipe" : "ignore", log, log],
  });
  closeSync(log);
  await new Promise((started, failed) => child.once("spawn", started).once("error", failed));
  child.unref();
  if (!tied) return /** @type {number} */ (child.pid);
  return /** @type {Promise<number>} */ (until(() => {
    const pid = existsSync(record) ? Number(readFileSync(record, "utf8")) : 0;
    if (pid === 0) throw new Error(`no process was started in ${directory}`);
    return pid;
  }, 5_000));
}

/** Whether this process still runs the program that carries `mark` in its command line. */
export function runs(/** @type {number} */ pid, /** @type {string} */ mark) {
  try {
    return execFileSync("ps", ["-o", "args=", "-ww", "-p", String(pid)]).toString().includes(mark);
  } catch {
    return false;
  }
}

/**
 * Ends an engine: SIGTERM, and SIGKILL when it is not gone after 20 s.
 * @param {number} pid
 * @param {string} mark
 */
export async function end(pid, mark) {
  for (let waited = 0; runs(pid, mark); waited += 100) {
    if (waited === 0) send(pid, "SIGTERM");
    if (waited === 20_000) send(pid, "SIGKILL");
    if (waited > 30_000) throw new Error(`process ${pid} does not end`);
    await pause(100);
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function send(/** @type {number} */ pid, /** @type {NodeJS.Signals} */ signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== "ESRCH") throw error;
  }
}

/**
 * Repeats `check` until it does not throw; then throws its last error after `within` milliseconds.
 * @param {() => unknown} check
 * @param {number} within
 */
export async function until(check, within) {
  for (const deadline = Date.now() + within;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(100);
  }
}

/** @returns {Promise<number>} a port of the loopback address that nobody uses now */
export function freePort() {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => found(port));
    });
  });
}
