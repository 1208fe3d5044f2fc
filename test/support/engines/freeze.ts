import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { send } from "../../../tools/engines/process.mjs";
import { eventually } from "#test/support/eventually.ts";

/**
 * Stops these processes (SIGSTOP) and resolves when none of their threads runs any more: the signal
 * alone returns earlier, and a process of many threads may answer one more request after it.
 */
export async function freeze(...pids: number[]): Promise<void> {
  for (const pid of pids) send(pid, "SIGSTOP");
  await eventually(() => {
    const running = pids.flatMap(threadStates).filter((state) => !stopped.has(state));
    if (running.length > 0) throw new Error(`threads in state ${running} after SIGSTOP`);
  });
}

/** Stopped, traced, or ended (proc(5), ps(1)). */
const stopped = new Set(["T", "t", "Z", "X"]);

/** By `/proc` where there is one, since a small image may lack `ps`. */
function threadStates(pid: number): string[] {
  try {
    if (!existsSync("/proc/self/task")) {
      return [execFileSync("ps", ["-o", "state=", "-p", String(pid)]).toString().trim()[0] ?? "X"];
    }
    return readdirSync(`/proc/${pid}/task`).map((thread) => threadState(pid, thread));
  } catch {
    return ["X"];
  }
}

/** The letter after the name, which may hold anything (proc(5)). */
function threadState(pid: number, thread: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    return stat.charAt(stat.lastIndexOf(")") + 2);
  } catch {
    return "X";
  }
}
