import { type Row, row } from "../support/report.ts";
import type { EngineSet } from "../support/subject.ts";
import { eachService, type IdleSubject, singleProcess } from "./subjects.ts";
import { type ProcessUsage, roleOf, treeOf } from "./usage.ts";

export interface IdleSize {
  /** Milliseconds of rest after the load, and of the measurement. */
  idleMs: number;
  windowMs: number;
}

export const idleSizes: Record<"small" | "full", IdleSize> = {
  small: { idleMs: 0, windowMs: 1_000 },
  full: { idleMs: 45_000, windowMs: 60_000 },
};

/** Most per cent of a core, and most MB of the single process. */
const maxCpu = 3;
const maxMb = 160;

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** What the product costs while nobody uses it: CPU of a core and memory, by process, after a small load. */
export async function idleBench(engines: EngineSet, size: IdleSize): Promise<Row[]> {
  const subject = await (engines === "embedded" ? singleProcess() : eachService());
  try {
    await subject.load();
    await sleep(size.idleMs);
    const before = usages(subject);
    const begun = performance.now();
    await sleep(size.windowMs);
    const seconds = (performance.now() - begun) / 1_000;
    return rowsOf(engines, before, usages(subject), seconds);
  } finally {
    await subject.stop();
  }
}

/** The order of the report; process ids, which start again from small ones, give none. */
const roles = ["main", "grpc", "postgres"] as const;

/** Processes by what they are called in the report. */
function usages({ pids }: IdleSubject): Map<string, ProcessUsage[]> {
  const groups = new Map<string, ProcessUsage[]>();
  for (const [name, pid] of pids) {
    const tree = treeOf(pid);
    for (const role of roles) {
      const found = tree.filter((usage) => roleOf(usage) === role);
      const group = role === "main" ? name : role === "grpc" ? "gRPC receiver" : "PostgreSQL";
      if (found.length > 0) groups.set(group, [...groups.get(group) ?? [], ...found]);
    }
  }
  return groups;
}

const sum = (all: ProcessUsage[], of: "cpuSeconds" | "rssMb" | "pssMb") =>
  all.reduce((total, usage) => total + usage[of], 0);

function rowsOf(
  engines: EngineSet,
  before: Map<string, ProcessUsage[]>,
  after: Map<string, ProcessUsage[]>,
  seconds: number,
): Row[] {
  const cpu = (name: string) =>
    100 * (sum(after.get(name)!, "cpuSeconds") - sum(before.get(name) ?? [], "cpuSeconds")) /
    seconds;
  const names = [...after.keys()];
  const product = names.filter((name) => name !== "PostgreSQL");
  const total = product.reduce((all, name) => all + cpu(name), 0);
  const measurement = (given: { case: string; unit: string; ours: number }, limit?: number) =>
    row(
      {
        bench: "idle",
        engines,
        ...given,
        yardstick: null,
        goal: limit === undefined ? "" : `≤ ${limit}`,
      },
      limit === undefined ? undefined : (_, ours) => ours <= limit,
    );
  return [
    measurement(
      { case: "CPU, all processes but engines", unit: "% of a core", ours: total },
      maxCpu,
    ),
    ...names.map((name) =>
      measurement({ case: `CPU, ${name}`, unit: "% of a core", ours: cpu(name) })
    ),
    ...names.map((name) => {
      // Processes of PostgreSQL share most of their pages; the others are one process each.
      const of = name === "PostgreSQL" ? "pssMb" : "rssMb";
      const given = { case: `memory, ${name}`, unit: "MB", ours: sum(after.get(name)!, of) };
      return measurement(given, name === "single process" ? maxMb : undefined);
    }),
  ];
}
