import { execFileSync, spawnSync } from "node:child_process";
import process from "node:process";
import { afterwards } from "./afterwards.ts";

/** A connection path between a process of a group and a port of this machine. */
export interface Partition {
  /** From now on nothing passes, either way, as when a cable is cut. */
  silence(): void;
  /** From now on connections are reset, either way, and refused. */
  reset(): void;
  /** Everything passes again. */
  heal(): void;
}

/** Network partitions that the kernel makes, between groups of processes and ports of this machine. */
export interface Partitions {
  between(gid: number, port: number): Partition;
  /** Removes every rule, which otherwise happens when this process has ended. */
  remove(): void;
}

/** Groups from here on belong to no account. */
const firstGroup = 1_000_000;

/** `count` groups for processes that partitions shall know. */
export function freeGroups(count: number): number[] {
  const first = firstGroup + Math.floor(Math.random() * 1_000_000) * 100;
  return Array.from({ length: count }, (_, at) => first + at);
}

const tables = ["filter", "mangle"] as const;

const iptables = (table: (typeof tables)[number], ...args: string[]) =>
  execFileSync("iptables", ["-w", "10", "-t", table, ...args], { stdio: "pipe", timeout: 20_000 });

/**
 * Marks the connections that processes of these groups open: the owner of a packet is known only to the sender, and
 * what comes back belongs to the same connection. Null where the machine does not allow it (root, setpriv, iptables,
 * and its modules `owner`, `connmark` and `REJECT` are needed). Call it before the processes start.
 */
export function partitions(gids: number[]): Partitions | null {
  const chain = `TRIBUTARY-${process.pid}`;
  const script = tables.flatMap((table) =>
    [`-D OUTPUT -j ${chain}`, `-F ${chain}`, `-X ${chain}`].map((args) =>
      `iptables -w 10 -t ${table} ${args}`
    )
  ).join("; ");
  const release = afterwards(script);
  const remove = () => {
    // A rule that is gone already, or was never made, is no error.
    spawnSync("/bin/sh", ["-c", script], { timeout: 60_000 });
    release();
  };
  try {
    execFileSync("setpriv", ["--regid", String(firstGroup), "--clear-groups", "true"]);
    for (const table of tables) {
      iptables(table, "-N", chain);
      iptables(table, "-I", "OUTPUT", "-j", chain);
    }
    for (const gid of gids) {
      const owner = ["-p", "tcp", "-m", "owner", "--gid-owner", String(gid)];
      iptables("mangle", "-A", chain, ...owner, "-j", "CONNMARK", "--set-mark", String(gid));
    }
    const probe = partitionOf(chain, gids[0] ?? firstGroup, 1);
    probe.reset();
    probe.heal();
  } catch {
    remove();
    return null;
  }
  return { between: (gid, port) => partitionOf(chain, gid, port), remove };
}

function partitionOf(chain: string, gid: number, port: number): Partition {
  const rules: string[][] = [];
  const add = (...target: string[]) => {
    for (const end of ["--sport", "--dport"]) {
      const rule = ["-p", "tcp", "-m", "connmark", "--mark", String(gid), end, String(port)];
      rule.push(...target);
      iptables("filter", "-A", chain, ...rule);
      rules.push(rule);
    }
  };
  return {
    silence: () => add("-j", "DROP"),
    // The resets that it sends belong to the connection as well, and must pass.
    reset: () =>
      add("!", "--tcp-flags", "RST", "RST", "-j", "REJECT", "--reject-with", "tcp-reset"),
    heal() {
      for (const rule of rules.splice(0)) iptables("filter", "-D", chain, ...rule);
    },
  };
}
