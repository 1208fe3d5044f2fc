import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runningEmbedded } from "#metadata/postgres/embedded.ts";
import { Database } from "#metadata/postgres/database.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { removeTraces } from "./engines.ts";
import { removed } from "#test/support/engines/directory.ts";

export type EngineSet = "embedded" | "distributed";

/** A Tributary in a separate process, with access to its metadata store. */
export interface Subject {
  engines: EngineSet;
  instance: string;
  url: string;
  pid: number;
  db: Database;
  /** Address of its metadata store. */
  databaseUrl: string;
  /** Addresses of the distributed engines, as environment variables. */
  env: Record<string, string>;
  /** CPU seconds that it has used, without PostgreSQL. */
  cpuSeconds(): number;
  /** Milliseconds from the start of the process to its first ready answer. */
  readyMs: number;
  /** Resident memory of the process in MB, without PostgreSQL. */
  rssMb(): number;
  post(path: string, body: unknown): Promise<Response>;
  /** Has the metadata store write what it would otherwise write in the next minutes, while something else is measured. */
  checkpoint(): Promise<void>;
  /** The last lines of its log, for failure messages. */
  said(): string;
  stop(options?: { keepData: boolean }): Promise<void>;
  dataDir: string;
}

/** Addresses of the distributed engines, from the environment variables that the tests use. */
export function engineEnvironment(set: EngineSet): Record<string, string> {
  if (set === "embedded") return {};
  const { TEST_KAFKA_BROKERS, TEST_NEO4J_URL, TEST_NEO4J_PASSWORD, TEST_REDIS_URL } = process.env;
  if (!TEST_KAFKA_BROKERS || !TEST_NEO4J_URL || !TEST_REDIS_URL) {
    throw new Error(
      "The distributed benchmarks need TEST_KAFKA_BROKERS, TEST_NEO4J_URL, TEST_NEO4J_PASSWORD and " +
        "TEST_REDIS_URL: run `npm run engines -- start`, or choose --engines embedded",
    );
  }
  return {
    EVENT_LOG_KAFKA_BROKERS: TEST_KAFKA_BROKERS,
    GRAPH_NEO4J_URL: TEST_NEO4J_URL,
    GRAPH_NEO4J_PASSWORD: TEST_NEO4J_PASSWORD ?? "",
    CACHE_REDIS_URL: TEST_REDIS_URL,
  };
}

export interface SubjectOptions {
  /** Another checkout to run, with its packages installed; default: this one. */
  checkout?: string;
  /** An existing data directory; default: a new one. */
  dataDir?: string;
  env?: Record<string, string>;
}

/** Allows several subjects at the same time, and lifts the limits of lineage answers. */
const settings = {
  TRACES_HTTP_PORT: "0",
  TRACES_GRPC_PORT: "0",
  LINEAGE_MAX_NODES: "1000000",
  LINEAGE_TIMEOUT: "60 s",
};

/**
 * Starts a Tributary with full durability and waits until it is ready. `BENCH_RUNTIME_FLAGS` is passed to its
 * runtime (`--cpu-prof --cpu-prof-md` profiles it).
 */
export async function startSubject(
  engines: EngineSet,
  options: SubjectOptions = {},
): Promise<Subject> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "tributary-bench-"));
  chmodSync(dataDir, 0o755);
  const instance = options.env?.INSTANCE ?? `bench_${crypto.randomUUID().slice(0, 8)}`;
  const begun = performance.now();
  const { child, exited, url, said } = await spawned(dataDir, options.checkout, {
    INSTANCE: instance,
    ...settings,
    ...engineEnvironment(engines),
    ...options.env,
  });
  const readyMs = performance.now() - begun;
  const databaseUrl = await ensureDatabase(runningEmbedded(dataDir)!, instance);
  const db = new Database({
    url: databaseUrl,
    max: 4,
    statementTimeoutMs: 600_000,
    applicationName: "bench",
  });
  return {
    engines,
    instance,
    url,
    pid: child.pid!,
    db,
    databaseUrl,
    readyMs,
    dataDir,
    env: engineEnvironment(engines),
    cpuSeconds: () => cpuSeconds(child.pid!),
    rssMb: () => residentMb(child.pid!),
    said,
    post: (path, body) =>
      fetch(new URL(path, url), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(120_000),
      }),
    checkpoint: () => checkpoint(runningEmbedded(dataDir)!),
    async stop({ keepData } = { keepData: false }) {
      await db.close();
      child.kill("SIGTERM");
      await exited;
      if (keepData) return;
      await removed(dataDir);
      if (engines === "distributed") await removeTraces(instance);
    },
  };
}

/** Starts the process; resolves when it is ready, rejects with its output when it does not become so. */
async function spawned(dataDir: string, cwd: string | undefined, env: Record<string, string>) {
  const port = await freePort();
  const flags = process.env.BENCH_RUNTIME_FLAGS?.split(" ") ?? [];
  const child = spawn(process.execPath, ["run", "-A", ...flags, "main.ts"], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
    env: { ...process.env, SERVER_PORT: String(port), DATA_DIR: dataDir, ...env },
  });
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on("data", (text) => said = (said + text).slice(-8_000));
  }
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  const exited = new Promise<void>((gone) =>
    child.once("exit", () => {
      process.off("exit", end);
      gone();
    })
  );
  const url = `http://127.0.0.1:${port}`;
  await ready(url, exited).catch((error) => {
    throw new Error(`${error.message}; it said: ${said}`);
  });
  return { child, exited, url, said: () => said };
}

async function ready(url: string, exited: Promise<void>): Promise<void> {
  let gone = false;
  void exited.then(() => gone = true);
  const deadline = Date.now() + 180_000;
  while (!gone && Date.now() < deadline) {
    const ok = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })
      .then(async (r) => (await r.text(), r.ok), () => false);
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(
    gone ? "the subject ended before it was ready" : "the subject was not ready in time",
  );
}

/** `VmRSS` of Linux; NaN elsewhere. */
function residentMb(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(line?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

async function checkpoint(url: string): Promise<void> {
  const db = new Database({
    url,
    max: 1,
    statementTimeoutMs: 600_000,
    applicationName: "bench checkpoint",
  });
  try {
    await db.query("CHECKPOINT");
  } finally {
    await db.close();
  }
}

/** User and system time of Linux; NaN elsewhere. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}
