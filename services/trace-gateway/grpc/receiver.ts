import type { Context } from "#platform/context.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { isIP } from "node:net";
import { type Clock, systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { type HttpListener, listen } from "#platform/http/runtime.ts";
import { discardBody } from "#platform/http/body.ts";
import type { SpanIntake } from "../intake/intake.ts";
import { type TokenCheck, tokenCheck } from "../receivers/token.ts";
import { answerHeaders, clientAuthorization, type Orders, Report } from "./protocol.ts";
import { type ReceiverProcess, startReceiverProcess } from "./runtime.ts";
import {
  answerBytes,
  refusalOf,
  RejectionLog,
  rpcCode,
  statusBytes,
} from "../receivers/answers.ts";
import { takeExport } from "../receivers/exports.ts";

interface GrpcReceiverOptions extends Pick<Context, "log" | "metrics"> {
  intake: SpanIntake;
  /** Checks the bearer token of a call; default: everybody may call. */
  checkToken?: TokenCheck;
  /** The configuration of the process, except for the intake's address. Read at each start. */
  orders: () => Omit<Orders, "intake" | "beatEveryMs">;
  clock?: Clock;
  /** Milliseconds between two heartbeats of the process; ten missed ones mean that it hangs. */
  beatEveryMs?: number;
}

/** Milliseconds that a start waits for the process to report its address. */
const startWithinMs = 15_000;
/** Milliseconds that the process is given to end; it gives its calls five seconds. */
const endWithinMs = 7_000;
/** Milliseconds between two heartbeats of the process. */
const beatEveryMs = 1_000;
/** Milliseconds of a run after which earlier failures are forgotten. */
const healthyAfterMs = 30_000;

/**
 * The gRPC receiver, in a process of its own that is started again whenever it ends or hangs: a
 * crash costs its clients a reconnection, and nothing else. A message counts as accepted only
 * when the intake in this process has accepted it.
 */
export class GrpcReceiver implements Worker {
  readonly name = "OTLP/gRPC receiver";
  readonly #clock: Clock;
  readonly #restarts;
  readonly #hangs;
  #health: Health = { ready: false, state: "stopped" };
  #loopback: HttpListener | undefined;
  #process: ReceiverProcess | undefined;
  #abort = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: GrpcReceiverOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#restarts = options.metrics.counter(
      "tributary_traces_grpc_restarts_total",
      "Restarts of the gRPC process after it ended or hung",
    );
    this.#hangs = options.metrics.counter(
      "tributary_traces_grpc_hangs_total",
      "Times that the gRPC process did not respond and was killed",
    );
  }

  /** Process id of the gRPC process; 0 while there is none. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async start(onCrash: (error: unknown) => void): Promise<void> {
    await this.stop();
    this.#abort = new AbortController();
    const { log, metrics } = this.options;
    const orders = this.options.orders();
    const token = crypto.randomUUID();
    const handle = loopbackHandler(this.options, { token, maxBytes: orders.maxBytes });
    const watched = { name: "OTLP/gRPC intake", log, metrics };
    this.#loopback = listen(handle, { host: "127.0.0.1", port: 0 }, watched);
    const whole = {
      ...orders,
      beatEveryMs: this.options.beatEveryMs ?? beatEveryMs,
      intake: { url: `${this.#loopback.url}/`, token },
    };
    const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
    this.#running = this.#keep(whole, onStarted, this.#abort.signal).catch(onCrash);
    await Promise.race([started, this.#clock.sleep(startWithinMs, this.#abort.signal)]);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    const child = this.#process;
    if (child) {
      void child.release();
      const late = setTimeout(() => child.kill(), endWithinMs);
      await child.exited;
      clearTimeout(late);
    }
    await this.#running;
    await this.#loopback?.stop(1_000);
    this.#loopback = undefined;
    this.#health = { ready: false, state: "stopped" };
  }

  health(): Health {
    return this.#health;
  }

  /** Restarts the process until it is stopped, without a limit, since HTTP continues. */
  async #keep(orders: Orders, onStarted: () => void, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const begun = this.#clock.now();
      this.#health = { ready: false, state: "starting" };
      const problem = await this.#run(orders, onStarted).catch(messageOf);
      this.#process = undefined;
      if (signal.aborted) return;
      failures = this.#clock.now() - begun > healthyAfterMs ? 1 : failures + 1;
      this.#restarts.inc();
      this.options.log.error("gRPC process ended", { failures, problem });
      this.#health = { ready: false, state: "restarting", detail: problem };
      onStarted();
      await this.#clock.sleep(
        backoff(failures, { initial: 200, max: longestPause("restarting") }),
        signal,
      );
    }
  }

  /** One life of the process; resolves with why it ended. */
  async #run(orders: Orders, onStarted: () => void): Promise<string> {
    const child = startReceiverProcess(mayReach(orders), JSON.stringify(orders));
    this.#process = child;
    let hung = false;
    const heartbeat = new HeartbeatMonitor(orders.beatEveryMs, () => {
      hung = true;
      this.#killHung(child);
    });
    try {
      const problem = await this.#follow(child, orders, heartbeat, onStarted);
      const { code, said } = await child.exited;
      if (hung) return "its process gave no sign of life and was killed";
      return problem ?? `its process ended with code ${code}${said && `: ${said}`}`;
    } finally {
      heartbeat.stop();
    }
  }

  #killHung(child: ReceiverProcess): void {
    this.#hangs.inc();
    const detail = "its process gives no sign of life and is killed";
    this.#health = { ready: false, state: "hung", detail };
    this.options.log.error("gRPC process hangs", { worker: this.name, pid: child.pid });
    child.kill();
  }

  /** Reads the output of the process until it ends; returns why it could not serve, if reported. */
  async #follow(
    child: ReceiverProcess,
    orders: Orders,
    heartbeat: HeartbeatMonitor,
    onStarted: () => void,
  ) {
    let problem: string | undefined;
    for await (const line of child.lines) {
      heartbeat.heard();
      const report = readReport(line);
      if (report.state === "failed") problem = report.message;
      else if (report.state === "port_taken") this.#portTaken(orders);
      else if (report.state === "listening") this.#listens(child, orders.host, report.port);
      if (report.state === "listening" || report.state === "port_taken") onStarted();
    }
    return problem;
  }

  #portTaken({ host, port }: Orders): void {
    const detail = `port ${port} is taken: free it, or set traces.grpc.port`;
    this.#health = { ready: false, state: "port_taken", detail };
    this.options.log.warn("port taken", { worker: this.name, host, port });
  }

  #listens({ pid }: ReceiverProcess, host: string, port: number): void {
    this.#health = { ready: true, state: "listening", detail: `${host}:${port}` };
    this.options.log.info("receiver listens", { worker: this.name, host, port, pid });
  }
}

function readReport(line: string): Report {
  try {
    return Report.parse(JSON.parse(line));
  } catch (error) {
    return { state: "failed", message: `it said ${line.slice(0, 200)} (${messageOf(error)})` };
  }
}

/** What the process may reach; a name other than an address has to be looked up, by whatever server. */
function mayReach({ host, port, intake }: Orders): string[] {
  if (isIP(host) === 0) return [];
  const at = host.includes(":") ? `[${host}]` : host;
  return [port === 0 ? at : `${at}:${port}`, new URL(intake.url).host];
}

/**
 * Handles the requests of the gRPC process, which forwards each message over the loopback address. `token` is a secret
 * made at each start that only that process knows. Never rejects.
 */
function loopbackHandler(
  { intake, log, checkToken = () => Promise.resolve() }: GrpcReceiverOptions,
  { token, maxBytes }: { token: string; maxBytes: number },
) {
  const rejections = new RejectionLog(log);
  const check = tokenCheck({ own: token });
  return async (request: Request): Promise<Response> => {
    try {
      await check(request.headers.get("authorization"));
      await checkToken(request.headers.get(clientAuthorization));
      // The share of each client is bounded by the gRPC process already.
      const how = { encoding: "protobuf", protocol: "grpc", maxBytes, client: "" } as const;
      const body = answerBytes(await takeExport(request, intake, how));
      return new Response(body, { headers: { [answerHeaders.code]: String(rpcCode.ok) } });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status >= 500) rejections.logRejection(error);
      await discardBody(request, maxBytes);
      const headers = new Headers({
        [answerHeaders.code]: String(refusal.code),
        [answerHeaders.message]: encodeURIComponent(refusal.message.toWellFormed()),
      });
      const { retryAfterSeconds } = refusal;
      if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
      return new Response(statusBytes(refusal), { status: refusal.status, headers });
    }
  };
}

/** Heartbeats that may be missed in a row before a process counts as hung. */
const mayMiss = 10;
/** The same before its first heartbeat: it has to be loaded, on a machine that may be busy. */
const mayMissAtStart = 60;

/**
 * Watches the heartbeats of another process. It counts ticks of a timer of its own instead of measuring
 * time: while this process is delayed itself, its timer does not tick either.
 */
class HeartbeatMonitor {
  readonly #timer;
  #missed = 0;
  #allowed = mayMissAtStart;

  /** Calls `onHang` once, when no heartbeat came during too many ticks of `everyMs` milliseconds. */
  constructor(everyMs: number, onHang: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#missed < this.#allowed) return;
      this.stop();
      onHang();
    }, everyMs);
  }

  /** A heartbeat came. */
  heard(): void {
    this.#missed = 0;
    this.#allowed = mayMiss;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
