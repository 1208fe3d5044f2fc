import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import pg from "pg";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import {
  type Account,
  accountFor,
  ownership,
  reachableServer,
} from "#metadata/postgres/binaries.ts";
import { type ServerProcess, startProcess } from "#metadata/postgres/runtime.ts";

interface EmbeddedOptions {
  /** Directory of the whole store; created if missing. */
  dataDir: string;
  log: Logger;
  /** Extra `name=value` server settings. */
  settings?: Record<string, string>;
  /** Called when the server ends unexpectedly. */
  onExit?: (detail: string) => void;
  /** Returns a port for the server; called again when another process took it meanwhile. */
  freePort?: () => Promise<number>;
}

export interface EmbeddedServer {
  /** URL of the maintenance database `postgres` for the superuser; see `ensureDatabase`. */
  url: string;
  pid: number;
  /** Shuts the server down (PostgreSQL "fast" mode); resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server from its npm package, on the loopback address and a free port. It
 * ends with this process, even a killed one: a shell holds our pipe and stops the server when the
 * pipe closes. Throws, with advice, when another process holds the directory or the binaries are out
 * of reach.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const store = storeOf(options.dataDir);
  const account = accountFor();
  const script = await prepareEmbedded(options.dataDir);
  const password = await initialise(store, script, account, options.log);
  for (const deadline = Date.now() + lockWaitMs;;) {
    const port = await (options.freePort ?? freePort)();
    const child = launch(store, script, account, port, options.settings ?? {});
    const url = `postgres://tributary:${password}@127.0.0.1:${port}/postgres`;
    const server = supervise(child, url, options);
    try {
      await waitUntilReady(url, server);
      options.log.info("embedded PostgreSQL started", { port, pid: child.pid });
      return server;
    } catch (error) {
      if (Date.now() > deadline || !isLocked(error) && !isPortTaken(error)) {
        throw inUse(error, store);
      }
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

/**
 * Creates the directory, and a copy of the server if its account cannot reach the packaged one;
 * returns the script that runs it.
 */
export async function prepareEmbedded(dataDir: string): Promise<string> {
  const account = accountFor();
  prepareDirectory(storeOf(dataDir), account);
  return await reachableServer(dataDir, storeOf(dataDir), account);
}

function storeOf(dataDir: string): string {
  return resolve(dataDir, "postgres");
}

function prepareDirectory(store: string, account: Account | null): void {
  mkdirSync(store, { recursive: true });
  if (!account) return;
  chownSync(store, account.uid, account.gid);
  chmodSync(store, 0o700);
}

/** Returns the password of the server's superuser, which is created at the first start. */
async function initialise(
  store: string,
  script: string,
  account: Account | null,
  log: Logger,
): Promise<string> {
  const secret = `${store}.password`;
  const cluster = join(store, "cluster");
  if (existsSync(join(cluster, "PG_VERSION"))) return readFileSync(secret, "utf8").trim();
  const password = crypto.randomUUID();
  writeFileSync(secret, password, { mode: 0o600 });
  const handed = join(store, "initial-password");
  writeFileSync(handed, password, { mode: 0o600 });
  if (account) chownSync(handed, account.uid, account.gid);
  const args = ["-D", cluster, "-U", "tributary", "--pwfile", handed, "-A", "scram-sha-256"];
  const initdb = startProcess(
    script,
    ["initdb", ...args, "-E", "UTF8", "--locale=C", "--no-instructions"],
    { cwd: store, ...ownership(account) },
  );
  const { code, said } = await initdb.exited;
  if (code !== 0) throw new Error(`initdb failed in ${store} (${code}): ${said}`);
  writeFileSync(handed, "");
  log.info("embedded PostgreSQL initialised", { directory: store });
  return password;
}

/** Milliseconds to wait for the server of a killed parent process to end. */
const lockWaitMs = 10_000;

/** Whether PostgreSQL refused the directory because another server uses it, named in its files. */
function isLocked(error: unknown): boolean {
  const said = messageOf(error);
  return said.includes('"postmaster.pid" already exists') ||
    said.includes("shared memory block") && said.includes(" in use");
}

/** Whether another process took the port between our look and the server's start. */
function isPortTaken(error: unknown): boolean {
  return messageOf(error).includes("could not bind");
}

function inUse(error: unknown, store: string): unknown {
  if (!isLocked(error)) return error;
  const pid = /\(PID (\d+)\)/.exec(messageOf(error))?.[1] ?? "unknown";
  return new Error(
    `${store} is in use by another Tributary (PostgreSQL process ${pid}): ` +
      "stop it, or set another data.dir (DATA_DIR)",
    { cause: error },
  );
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => found(port));
    });
  });
}

function launch(
  store: string,
  script: string,
  account: Account | null,
  port: number,
  extra: Record<string, string>,
): ServerProcess {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    wal_level: "logical",
    max_connections: "100",
    shared_buffers: "128MB",
    // A search notes each match in a partition. Without room for it, PostgreSQL notes pages, and reads all words on them.
    work_mem: "16MB",
    jit: "off",
    max_wal_size: "1GB",
    ...extra,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return startProcess(script, ["postgres", "-D", join(store, "cluster"), ...flags], {
    cwd: store,
    ...ownership(account),
  });
}

type SupervisedServer = EmbeddedServer & {
  /** The server's output when it ended; null while it runs. */
  ended(): string | null;
  /** Marks the server as started: from now on an unexpected end calls `onExit`. */
  serves(): void;
};

/** Keeps the server's last output, for the message when it ends unasked. */
function supervise(child: ServerProcess, url: string, options: EmbeddedOptions): SupervisedServer {
  let ended: string | null = null;
  let serving = false;
  const exit = child.exited.then(({ said }) => {
    ended = said;
    if (serving) options.onExit?.(said);
  });
  return {
    url,
    pid: child.pid,
    ended: () => ended,
    serves: () => void (serving = true),
    async stop() {
      serving = false;
      await child.release();
      await exit;
    },
  };
}

async function waitUntilReady(url: string, server: SupervisedServer): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const dead = server.ended();
    if (dead !== null) throw new Error(`The embedded PostgreSQL did not start: ${dead}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      await client.end();
      return server.serves();
    } catch (error) {
      await client.end().catch(() => {});
      if (Date.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, 30));
    }
  }
}

/**
 * URL of the embedded server that another process runs on this data directory; null when none does.
 * For tools that inspect a running Tributary.
 */
export function runningEmbedded(dataDir: string): string | null {
  const store = resolve(dataDir, "postgres");
  const lock = join(store, "cluster", "postmaster.pid");
  if (!existsSync(lock)) return null;
  const lines = readFileSync(lock, "utf8").split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!isAlive(pid) || !port) return null;
  const password = readFileSync(`${store}.password`, "utf8").trim();
  return `postgres://tributary:${password}@127.0.0.1:${port}/postgres`;
}

/** Whether this machine has a process with that id. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}
