import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import type { EventLog, Position } from "#eventlog/port.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { eventually } from "#test/support/eventually.ts";
import { otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";
import { SpanIntake } from "../intake/intake.ts";
import { httpReceiver } from "./http.ts";

/** As much of an event log as the intake uses; publishes wait for `answer`. */
function halted() {
  const waiting: ((outcome: Error | null) => void)[] = [];
  const log = {
    bounds: () => Promise.resolve([{ partition: 0, start: 0, end: 0 }]),
    publish: (_: string, records: unknown[]) =>
      new Promise<Position[]>((resolve, reject) =>
        waiting.push((outcome) =>
          outcome
            ? reject(outcome)
            : resolve(records.map(() => ({ topic: "", partition: 0, offset: 0 })))
        )
      ),
  };
  const answer = (outcome: Error | null) => waiting.splice(0).forEach((settle) => settle(outcome));
  return { log: log as unknown as EventLog, waiting, answer };
}

const body = otlpBytes([serverSpans(10)]);

function receiver(maxInFlight: number) {
  const halt = halted();
  const metrics = createMetrics();
  const intake = new SpanIntake({
    events: halt.log,
    clock: systemClock,
    metrics,
    maxInFlight,
    maxRefusedBytes: 0,
    publishTimeoutMs: 5_000,
  });
  const handle = httpReceiver({
    intake,
    log: silentLogger,
    gate: () => {},
    checkToken: () => Promise.resolve(),
    maxBytes: 1 << 20,
  });
  const post = (stream = false) => {
    const headers: Record<string, string> = { "content-type": "application/x-protobuf" };
    if (!stream) headers["content-length"] = String(body.length);
    const sent = stream ? ReadableStream.from([body.subarray(0, 50), body.subarray(50)]) : body;
    const init = { method: "POST", headers, body: sent, duplex: "half" } as RequestInit;
    return handle(new Request("http://gateway/v1/traces", init));
  };
  return { ...halt, intake, post, metrics };
}

describe("pressure", () => {
  let settle = () => {};
  afterEach(() => settle());

  it.each([false, true])("Budget: what has no room is told to come again (chunked: %s)", async (
    stream,
  ) => {
    const { intake, post, waiting, answer } = receiver(Math.floor(body.length * 2.5));
    settle = () => answer(null);
    const inFlight = [post(), post()];
    await eventually(() => expect(waiting).toHaveLength(2));
    expect(intake.budget.used).toBe(2 * body.length);
    const refused = await post(stream);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(intake.budget.used).toBe(2 * body.length);
    answer(null);
    expect((await Promise.all(inFlight)).map((r) => r.status)).toEqual([200, 200]);
    expect(intake.budget.used).toBe(0);
    const after = post(stream);
    await eventually(() => expect(waiting).toHaveLength(1));
    answer(null);
    expect((await after).status).toBe(200);
  });

  it.each([
    ["says that it is down", unavailable("The event log is not available")],
    ["fails in an unforeseen way", new Error("a fault of the driver")],
  ])("SpanIntake: an event log that %s means 503 with Retry-After, never 500", async (_, fault) => {
    const { intake, post, waiting, answer, metrics } = receiver(1 << 20);
    const refused = post();
    await eventually(() => expect(waiting).toHaveLength(1));
    answer(fault);
    const response = await refused;
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(intake.budget.used).toBe(0);
    const { content } = await metrics.exposition();
    expect(content).toContain(
      'tributary_traces_spans_refused_total{reason="event_log_unavailable"} 10',
    );
  });

  it("SpanIntake.close: refuses what is new and finishes what was accepted", async () => {
    const { intake, post, waiting, answer } = receiver(1 << 20);
    const accepted = post();
    await eventually(() => expect(waiting).toHaveLength(1));
    intake.close();
    const refused = await post();
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    answer(null);
    expect((await accepted).status).toBe(200);
  });
});
