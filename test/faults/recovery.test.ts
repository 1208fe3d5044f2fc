import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recovery } from "#platform/ops/states/recovery.ts";
import {
  notifierEnvironment,
  type WorkerHealth,
  workersOf,
} from "#test/support/alerts/notifier.ts";
import { type OwnEngine, startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";

/** Milliseconds that a machine under load may take beyond what operators are told. */
const underLoad = 10_000;
const within = 120_000;

/** What operators are told of a worker in this state, ms; undefined where that hangs on the configuration. */
function told(worker: string, state: string): number | undefined {
  if (worker === "service-graph ticker") return undefined;
  const of: Record<string, number> | undefined = recovery[state as keyof typeof recovery];
  return of && (of[worker] ?? of.others!) * 1_000;
}

describe("how long workers take to go on once PostgreSQL is back", () => {
  let server: OwnEngine;
  let webhook: HttpSink;
  let service: ServiceProcess;
  beforeAll(async () => {
    [server, webhook] = [await startPostgres(), await startHttpSink()];
    const name = `t_${crypto.randomUUID().slice(0, 8)}`;
    const env = notifierEnvironment("embedded", { name, url: server.url }, {
      RECEIVERS_WEBHOOK_URL: webhook.url,
    });
    service = await startService({ service: "all", env });
  });
  afterAll(async () => {
    await service?.kill();
    await Promise.all([webhook?.close(), server?.stop()]);
  });

  /** Workers that are not ready, by name. */
  const ill = async (): Promise<[string, WorkerHealth][]> =>
    Object.entries(await workersOf(service)).filter(([, { ready }]) => !ready);
  const readyAgain = () => eventually(async () => expect(await ill()).toEqual([]), { within });

  it("is what docs/operations.md tells", async () => {
    await readyAgain();
    await server.kill();
    const states = await eventually(async () => {
      const found = new Map((await ill()).map(([name, { state }]) => [name, state]));
      expect([...found.values()]).toEqual(expect.arrayContaining(Object.keys(recovery)));
      // They look at PostgreSQL less often than others do.
      const names = Object.values(recovery).flatMap((each) => Object.keys(each));
      expect(["others", ...found.keys()]).toEqual(expect.arrayContaining(names));
      return found;
    }, { within });
    await server.restart();
    const back = performance.now();
    const took = new Map<string, number>();
    await eventually(async () => {
      const still = new Set((await ill()).map(([name]) => name));
      for (const name of states.keys()) {
        if (!still.has(name) && !took.has(name)) took.set(name, performance.now() - back);
      }
      expect([...still]).toEqual([]);
    }, { within, describe: () => service.output().slice(-8) });
    const late = [...took].flatMap(([name, ms]) => {
      const most = told(name, states.get(name)!);
      return most !== undefined && ms > most + underLoad ? [`${name}: ${Math.round(ms)} ms`] : [];
    });
    expect(late).toEqual([]);
    expect(service.ends()).toBe(0);
  });
});
