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
  return commandLine(pid).includes(mark);
}

/** The command line of a process; empty when it is gone. */
function commandLine(/** @type {number} */ pid) {
  const listed = `/proc/${pid}/cmdline`;
  try {
    // Callers wait in short steps; a process for each step would cost more than the engine that they wait for.
    if (existsSync("/proc/self")) return readFileSync(listed, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-o", "args=", "-ww", "-p", String(pid)]).toString();
  } catch {
    return "";
  }
}

/**
 * Resolves when a program that this process launched answers. Its command line is empty for an instant while it
 * becomes that program (execve), so what counts here is that the process is there.
 * @param {number} pid
 * @param {() => unknown} answers rejects while it is not ready
 * @param {number} within milliseconds
 * @throws {Error} when it has ended, or its last answer after that time
 */
export async function untilAnswers(pid, answers, within) {
  const hasEnded = await until(async () => {
    if (!isThere(pid)) return true;
    await answers();
    return false;
  }, within);
  if (hasEnded) throw new Error("ended before it was ready");
}

function isThere(/** @type {number} */ pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code !== "ESRCH";
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

// Systems give connections local ports from 32,768 up (RFC 6335: from 49,152): below that, none of
// them takes the port before its server does, or while that server is being restarted.
const [firstPort, lastPort] = [10_000, 32_767];
/** @type {Set<number>} so that one process never gets the same port twice */
const given = new Set();

/** @returns {Promise<number>} a port of the loopback address that nobody uses now */
export async function freePort() {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = firstPort + Math.floor(Math.random() * (lastPort + 1 - firstPort));
    if (given.has(port) || !await isFree(port)) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no port from ${firstPort} to ${lastPort} is free`);
}

/** @param {number} port */
function isFree(port) {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once("error", () => answer(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => answer(true)));
  });
}
