import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What was seen of a service in one window. */
export interface ProbeWindow {
  /** How late the latest answer came, milliseconds. */
  latest: number;
  /** Most that the event loop used of a core between a question and its answer, milliseconds. */
  busiest: number;
  /** Questions without an answer, or with a 5xx, by what came instead. */
  failures: Record<string, number>;
  answers: number;
  /** Longest time by which a timer of an idle process came late, milliseconds. */
  stallMs: number;
  /** How much longer work took than the CPU time that it used: 1 on a machine with a core to spare. */
  slowness: number;
  /** Most resident memory of its processes, PostgreSQL left out, MB; 0 where there is no `/proc`. */
  peakMb: number;
}

export interface Prober {
  /** Asks and weighs while `work` runs. */
  during<T>(work: () => Promise<T>): Promise<{ seen: ProbeWindow; result: T }>;
  stop(): void;
}

/** Watches the service with process id `pid` by asking `urls` every 50 ms; see `prober.mjs`. */
export function startProber(pid: number, urls: string[]): Prober {
  const file = fileURLToPath(new URL("./prober.mjs", import.meta.url));
  const child = spawn("node", [file, String(pid), ...urls], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    async during(work) {
      child.stdin!.write("begin\n");
      const [result] = await Promise.allSettled([work()]);
      child.stdin!.write("end\n");
      const { value } = await lines.next();
      if (value === undefined) throw new Error("the prober ended");
      const seen = JSON.parse(value) as ProbeWindow;
      if (result.status === "rejected") throw result.reason;
      return { seen, result: result.value };
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/**
 * How late the latest answer came by the doing of the service, milliseconds. Less what an idle process
 * was held up; and on a machine that is overloaded, where work takes more than twice the CPU time that
 * it uses, only what the event loop itself was busy counts, since all else waits for a core.
 */
export function ownDelayMs({ latest, busiest, slowness, stallMs }: ProbeWindow): number {
  const late = latest - Math.min(1_000, stallMs);
  return slowness > overloaded ? Math.min(late, busiest) : late;
}

const overloaded = 2;
