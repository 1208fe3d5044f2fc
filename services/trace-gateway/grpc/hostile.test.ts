import { Buffer } from "node:buffer";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { breakHttp2, grpcCalls, stallGrpc } from "#test/support/traces/otlp-clients.ts";
import { otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";
import { startReceiver } from "./testing/receiver.ts";

const code = { deadlineExceeded: 4, resourceExhausted: 8, unavailable: 14 };
const body = Buffer.from(otlpBytes([serverSpans(10)])).toString("base64");
/** More by hand: `HTTP2_CONNECTIONS=20 npm test -- …/hostile.test.ts`. */
const connections = Number(process.env.HTTP2_CONNECTIONS ?? 2);
const seed = Number(process.env.HTTP2_SEED ?? Date.now() % 1_000_000);

/**
 * More than what clients can have at work at once: each call counts for 16 kB, and honest ones come from the same
 * address as broken ones, so that in a smaller room they may have to come again.
 */
const room = { maxInFlight: 64 << 20, intakeInFlight: 64 << 20 };

let stop = () => Promise.resolve();
afterEach(() => stop());

async function started(options?: Parameters<typeof startReceiver>[0]) {
  const one = await startReceiver(options);
  stop = () => one.receiver.stop();
  /** What honest calls were answered, for a failure of the test. */
  const said = new Set<string>();
  /** Code of an honest call; UNAVAILABLE means that it was let in, since the log is down. */
  const honest = async () => {
    const [answer] = await grpcCalls(one.address(), [{ body }]);
    said.add(answer!.details);
    return answer!.code;
  };
  return { ...one, honest, said };
}

it(
  `listen: no client that breaks the rules of HTTP/2 ends the process (seed ${seed})`,
  async () => {
    const { receiver, address, logs, honest, said } = await started(room);
    const { pid } = receiver;
    let over = false;
    const broken = breakHttp2(address(), { connections, frames: 5_000, seed })
      .finally(() => over = true);
    const codes: number[] = [];
    while (!over) codes.push(await honest());
    expect((await broken).cut).toBeGreaterThan(connections * 5);
    codes.push(await honest());
    expect(new Set(codes), [...said].join("; ")).toEqual(new Set([code.unavailable]));
    expect(receiver.pid).toBe(pid);
    expect(logs.join()).not.toContain("gRPC process ended");
  },
);

it("grpcServer: what is no gRPC, or comes from a web page, is refused in the words of HTTP", async () => {
  const { address } = await started();
  const status = async (method: string, headers: Record<string, string> = {}) => {
    const at = `http://${address()}/opentelemetry.proto.collector.trace.v1.TraceService/Export`;
    const body = method === "GET" ? undefined : new Uint8Array(5);
    const response = await fetch(at, { method, headers, body });
    await response.body?.cancel();
    return response.status;
  };
  expect(await status("GET")).toBe(405);
  expect(await status("POST", { "content-type": "text/plain" })).toBe(415);
  const page = { "content-type": "application/grpc", origin: "http://rebound.example" };
  expect(await status("POST", page)).toBe(403);
});

describe("calls that are never finished", () => {
  it("readAll: without a message they end within seconds, and others are let in", async () => {
    const { address, honest } = await started({ maxInFlight: 4 << 20 });
    const stalled = stallGrpc(address(), 64, 0);
    expect(await honest()).toBe(code.unavailable);
    for (const end of await stalled) {
      expect(end.code).toBe(code.deadlineExceeded);
      expect(end.ms).toBeLessThan(9_000);
    }
  });

  it("Budget: eight unfinished messages that fill it make room for one that comes", async () => {
    const { address, honest } = await started({ maxInFlight: 8 * 100_000 });
    const stalled = stallGrpc(address(), 8, 100_000);
    await eventually(async () => expect(await honest()).toBe(code.unavailable));
    for (const end of await stalled) {
      // Which of the two depends on when the honest call came.
      expect([code.deadlineExceeded, code.resourceExhausted]).toContain(end.code);
      expect(end.ms).toBeLessThan(9_000);
    }
  });
});

it("HeartbeatMonitor: a process that hangs is noticed, killed and started again", async () => {
  const { receiver, logs, metrics, honest } = await started({ beatEveryMs: 200 });
  const { pid } = receiver;
  process.kill(pid, "SIGSTOP");
  await eventually(() => expect(receiver.health().ready).toBe(false));
  await eventually(() => expect(receiver.health().state).toBe("listening"));
  expect(receiver.pid).not.toBe(pid);
  expect(logs.join()).toContain("gRPC process hangs");
  expect(await metrics()).toContain("tributary_traces_grpc_hangs_total 1");
  expect(await honest()).toBe(code.unavailable);
});
