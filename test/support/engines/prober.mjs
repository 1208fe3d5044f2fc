// Asks a service the same cheap questions again and again, beside whatever is done to it, and tells how
// late the latest answer came, how much memory its processes took, and how much of that the machine is
// to blame for. Runs on Node in a process of its own, so that nothing but the service delays it.
// Arguments: process id of the service, then the addresses that are asked. Each line `begin` on its
// standard input opens a window; `end` closes it and is answered with one line of JSON.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createInterface } from "node:readline";

const [root, ...targets] = process.argv.slice(2);
const everyMs = 50;
/** An answer that has not come by then counts as that late. */
const maxWaitMs = 15_000;
/** The yardstick of the machine: so much work, so often. */
const burnMs = 5;
const burnEveryMs = 100;

let shown;
let machine;
let sumMb = 0;
function open() {
  shown = { latest: 0, busiest: 0, failures: {}, answers: 0 };
  machine = { stallMs: 0, wallMs: 0, cpuMs: 0 };
  sumMb = 0;
  for (const pid of tree()) resetPeak(pid);
}

const agent = new http.Agent({ keepAlive: true, maxSockets: targets.length });

/** Asks once; resolves when the answer is whole, or with why there is none. */
function ask(target) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const done = (failure) => resolve({ ms: performance.now() - begun, failure });
    const request = http.get(target, { agent, timeout: maxWaitMs }, (response) => {
      response.resume();
      response.on("error", (error) => done(error.code ?? error.message));
      response.on("end", () => done(response.statusCode < 500 ? null : `${response.statusCode}`));
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", (error) => done(error.code ?? error.message));
  });
}

const running = new Map();

function round(target) {
  if (running.has(target)) return;
  const window = shown;
  const before = loopMs();
  const probe = ask(target).then(({ ms, failure }) => {
    running.delete(target);
    // A kept connection that the service closed just then tells nothing.
    if (failure === "ECONNRESET" && ms < 50) return;
    window.answers++;
    window.latest = Math.max(window.latest, ms);
    window.busiest = Math.max(window.busiest, loopMs() - before);
    if (failure) window.failures[failure] = (window.failures[failure] ?? 0) + 1;
  });
  running.set(target, probe);
}

/** What the thread of the event loop has used of a core so far, milliseconds; 0 without `/proc`. */
function loopMs() {
  const stat = read(`/proc/${root}/task/${root}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? 0 : (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The service and its children, PostgreSQL left out. */
function tree() {
  const parents = new Map();
  const names = new Map();
  for (const name of listing()) {
    const stat = read(`/proc/${name}/stat`);
    const close = stat.lastIndexOf(")");
    names.set(Number(name), stat.slice(stat.indexOf("(") + 1, close));
    parents.set(Number(name), Number(stat.slice(close + 2).split(" ")[1]));
  }
  const found = [Number(root)];
  for (const pid of found) {
    for (const [child, parent] of parents) {
      if (parent === pid && names.get(child) !== "postgres") found.push(child);
    }
  }
  return found;
}

function listing() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** `VmRSS` or `VmHWM` (the peak), MB. */
const memory = (pid, which) =>
  Number(new RegExp(`^${which}:\\s+(\\d+) kB`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? 0) /
  1_024;

/** The kernel notes the peak again (proc(5), clear_refs). */
function resetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not Linux, or gone: then the peak is that of its whole life, or unknown.
  }
}

let pids = tree();
function weigh() {
  const sum = pids.reduce((whole, pid) => whole + memory(pid, "VmRSS"), 0);
  sumMb = Math.max(sumMb, sum);
}

let last = performance.now();
function beat() {
  const now = performance.now();
  machine.stallMs = Math.max(machine.stallMs, now - last - 10);
  last = now;
}

function burn() {
  const begun = performance.now();
  const before = process.cpuUsage();
  let waste = 0;
  while (process.cpuUsage(before).user < burnMs * 1_000) waste += Math.sqrt(waste + 1);
  const { user, system } = process.cpuUsage(before);
  machine.wallMs += performance.now() - begun;
  machine.cpuMs += (user + system) / 1_000;
  last = performance.now();
}

async function close() {
  await Promise.all(running.values());
  weigh();
  const peaks = pids.map((pid) => memory(pid, "VmHWM"));
  const { wallMs, cpuMs, stallMs } = machine;
  console.log(JSON.stringify({
    ...shown,
    stallMs,
    slowness: cpuMs > 0 ? Math.max(1, wallMs / cpuMs) : 1,
    peakMb: Math.max(sumMb, ...peaks),
  }));
}

const steps = [
  [() => targets.forEach(round), everyMs],
  [beat, 10],
  [burn, burnEveryMs],
  [weigh, 25],
  [() => pids = tree(), 500],
];
let timers = [];
for await (const line of createInterface({ input: process.stdin })) {
  timers.forEach(clearInterval);
  if (line === "begin") {
    open();
    last = performance.now();
    for (const [step] of steps) step();
    timers = steps.map(([step, ms]) => setInterval(step, ms));
  } else await close();
}
process.exit(0);
