import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { eventually } from "#test/support/eventually.ts";
import { freeze } from "#test/support/engines/freeze.ts";
import { spawnTied, type TiedProcess } from "#test/support/engines/tied.ts";
import { freePort } from "../../../tools/engines/process.mjs";

export type ServiceName =
  | "api"
  | "ingest-consumer"
  | "trace-gateway"
  | "notifier"
  | "openlineage"
  | "datahub"
  | "collector"
  | "all";

/** A service in a process of its own, started as the image starts it, to be ill-treated. */
export interface ServiceProcess {
  readonly name: string;
  /** Its address, the same over restarts. */
  readonly url: string;
  /** How often it ended without being asked to, and was started again as an orchestrator would. */
  readonly ends: () => number;
  /** The last lines that it wrote. */
  readonly output: () => string[];
  /** Its process id; 0 while it does not run. */
  pid(): number;
  /** SIGKILL; resolves when it is gone, and it stays so until `start`. */
  kill(): Promise<void>;
  /** Freezes it (SIGSTOP). */
  pause(): Promise<void>;
  /** Wakes it again (SIGCONT). */
  resume(): void;
  /** Starts it unless it runs, and waits until it is ready. */
  start(): Promise<void>;
  /** SIGTERM; resolves with how long it took and its exit code. */
  terminate(): Promise<{ ms: number; code: number | null }>;
}

export interface ServiceProcessOptions {
  service: ServiceName;
  name?: string;
  env: Record<string, string>;
  /** Group that it runs as, by which the kernel tells its connections; default: that of this process. */
  gid?: number;
  /** Milliseconds until it must be ready. */
  readyWithin?: number;
  /** Default: a free one. */
  port?: number;
  /** Folder of another release that is run, with its packages; default: this one. */
  checkout?: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

const maxLines = 2_000;

/** Starts a service over the engines that `env` names and waits until it is ready. */
export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const port = options.port ?? await freePort();
  const running = new RunningServiceProcess(options, port);
  await running.start();
  return running;
}

class RunningServiceProcess implements ServiceProcess {
  readonly name: string;
  readonly url: string;
  readonly #lines: string[] = [];
  #process: TiedProcess | undefined;
  #pid = 0;
  #ends = 0;
  #wanted = false;
  #gone: Promise<number | null> = Promise.resolve(null);

  constructor(private readonly options: ServiceProcessOptions, private readonly port: number) {
    this.name = options.name ?? options.service;
    this.url = `http://127.0.0.1:${port}`;
  }

  ends = () => this.#ends;
  output = () => this.#lines;
  pid = () => this.#pid;

  async start(): Promise<void> {
    this.#wanted = true;
    if (!this.#process) await this.#spawn();
    await eventually(async () => {
      const response = await fetch(`${this.url}/health/ready`, {
        signal: AbortSignal.timeout(5_000),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${this.name} is not ready: ${text}`);
    }, { within: this.options.readyWithin ?? 60_000, describe: () => this.#lines.slice(-15) });
  }

  async kill(): Promise<void> {
    this.#wanted = false;
    this.#signal("SIGKILL");
    await this.#gone;
  }

  async pause(): Promise<void> {
    if (this.#pid > 0) await freeze(this.#pid);
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  async terminate(): Promise<{ ms: number; code: number | null }> {
    this.#wanted = false;
    const begun = performance.now();
    this.#signal("SIGTERM");
    const code = await this.#gone;
    return { ms: performance.now() - begun, code };
  }

  async #spawn(): Promise<void> {
    const env = {
      ...process.env,
      DENO_NO_UPDATE_CHECK: "1",
      LOG_FORMAT: "json",
      TRACES_HTTP_PORT: "0",
      TRACES_GRPC_PORT: "0",
      ...this.options.env,
      SERVER_PORT: String(this.port),
    };
    const cwd = this.options.checkout ?? root;
    const paths = pathToFileURL(join(cwd, "tools/paths.mjs")).href;
    const { argumentsFor } = await import(paths) as typeof import("../../../tools/paths.mjs");
    const flags = await argumentsFor(cwd, this.options.service, env);
    const child = this.#process = spawnTied(process.execPath, flags, {
      cwd,
      env,
      gid: this.options.gid,
      onLine: (line) => this.#keep(line),
    });
    this.#gone = child.ended;
    void this.#gone.then(() => this.#ended());
    this.#pid = await child.pid;
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > maxLines) this.#lines.shift();
  }

  #ended(): void {
    this.#process = undefined;
    this.#pid = 0;
    if (!this.#wanted) return;
    this.#ends++;
    setTimeout(() => this.#wanted && !this.#process && void this.#spawn(), 500);
  }

  #signal(kind: NodeJS.Signals): void {
    if (this.#pid > 0) process.kill(this.#pid, kind);
  }
}
