import { readdirSync, readFileSync } from "node:fs";

/** A process of the product, as Linux tells of it. */
export interface ProcessUsage {
  pid: number;
  command: string;
  /** CPU seconds of it and of the children that have ended. */
  cpuSeconds: number;
  /** Resident memory, MB; of pages that are shared with others the whole. */
  rssMb: number;
  /** The same with its share of shared pages only. */
  pssMb: number;
}

/** Clock ticks a second in which Linux counts, on every platform that the product runs on. */
const ticks = 100;

const textOf = (path: string) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** A process and all that descend from it; empty where there is no `/proc`. */
export function treeOf(root: number): ProcessUsage[] {
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const parent = Number(statOf(pid)[1]);
    children.set(parent, [...children.get(parent) ?? [], pid]);
  }
  const found = [root];
  for (let at = 0; at < found.length; at++) found.push(...children.get(found[at]!) ?? []);
  return found.flatMap((pid) => usageOf(pid) ?? []);
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
  } catch {
    return [];
  }
}

/** The fields after the name, which may contain anything. */
function statOf(pid: number): string[] {
  return textOf(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ");
}

function usageOf(pid: number): ProcessUsage | null {
  const times = statOf(pid).slice(11, 15).map(Number);
  if (times.length < 4) return null;
  const memory = textOf(`/proc/${pid}/smaps_rollup`);
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(memory)?.[1]) / 1_024;
  return {
    pid,
    command: textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " "),
    cpuSeconds: times.reduce((sum, time) => sum + time, 0) / ticks,
    rssMb: mb("Rss"),
    pssMb: mb("Pss"),
  };
}

/** What a process is for: PostgreSQL and the gRPC receiver are started by the program itself. */
export function roleOf({ command }: ProcessUsage): "postgres" | "grpc" | "main" {
  // The program names PostgreSQL's script among its permissions.
  if (command.includes("main.ts")) return "main";
  if (command.includes("grpc/child.ts")) return "grpc";
  return "postgres";
}
