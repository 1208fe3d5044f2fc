import { afterAll, beforeAll, expect, it } from "vitest";
import {
  factsInLog,
  type Gateway,
  grpcAddress,
  grpcPid,
  startGateway,
} from "#test/support/traces/gateway.ts";
import { eventually } from "#test/support/eventually.ts";
import { sized } from "#test/support/size.ts";
import { abuseGrpc, grpcCalls } from "#test/support/traces/otlp-clients.ts";
import { freePort } from "../../../tools/engines/process.mjs";
import { newId, otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";

/** A long one by hand: `SOAK_SECONDS=600 npm test -- services/trace-gateway/grpc/soak.test.ts`. */
const seconds = Number(process.env.SOAK_SECONDS ?? sized(5, 120));

let gateway: Gateway;
beforeAll(async () => {
  // The same port after a restart, as in earnest.
  gateway = await startGateway("embedded", { grpc: { port: await freePort() } });
});
afterAll(() => gateway.stop());

/** Posts one span after another until `ended`; returns their trace ids. */
async function postAll(ended: () => boolean): Promise<string[]> {
  const traceIds: string[] = [];
  while (!ended()) {
    const request = serverSpans(1);
    const traceId = request.spans[0]!.traceId = newId(16);
    const response = await fetch(`${gateway.http}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body: otlpBytes([request]),
    });
    await response.body?.cancel();
    expect(response.status).toBe(200);
    traceIds.push(traceId);
  }
  return traceIds;
}

it("GrpcReceiver: clients that leave abruptly cost neither HTTP nor an accepted span", async () => {
  const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
  console.log(`soak of ${seconds} s, seed ${seed}`);
  const address = await grpcAddress(gateway);
  let ended = false;
  const posts = postAll(() => ended);
  // Should no client bring the process down, this does.
  const kill = setTimeout(() => process.kill(grpcPid(gateway.logs), "SIGKILL"), seconds * 500);
  const abuse = await abuseGrpc(address, seconds, seed).finally(() => ended = true);
  clearTimeout(kill);
  const posted = await posts;
  const inLog = new Set((await factsInLog(gateway.events)).map((fact) => fact.traceId));
  expect(abuse.cut).toBeGreaterThan(10);
  expect(abuse.acknowledged.length).toBeGreaterThan(10);
  expect(posted.length).toBeGreaterThan(10);
  expect([...abuse.acknowledged, ...posted].filter((id) => !inLog.has(id))).toEqual([]);
  const body = btoa(String.fromCharCode(...otlpBytes([serverSpans(1)])));
  await eventually(async () => {
    const [answer] = await grpcCalls(await grpcAddress(gateway), [{ body }]);
    expect(answer).toMatchObject({ code: 0 });
  });
  const ends = gateway.logs.filter((line) => line.includes("gRPC process ended")).length;
  expect(ends).toBeGreaterThan(0);
  console.log(`${abuse.connections} connections, ${abuse.cut} cut, process ended ${ends} times`);
}, (seconds + 60) * 1_000);
