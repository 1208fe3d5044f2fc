import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { goesOnInTime } from "#test/support/recovery-time.ts";
import {
  factsInLog,
  type Gateway,
  grpcAddress,
  grpcPid,
  startGateway,
  workersOf,
} from "#test/support/traces/gateway.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { type GrpcCall, grpcCalls } from "#test/support/traces/otlp-clients.ts";
import { newId, otlpBytes, serverSpans, type TestResource } from "#test/support/traces/otlp.ts";
import { otlp } from "../otlp/generated/otlp.js";

const status = { resourceExhausted: 8, invalidArgument: 3, unimplemented: 12 };
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
const message = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe.each(engineSets())("GrpcReceiver (%s)", (set) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway(set, { "max-request-size": "1 MB" });
  });
  afterAll(() => gateway.stop());

  const call = async (...calls: GrpcCall[]) => await grpcCalls(await grpcAddress(gateway), calls);
  const send = (resources: TestResource[]) => ({ body: message(otlpBytes(resources)) });

  it("GrpcReceiver: answers success only once the spans are in the event log", async () => {
    const request = serverSpans(4);
    const traceId = newId(16);
    for (const span of request.spans) span.traceId = traceId;
    const [answer] = await call(send([request]));
    expect(answer).toMatchObject({ code: 0, body: "" });
    const facts = (await factsInLog(gateway.events)).filter((f) => f.traceId === traceId);
    expect(facts).toHaveLength(4);
  });

  it("GrpcReceiver: refused spans are told, malformed messages refused", async () => {
    const request = serverSpans(2);
    request.spans[0]!.spanId = "00".repeat(8);
    const malformed = { body: message(Buffer.from("\xff\xff\xff", "latin1")) };
    const [partly, refused] = await call(send([request]), malformed);
    const { partialSuccess } = otlp.ExportTraceServiceResponse.decode(bytesOf(partly!.body));
    expect(Number(partialSuccess?.rejectedSpans)).toBe(1);
    expect(partialSuccess?.errorMessage).toContain("span id");
    expect(refused).toMatchObject({ code: status.invalidArgument });
    expect(refused!.details).toContain("not a protobuf");
  });

  it("GrpcReceiver: metrics and logs are unimplemented, too large is refused for good", async () => {
    const export_ = (signal: string, name: string) =>
      `/opentelemetry.proto.collector.${signal}.v1.${name}Service/Export`;
    const [metrics, logs, large] = await call(
      { body: "", method: export_("metrics", "Metrics") },
      { body: "", method: export_("logs", "Logs") },
      { body: message(new Uint8Array(2 << 20)) },
    );
    expect(metrics).toMatchObject({ code: status.unimplemented });
    expect(metrics!.details).toContain("no metrics");
    expect(logs).toMatchObject({ code: status.unimplemented });
    expect(large).toMatchObject({ code: status.resourceExhausted, statusDetails: "" });
  });

  it("GrpcReceiver: a killed process is started again, HTTP goes on meanwhile", async () => {
    const before = (await workersOf(gateway))["OTLP/gRPC receiver"]!;
    expect(before.state).toBe("listening");
    process.kill(grpcPid(gateway.logs), "SIGKILL");
    const post = () =>
      fetch(`${gateway.http}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/x-protobuf" },
        body: otlpBytes([serverSpans(1)]),
      });
    await goesOnInTime("restarting", () =>
      eventually(async () => {
        expect((await post()).status).toBe(200);
        expect(gateway.logs.join()).toContain("gRPC process ended");
        expect((await workersOf(gateway))["OTLP/gRPC receiver"]!.state).toBe("listening");
      }));
    const [answer] = await call(send([serverSpans(1)]));
    expect(answer).toMatchObject({ code: 0 });
  });
});
