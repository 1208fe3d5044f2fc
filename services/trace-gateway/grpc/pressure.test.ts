import { Buffer } from "node:buffer";
import { afterEach, expect, it } from "vitest";
import { grpcCalls } from "#test/support/traces/otlp-clients.ts";
import { otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";
import { rpc } from "../otlp/generated/otlp.js";
import { startReceiver } from "./testing/receiver.ts";

let stop = () => Promise.resolve();
afterEach(() => stop());

/** Address of a receiver whose event log is down. */
async function receiverWith(intakeInFlight: number): Promise<string> {
  const { receiver, address } = await startReceiver({ intakeInFlight });
  stop = () => receiver.stop();
  return address();
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

it("loopbackHandler: an event log that is down means UNAVAILABLE with RetryInfo", async () => {
  expect(await refusal(1 << 20)).toEqual({ code: 14, seconds: 7 });
});

it("loopbackHandler: a full gateway means RESOURCE_EXHAUSTED with RetryInfo", async () => {
  expect(await refusal(100)).toEqual({ code: 8, seconds: 1 });
});

it("grpcServer: a call that was refused leaves room for the next", async () => {
  const address = await receiverWith(1 << 20);
  const calls = Array.from({ length: 15 }, () => ({ body, times: 20 }));
  const answers = await grpcCalls(address, calls);
  expect(answers).toHaveLength(300);
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([14]));
});
