import { Buffer } from "node:buffer";
import { afterEach, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { grpcCalls } from "#test/support/otlp-clients.ts";
import { otlpBytes, serverSpans } from "#test/support/otlp.ts";
import * as facts from "../facts/index.ts";
import { Intake } from "../intake/intake.ts";
import { rpc } from "../otlp/generated/otlp.js";
import { GrpcReceiver } from "./receiver.ts";

const down = {
  bounds: () => Promise.resolve([{ partition: 0, start: 0, end: 0 }]),
  publish: () => Promise.reject(unavailable("The event log is not available", 7)),
} as unknown as EventLog;

let stop = () => Promise.resolve();
afterEach(() => stop());

/** A receiver whose event log is down. */
async function receiverWith(maxInFlight: number): Promise<string> {
  const receiver = new GrpcReceiver({
    intake: new Intake({
      facts,
      events: down,
      clock: systemClock,
      metrics: noMetrics,
      maxInFlight,
      publishTimeoutMs: 5_000,
    }),
    log: silentLogger,
    metrics: noMetrics,
    orders: () => ({
      host: "127.0.0.1",
      port: 0,
      maxBytes: 1 << 20,
      maxInFlight: 1 << 20,
      answerWithinMs: 5_000,
    }),
  });
  stop = () => receiver.stop();
  await receiver.start(() => {});
  return receiver.health().detail!;
}

const body = Buffer.from(otlpBytes([serverSpans(10)])).toString("base64");

/** What a client is told by it. */
async function refusal(maxInFlight: number) {
  const [answer] = await grpcCalls(await receiverWith(maxInFlight), [{ body }]);
  const status = rpc.Status.decode(Buffer.from(answer!.statusDetails, "base64"));
  const [detail] = status.details;
  expect(detail?.typeUrl).toBe("type.googleapis.com/google.rpc.RetryInfo");
  const retry = rpc.RetryInfo.decode(detail!.value!);
  return { code: answer!.code, seconds: Number(retry.retryDelay?.seconds) };
}

it("door: an event log that is down means UNAVAILABLE with RetryInfo", async () => {
  expect(await refusal(1 << 20)).toEqual({ code: 14, seconds: 7 });
});

it("door: a full gateway means RESOURCE_EXHAUSTED with RetryInfo", async () => {
  expect(await refusal(100)).toEqual({ code: 8, seconds: 1 });
});

it("Admission: a call that was refused leaves room for the next", async () => {
  const address = await receiverWith(1 << 20);
  const calls = Array.from({ length: 15 }, () => ({ body, times: 20 }));
  const answers = await grpcCalls(address, calls);
  expect(answers).toHaveLength(300);
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([14]));
});
