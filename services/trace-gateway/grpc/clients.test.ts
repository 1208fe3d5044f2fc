import { expect, it } from "vitest";
import { smallBody } from "#platform/http/refusals.ts";
import { grpcServer } from "./server.ts";

const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const code = { internal: "13", resourceExhausted: "8" };

/** A receiver that charges a client for a large message in vain, and then reads none of it any more. */
function receiver(trustedProxies?: string[]) {
  const handle = grpcServer({
    host: "127.0.0.1",
    port: 0,
    maxBytes: 1 << 20,
    maxInFlight: 8 << 20,
    maxRefusedBytes: smallBody,
    trustedProxies,
    intake: { url: "http://127.0.0.1:1/", token: "none" },
    answerWithinMs: 1_000,
    beatEveryMs: 1_000,
  });
  const message = new Uint8Array(2 * smallBody);
  // No flag of gRPC.
  message[0] = 2;
  return async (peer: string, client: string) => {
    const headers = { "content-type": "application/grpc", "x-forwarded-for": client };
    const request = new Request(`http://localhost${path}`, {
      ...{ method: "POST", body: message, headers },
    });
    return (await handle(request, peer)).headers.get("grpc-status");
  };
}

it("clients behind a trusted proxy have a share each", async () => {
  const send = receiver(["10.0.0.1"]);
  expect(await send("10.0.0.1", "192.0.2.1")).toBe(code.internal);
  expect(await send("10.0.0.1", "192.0.2.1")).toBe(code.resourceExhausted);
  expect(await send("10.0.0.1", "192.0.2.2")).toBe(code.internal);
});

it("what a client behind no trusted proxy names is not believed", async () => {
  const send = receiver();
  expect(await send("192.0.2.9", "192.0.2.1")).toBe(code.internal);
  expect(await send("192.0.2.9", "192.0.2.2")).toBe(code.resourceExhausted);
});
