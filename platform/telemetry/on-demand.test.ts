import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { type LogFields, silentLogger } from "#kit/log.ts";
import type { OnWake } from "#metadata/postgres/wakeups.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { receiverAddress, traceOnDemand } from "#platform/telemetry/traces.ts";

it.each([
  [{}, "http://127.0.0.1:4318"],
  [{ http: { host: "0.0.0.0", port: 1 } }, "http://127.0.0.1:1"],
  [{ http: { host: "::1" } }, "http://[::1]:4318"],
  [
    { http: { host: "gateway" }, tls: { "cert-file": "c", "key-file": "k" } },
    "https://gateway:4318",
  ],
  [{ "self-url": "http://trace-gateway:4318" }, "http://trace-gateway:4318"],
])("receiverAddress of %j: %s", (traces, url) => {
  expect(receiverAddress(Config.parse({ traces }))).toBe(url);
});

it("traceOnDemand: whoever may notify cannot choose where traces and the token go", async () => {
  let calls = 0;
  const foreign = createServer((_, response) => {
    calls++;
    response.end();
  });
  await new Promise<void>((listening) => void foreign.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/v1/traces`;
  let wake: OnWake = () => {};
  const logged: [string, LogFields | undefined][] = [];
  const note = (message: string, fields?: LogFields) => void logged.push([message, fields]);
  const end = traceOnDemand({
    wakeups: { on: (_: string, listener: OnWake) => (wake = listener, () => {}) },
    clock: systemClock,
    config: Config.parse({ traces: { token: "s3cret-token" } }),
    log: { ...silentLogger, info: note, warn: note },
  } as unknown as Context);
  wake(JSON.stringify({ url, seconds: 60 }));
  wake("nonsense");
  await end();
  expect(logged.map(([message]) => message)).toEqual([
    "traces cannot be exported",
    "traces cannot be exported",
  ]);
  expect(calls).toBe(0);
  foreign.close();
});
