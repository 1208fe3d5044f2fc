import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { factsInLog, grpcPid, workersOf } from "#test/support/traces/gateway.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { grpcCalls } from "#test/support/traces/otlp-clients.ts";
import { newId, otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { freePort } from "../../../tools/engines/process.mjs";

const receiver = "OTLP/gRPC receiver";
const body = btoa(String.fromCharCode(...otlpBytes([serverSpans(1)])));

/** Whether anybody listens there; a process that ended may still be in the table of processes. */
function isServed(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

describe("a trace gateway in a process of its own, with its permissions", () => {
  let test: TestDatabase;
  let grpcPort: number;
  let httpPort: number;
  const running: ServiceProcess[] = [];
  const start = async (name: string) => {
    const service = await startService({
      service: "trace-gateway",
      name,
      env: {
        INSTANCE: test.name,
        METADATA_POSTGRES_URL: test.url,
        TRACES_HTTP_PORT: String(httpPort),
        TRACES_GRPC_PORT: String(grpcPort),
      },
    });
    running.push(service);
    return service;
  };
  beforeAll(async () => {
    test = await testDatabase();
    [grpcPort, httpPort] = [await freePort(), await freePort()];
  });
  afterAll(async () => {
    for (const service of running) await service.kill();
    await test.drop();
  });

  it("startReceiverProcess: the gRPC process ends with a gateway that is killed", async () => {
    const gateway = await start("killed");
    await eventually(() => expect(grpcPid(gateway.output())).toBeGreaterThan(0));
    const [answer] = await grpcCalls(`127.0.0.1:${grpcPort}`, [{ body }]);
    expect(answer).toMatchObject({ code: 0 });
    await gateway.kill();
    await eventually(async () => expect(await isServed(grpcPort)).toBe(false));
  });

  it("GrpcReceiver: of two gateways the second takes over when the first stops in order", async () => {
    const first = await start("first");
    const second = await start("second");
    const states = async () => {
      const workers = await workersOf(second);
      return ["OTLP/HTTP receiver", receiver].map((name) => workers[name]!.state);
    };
    await eventually(async () => expect(await states()).toEqual(["port_taken", "port_taken"]));
    expect((await workersOf(second))[receiver]!.detail).toContain("traces.grpc.port");
    const { code } = await first.terminate();
    expect(code).toBe(0);
    await eventually(async () => expect(await states()).toEqual(["listening", "listening"]));
    const [answer] = await grpcCalls(`127.0.0.1:${grpcPort}`, [{ body }]);
    expect(answer).toMatchObject({ code: 0 });
  });

  it(
    "SpanIntake: of a gateway that is killed under load every acknowledged span is in the log",
    async () => {
      const gateway = await start("loaded");
      const acknowledged: string[] = [];
      let over = false;
      const clients = Array.from({ length: 4 }, async () => {
        while (!over) await post(httpPort).then((ids) => acknowledged.push(...ids)).catch(() => {});
      });
      for (let kills = 0; kills < 3; kills++) {
        const before = acknowledged.length;
        await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 200));
        await gateway.kill();
        await gateway.start();
      }
      over = true;
      await Promise.all(clients);
      const log = openLog({ engine: "postgres", url: test.url, sessionMs: 6_000 });
      const inLog = new Set((await factsInLog(log)).map(({ traceId }) => traceId));
      await log.close();
      expect(acknowledged.filter((id) => !inLog.has(id))).toEqual([]);
    },
  );
});

/** Posts ten spans of as many traces; resolves with their trace ids once they are answered. */
async function post(port: number): Promise<string[]> {
  const request = serverSpans(10);
  const ids = request.spans.map((span) => span.traceId = newId(16));
  const response = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: otlpBytes([request]),
    signal: AbortSignal.timeout(10_000),
  });
  await response.body?.cancel();
  return response.ok ? ids : [];
}
