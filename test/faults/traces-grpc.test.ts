import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import {
  type Gateway,
  grpcAddress,
  grpcPid,
  startGateway,
  workersOf,
} from "#test/support/traces/gateway.ts";
import { expectLogged } from "#test/support/traces/trace-accounts.ts";
import { sendTraces } from "#test/support/traces/trace-load.ts";
import { freePort } from "../../tools/engines/process.mjs";

const kills = 4;
/** Also on a machine that is busy with other things. */

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway("embedded", { grpc: { port: await freePort() } });
});
afterAll(() => gateway?.stop());

const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));

it(
  `the gRPC process is killed again and again: it costs gRPC a retry, HTTP nothing (seed ${seed})`,
  async () => {
    const over = new AbortController();
    const load = sendTraces({
      http: [gateway.http],
      grpc: [await grpcAddress(gateway)],
      seed,
      until: over.signal,
    });
    const killing = async () => {
      for (let n = 0; n < kills; n++) {
        const pid = grpcPid(gateway.logs);
        const taken = await takenOverGrpc();
        await eventually(
          async () => expect(await takenOverGrpc()).toBeGreaterThan(taken + 3),
        );
        process.kill(pid, "SIGKILL");
        await eventually(async () => {
          expect(grpcPid(gateway.logs)).not.toBe(pid);
          expect((await workersOf(gateway))["OTLP/gRPC receiver"]!.state).toBe("listening");
        }, { describe: () => workersOf(gateway) });
      }
      const taken = await takenOverGrpc();
      await eventually(
        async () => expect(await takenOverGrpc()).toBeGreaterThan(taken + 3),
      );
    };
    await Promise.race([load, killing()]);
    over.abort();
    const sent = await load;
    expect(Object.keys(sent.retried)).toEqual(["gRPC"]);
    await expectLogged(gateway, sent);
  },
);

async function takenOverGrpc(): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const found = /^tributary_traces_requests_total\{protocol="grpc",outcome="accepted"\} (\d+)/m;
  return Number(found.exec(text)?.[1] ?? 0);
}
