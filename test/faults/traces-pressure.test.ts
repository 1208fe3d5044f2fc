import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { newId, otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";
import type { OwnEngine } from "#test/support/engines/own-engines.ts";
import { expectLogged } from "#test/support/traces/trace-accounts.ts";
import { type GatewayProcess, startTraceStack, type TraceStack } from "./traces-stack.ts";

const maxInFlight = 512 * 1024;
/** What a process may grow by beside what is in flight: garbage that was not collected yet. */
const slack = 200 * 1024 * 1024;
/** Milliseconds in which an orderly stop must be done; an orchestrator kills after 30 s. */
const stopWithinMs = 25_000;

// Sets differ only in the log that is frozen.
describe.each(engineSets())("the event log of traces is down or slow, %s engines", (set) => {
  let stack: TraceStack;
  let gateway: GatewayProcess;
  let log: OwnEngine;
  beforeAll(async () => {
    stack = await startTraceStack(set, {
      TRACES_MAX_IN_FLIGHT: String(maxInFlight),
      TRACES_PUBLISH_TIMEOUT: "2 s",
    });
    gateway = stack.gateways[0];
    log = stack.kafka ?? stack.postgres;
    await stack.gateways[1].kill();
  });
  beforeEach(async () => {
    log.resume();
    await gateway.start();
  });
  afterAll(() => stack?.close());

  it("refuses with Retry-After, stays within its memory, and goes on by itself", async () => {
    const posting = new ExporterLoad(gateway, 30);
    await eventually(() => expect(posting.statuses.get(200) ?? 0).toBeGreaterThan(20));
    const before = residentBytes(gateway);
    await log.pause();
    const inFlight: number[] = [];
    await eventually(async () => {
      inFlight.push(await gaugeOf(gateway, "tributary_traces_in_flight_bytes"));
      expect(posting.statuses.get(503) ?? 0).toBeGreaterThan(30);
      expect(posting.statuses.get(429) ?? 0).toBeGreaterThan(30);
    }, { describe: () => [...posting.statuses] });
    const grown = residentBytes(gateway) - before;
    log.resume();
    const taken = posting.statuses.get(200)!;
    await eventually(() => expect(posting.statuses.get(200)).toBeGreaterThan(taken + 20));
    await posting.end();
    expect([...posting.statuses.keys()].sort()).toEqual([200, 429, 503]);
    expect(posting.withoutRetryAfter).toBe(0);
    expect(Math.max(...inFlight)).toBeLessThanOrEqual(maxInFlight);
    expect(Math.max(...inFlight)).toBeGreaterThan(maxInFlight / 4);
    expect(grown).toBeLessThan(maxInFlight + slack);
    await eventually(async () => {
      expect(await gaugeOf(gateway, "tributary_traces_in_flight_bytes")).toBe(0);
    });
    await expectLogged(stack.observer, posting);
  });

  it("told to stop under load it answers what it took and ends", async () => {
    const posting = new ExporterLoad(gateway, 8);
    await eventually(() => expect(posting.statuses.get(200) ?? 0).toBeGreaterThan(20));
    const { ms, code } = await gateway.terminate();
    await posting.end();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(stopWithinMs);
    await expectLogged(stack.observer, posting);
  });

  // With the log in PostgreSQL everything hangs at once, and what is left is the stop's own deadline.
  if (set === "embedded") return;
  it("told to stop while its log hangs it ends in time, and what it took is there", async () => {
    const posting = new ExporterLoad(gateway, 8);
    await eventually(() => expect(posting.statuses.get(200) ?? 0).toBeGreaterThan(20));
    await log.pause();
    await eventually(() => expect(posting.statuses.get(503) ?? 0).toBeGreaterThan(0));
    const { ms } = await gateway.terminate();
    await posting.end();
    log.resume();
    expect(ms).toBeLessThan(stopWithinMs + 1_000);
    // A broker that slept for longer than its own session has to be chosen as leader again.
    await eventually(() => expectLogged(stack.observer, posting));
  });
});

/** Exporters side by side, each with large requests one after another. */
class ExporterLoad {
  readonly answered = new Set<string>();
  readonly retried = {};
  /** Answers by their status; 0: none. */
  readonly statuses = new Map<number, number>();
  withoutRetryAfter = 0;
  #over = false;
  readonly #all: Promise<unknown>;

  constructor(private readonly gateway: GatewayProcess, exporters: number) {
    this.#all = Promise.all(Array.from({ length: exporters }, () => this.#export()));
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#all;
  }

  async #export(): Promise<void> {
    while (!this.#over) {
      const request = serverSpans(500);
      for (const span of request.spans) {
        Object.assign(span, { traceId: newId(16), spanId: newId(8) });
      }
      const status = await this.#post(otlpBytes([request]));
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) {
        for (const { traceId, spanId } of request.spans) {
          this.answered.add(`server ${traceId} ${spanId}`);
        }
      }
      await new Promise((soon) => setTimeout(soon, status === 200 ? 100 : 200));
    }
  }

  async #post(body: Uint8Array<ArrayBuffer>): Promise<number> {
    try {
      const response = await fetch(`${this.gateway.http}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/x-protobuf" },
        body,
        signal: AbortSignal.timeout(20_000),
      });
      await response.arrayBuffer();
      if (!response.ok && !response.headers.has("retry-after")) this.withoutRetryAfter++;
      return response.status;
    } catch {
      return 0;
    }
  }
}

async function gaugeOf(gateway: GatewayProcess, name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
}

/** Memory that a process holds, bytes, as Linux tells it. */
function residentBytes(gateway: GatewayProcess): number {
  const status = readFileSync(`/proc/${gateway.pid()}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}
