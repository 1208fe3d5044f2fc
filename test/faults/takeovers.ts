import { hostname } from "node:os";
import { expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import type { ServiceProcess } from "#test/support/engines/processes.ts";
import { expectHolds } from "./holds.ts";
import { produce, type ProducerResult } from "./producer.ts";
import { settled, type Stack } from "./stack.ts";

/** The lease of the one process that writes into the graph. */
const projectorLease = "graph-projector";

/** Processes of one service that share the work, of which one dies, or sleeps and wakes up. */
export function takeovers(stack: () => Stack): void {
  /** Posts from several sources until `work` is done and the log is empty; then compares. */
  const whilePosting = async (
    name: string,
    work: (batches: () => Promise<void>) => Promise<void>,
  ) => {
    const { processes, observer } = stack();
    const over = new AbortController();
    const urls = [processes.api1.url, processes.api2.url];
    const sources = [1, 2, 3, 4, 5, 6].map((n) => `//${name}/${n}`);
    const options = { urls, sources, seed: 7, until: over.signal };
    const producing = produce(options);
    const { db } = observer.context;
    const more = async () => {
      const count = () => db.query<{ n: number }>("SELECT count(*)::int AS n FROM applied_batch");
      const before = (await count())[0]!.n;
      await eventually(async () => {
        if ((await count())[0]!.n < before + 5) throw new Error("no batch was applied");
      });
    };
    await Promise.race([work(more), producing]);
    over.abort();
    const produced: ProducerResult = await producing;
    await settled(observer);
    await expectHolds(db, produced.model, `//${name}/`);
  };

  it("a consumer dies: the other takes its share over, without loss or double effect", async () => {
    const { consumer1 } = stack().processes;
    await whilePosting("dies", async (more) => {
      await more();
      await consumer1.kill();
      await more();
      await consumer1.start();
      await more();
    });
  });

  it("a projector sleeps past its lease and wakes: the graph still equals the metadata", async () => {
    const { observer } = stack();
    await whilePosting("sleeps", async (more) => {
      await more();
      const leader = await leading(stack());
      await leader.pause();
      await eventually(async () => {
        if ((await holder(stack())) === prefix(leader)) throw new Error("nobody took it over");
      });
      await more();
      leader.resume();
      await more();
    });
    const leases = await observer.context.db.query("SELECT 1 FROM lease WHERE name = $1", [
      projectorLease,
    ]);
    expect(leases).toHaveLength(1);
  });

  it("an API process sleeps and wakes: its requests end, and nothing is lost", async () => {
    const { api1 } = stack().processes;
    await whilePosting("api-sleeps", async (more) => {
      await more();
      await api1.pause();
      await more();
      api1.resume();
      await more();
    });
  });
}

const prefix = (process: ServiceProcess) => `${hostname()}:${process.pid()}`;

/** Host and process id of who holds the lease of the projector. */
async function holder({ observer }: Stack): Promise<string> {
  const rows = await observer.context.db.query<{ holder: string }>(
    "SELECT holder FROM lease WHERE name = $1 AND expires_at > now()",
    [projectorLease],
  );
  return (rows[0]?.holder ?? "").split(":").slice(0, 2).join(":");
}

async function leading(stack: Stack): Promise<ServiceProcess> {
  return await eventually(async () => {
    const leader = await holder(stack);
    const found = Object.values(stack.processes).find((process) => prefix(process) === leader);
    if (!found) throw new Error(`nobody of ours leads but ${leader}`);
    return found;
  });
}
