import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FakeClock, fakeClock } from "#test/support/engines/fake-clock.ts";
import { freeGroups, type Partitions, partitions } from "#test/support/engines/partitions.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { type SmallDisk, smallDisk } from "#test/support/engines/small-disk.ts";
import type { HttpSink } from "#test/support/http/http-sink.ts";
import {
  clockJump,
  type FaultKind,
  fullDisk,
  partitioned,
  slowDisk,
  stopped,
} from "./fault-kinds.ts";
import {
  type EngineName,
  engineNames,
  type ProcessName,
  processNames,
  type Stack,
  startStack,
} from "./stack.ts";

const serviceNames = [...processNames, "notifier"] as const;
type ServiceName = ProcessName | "notifier";

/**
 * Megabytes; only what is written takes memory, but the filler takes the rest for some seconds. PostgreSQL keeps 1 GB of
 * write-ahead log, and a campaign of 20 minutes fills more than 1 GB of tables.
 */
const diskSizes: Record<EngineName, number> = {
  kafka: 1_024,
  neo4j: 1_024,
  postgres: 4_096,
  redis: 64,
};

/** Engines whose disk holds requests up; Redis writes to its file while nobody waits. */
const onDisk = ["postgres", "kafka", "neo4j"] as const satisfies EngineName[];

/** A machine of tests' own: what a fault needs is there for each engine and each process, or null. */
interface Machine {
  disks: Record<EngineName, SmallDisk | null>;
  clocks: Record<ServiceName, FakeClock | null>;
  groups: Record<ServiceName, number>;
  network: Partitions | null;
  /** Kinds of faults that it does not allow, with what they need. */
  lacks: string[];
  remove(): void;
}

function prepareMachine(): Machine {
  const numbers = freeGroups(serviceNames.length);
  const groups = record(serviceNames, (_, at) => numbers[at]!);
  const machine = {
    disks: record(engineNames, (name) => smallDisk(diskSizes[name])),
    clocks: record(serviceNames, () => fakeClock()),
    groups,
    network: partitions(numbers),
  };
  const { disks, clocks, network } = machine;
  const lacks = [
    disks.postgres ? "" : "full disks, which need root",
    clocks.notifier ? "" : "jumps of clocks, which need libfaketime",
    network
      ? ""
      : "partitions, which need root, setpriv, iptables and its modules owner, connmark and REJECT",
  ];
  return {
    ...machine,
    lacks: lacks.filter((text) => text !== ""),
    remove() {
      network?.remove();
      for (const clock of Object.values(clocks)) clock?.remove();
      for (const disk of Object.values(disks)) disk?.unmount();
    },
  };
}

/** A distributed Tributary with a notifier, whose processes and engines a campaign disturbs. */
export interface CampaignStack extends Omit<Stack, "processes"> {
  processes: Record<ServiceName, ServiceProcess>;
  /** Every fault that this machine allows. */
  kinds: FaultKind[];
  /** Kinds that it does not allow. */
  lacks: string[];
  /** Starts engines again that have ended, as an orchestrator does. */
  supervise(): Promise<void>;
}

export async function startCampaignStack(webhook: HttpSink): Promise<CampaignStack> {
  const machine = prepareMachine();
  const { clocks, disks, groups, network } = machine;
  const ofProcess = (name: ServiceName) => ({
    gid: network ? groups[name] : undefined,
    env: clocks[name]?.env ?? {},
  });
  const folders = Object.fromEntries(
    engineNames.flatMap((name) => disks[name] ? [[name, disks[name].path]] : []),
  );
  const started: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const disk of Object.values(disks)) disk?.free();
    for (const one of started.reverse()) await one.close();
    machine.remove();
  };
  try {
    const stack = await startStack({ folders, ofProcess });
    started.push(stack);
    const { gid, env } = ofProcess("notifier");
    const notifier = await startService({
      service: "notifier",
      gid,
      env: {
        ...stack.env,
        ...env,
        NOTIFICATIONS_ENABLED: "true",
        NOTIFICATIONS_WAL_HEARTBEAT: "500 ms",
        NOTIFICATIONS_RECEIVERS_WEBHOOK_URL: webhook.url,
        NOTIFICATIONS_DELIVERY_RETRY_INITIAL: "50 ms",
      },
    });
    started.push({ close: () => notifier.kill() });
    const processes = { ...stack.processes, notifier };
    const kinds = kindsOf(machine, stack, processes);
    const supervise = async () => {
      for (const engine of Object.values(stack.engines)) {
        if (engine.pids().length === 0) await engine.restart();
      }
    };
    return { ...stack, processes, kinds, lacks: machine.lacks, supervise, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function kindsOf(
  { clocks, disks, groups, network }: Machine,
  { engines }: Stack,
  processes: Record<ServiceName, ServiceProcess>,
): FaultKind[] {
  const ofServices = serviceNames.flatMap((name) => [
    stopped(name, processes[name]),
    clocks[name] && clockJump(name, clocks[name]),
    ...engineNames.map((engine) =>
      network &&
      partitioned(`${name} and ${engine}`, network.between(groups[name], portOf(engines[engine])))
    ),
  ]);
  const ofEngines = engineNames.flatMap((name) => [
    stopped(name, engines[name]),
    disks[name] && fullDisk(name, disks[name], () => repaired(name)),
  ]);
  /**
   * Neo4j stays down after a full disk, and may not read the transaction log that it left. It holds nothing that
   * PostgreSQL does not, so its data is removed; the projector builds the graph again.
   */
  const repaired = async (name: EngineName) => {
    if (name !== "neo4j" || !disks.neo4j) return;
    await engines.neo4j.kill();
    const [home = ""] = readdirSync(disks.neo4j.path);
    for (const part of ["databases", "transactions"]) {
      rmSync(join(disks.neo4j.path, home, "neo4j/data", part, "neo4j"), { recursive: true });
    }
    await engines.neo4j.restart();
  };
  const slow = onDisk.map((name) => slowDisk(name, engines[name].pids));
  return [...ofServices, ...ofEngines, ...slow].filter((kind) => kind !== null);
}

/** Of a URL, or of a broker's `host:port`. */
function portOf({ url }: { url: string }): number {
  return Number(new URL(url.includes("://") ? url : `kafka://${url}`).port);
}

function record<K extends string, V>(names: readonly K[], of: (name: K, at: number) => V) {
  return Object.fromEntries(names.map((name, at) => [name, of(name, at)])) as Record<K, V>;
}
