import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { silentLogger } from "#kit/log.ts";
import { accountFor } from "#metadata/postgres/binaries.ts";
import { type EmbeddedServer, startEmbedded } from "#metadata/postgres/embedded.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { type Engine, type EngineName, startEngine } from "../../../tools/engines/engine.mjs";
import type { Tls } from "../../../tools/engines/tls.mjs";
import { runs, send } from "../../../tools/engines/process.mjs";
import { engineFolder, removed } from "#test/support/engines/directory.ts";
import { freeze } from "#test/support/engines/freeze.ts";

/** An engine of one test file's own, to be ill-treated. Call `stop` in `afterAll`. */
export interface OwnEngine {
  /** Its address, the same over kills and restarts: brokers, `bolt://…`, `redis://…`, `postgres://…`. */
  url: string;
  /** Its processes; none while it does not run. */
  pids(): number[];
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Freezes it: connections stay open and nothing answers (SIGSTOP). */
  pause(): Promise<void>;
  /** Wakes it again (SIGCONT). */
  resume(): void;
  /** Starts it again on its data, after a kill or while it runs, and waits until it answers. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** Where its data are; absent where a test has no use for it. */
  directory?: string;
}

/** `folder` is where its data lies, e.g. a disk of the test's own. */
type Start<Own = OwnEngine> = (tls?: Tls, folder?: string) => Promise<Own>;

/** A broker of its own; `url` is its one `host:port`. With `tls`, SASL for the user `tributary`. */
export const startKafka: Start = (tls, folder) =>
  startOwn("kafka", "TEST_KAFKA_BROKERS", { tls, folder });

/** A Neo4j of its own; the user is `neo4j`. */
export const startNeo4j: Start<OwnEngine & { username: string; password: string }> = async (
  tls,
  folder,
) => {
  let password = "";
  const own = await startOwn("neo4j", "TEST_NEO4J_URL", { tls, folder }, (engine) => {
    password = engine.env.TEST_NEO4J_PASSWORD ?? "";
  });
  return { ...own, username: "neo4j", password };
};

/** A Redis of its own that keeps its data over kills. */
export const startRedis: Start = (tls, folder) =>
  startOwn("redis", "TEST_REDIS_URL", { tls, folder });

async function startOwn(
  name: EngineName,
  address: string,
  { tls, folder = engineFolder() }: { tls?: Tls; folder?: string },
  started: (engine: Engine) => void = () => {},
): Promise<OwnEngine> {
  const directory = mkdtempSync(join(folder, `tributary-own-${name}-`));
  const engine = await startEngine(name, directory, { tied: true, shortLived: true, tls });
  started(engine);
  return {
    url: engine.env[address] ?? "",
    pids: () => runs(engine.pid(), engine.mark) ? [engine.pid()] : [],
    kill: engine.kill,
    pause: () => freeze(engine.pid()),
    resume: () => engine.signal("SIGCONT"),
    restart: engine.restart,
    directory,
    async stop() {
      // Nobody wants its data, and an orderly end takes seconds.
      await engine.kill();
      await removed(directory);
    },
  };
}

export interface OwnPostgres extends OwnEngine {
  /** URL for the superuser; `url` is for the program's role. */
  admin: string;
}

/**
 * A PostgreSQL of its own with an empty database `tributary`. The packaged server takes another port
 * at each start, so a relay in front of it keeps the address. `settings` are the server's; its data lies in `folder`.
 */
export async function startPostgres(
  settings: Record<string, string> = {},
  folder = engineFolder(),
): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(folder, "tributary-own-postgres-"));
  chmodSync(dataDir, 0o755);
  const launch = () => startEmbedded({ dataDir, log: silentLogger, settings });
  let server: EmbeddedServer | null = await launch();
  const relay = await startRelay(() => portOf(server));
  const signal = (kind: NodeJS.Signals) => {
    for (const pid of family(postmaster(dataDir))) send(pid, kind);
  };
  const own = Object.assign(new URL(server.url), { port: String(relay.port) }).href;
  return {
    url: await ensureDatabase(own, "tributary"),
    admin: own,
    pids: () => runningFamily(dataDir),
    async kill() {
      const running = server;
      server = null;
      signal("SIGKILL");
      await running?.stop();
    },
    pause: () => freeze(...family(postmaster(dataDir))),
    resume: () => signal("SIGCONT"),
    async restart() {
      await server?.stop();
      server = await launch();
    },
    async stop() {
      await server?.stop();
      relay.close();
      await removed(dataDir);
    },
  };
}

/** Settings of a PostgreSQL whose databases but `postgres` are reached by TLS alone. */
export function postgresTls(directory: string, { cert, key }: Omit<Tls, "ca" | "password">) {
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    const account = accountFor();
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  chmodSync(directory, 0o755);
  const rules = ["host postgres", "hostssl all", "hostssl replication"];
  return {
    ssl: "on",
    ssl_cert_file: file("server.crt", cert),
    ssl_key_file: file("server.key", key),
    hba_file: file(
      "hba.conf",
      rules.map((rule) => `${rule} all 127.0.0.1/32 scram-sha-256\n`).join(""),
    ),
  };
}

function portOf(server: EmbeddedServer | null): number | null {
  return server ? Number(new URL(server.url).port) : null;
}

/** The packaged server runs under a shell: its own process id is in its lock file. */
function postmaster(dataDir: string): number {
  return Number(readFileSync(lockFile(dataDir), "utf8").split("\n")[0]);
}

const lockFile = (dataDir: string) => join(dataDir, "postgres", "cluster", "postmaster.pid");

/** Its processes; none when it has ended, which leaves the lock file where it did not end in order. */
function runningFamily(dataDir: string): number[] {
  if (!existsSync(lockFile(dataDir))) return [];
  const pid = postmaster(dataDir);
  return runs(pid, dataDir) ? family(pid) : [];
}

/** With the server processes of open connections; they would go on without the postmaster. */
function family(pid: number): number[] {
  return [pid, ...childrenOf(pid)];
}

/** By `/proc` where there is one, since a small image may lack `ps`. */
function childrenOf(pid: number): number[] {
  const rows = existsSync("/proc/self/stat")
    ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(parentByProc)
    : execFileSync("ps", ["-e", "-o", "pid=,ppid="]).toString().trim().split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.filter(([, parent]) => parent === pid).map(([child]) => child!);
}

/** Process id and that of its parent; the name between them may hold anything (proc(5)). */
function parentByProc(name: string): number[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    return [Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])];
  } catch {
    return [];
  }
}

/** Passes connections on to whatever port `target` names at that moment; without one it hangs up. */
export function startRelay(target: () => number | null): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((inbound) => {
    const port = target();
    if (port === null) return inbound.destroy();
    const outbound = connect(port, "127.0.0.1");
    for (const [one, other] of [[inbound, outbound], [outbound, inbound]] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return new Promise((listening, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      listening({ port: (server.address() as AddressInfo).port, close });
    });
  });
}
