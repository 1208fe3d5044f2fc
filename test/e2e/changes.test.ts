import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { removed } from "#test/support/engines/directory.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { followChanges as follow, type ServerEvent } from "#test/support/http/events.ts";

const source = "//changes/shop";
const table = (name: string) => ({
  catrn: `${source}/${name}`,
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});
const batchOf = (...items: object[]) => ({ data_source_catrn: source, items });

const eventsOfKind = (events: ServerEvent[], kind: string) =>
  events.filter((one) => one.kind === kind);

/** A run of a job, which fails. */
const failedRun = (job: string, n: number) => ({
  catrn: `${source}/${job}/runs/${n}`,
  name: `run ${n}`,
  type: "JOB_RUN",
  data_transformer_run: {
    transformer_catrn: `${source}/${job}`,
    start_time: "2026-01-01T00:00:00Z",
    end_time: `2026-01-01T00:0${n}:00Z`,
    status: "FAILED",
  },
});
const job = {
  catrn: `${source}/job`,
  name: "job",
  type: "JOB",
  data_transformer: { inputs: [], outputs: [] },
};

describe.each(engineSets())("two processes over %s engines", (set) => {
  let [one, two]: Instance[] = [];
  beforeAll(async () => {
    one = await startInstance(set);
    two = await startInstance(set, { sharedDatabase: one.test });
    const registered = await one.send("POST", "/ingestion/datasources", {
      items: [{ name: "shop", catrn: source }],
    });
    expect(registered.status).toBe(200);
  });
  afterAll(async () => {
    await two?.stop();
    await one?.stop();
  });

  it("each tells what came by the other: ingestion, activity, alerts, the position", async () => {
    const clients = await Promise.all([follow(one!.url), follow(two!.url)]);
    await eventually(() => expect(clients.map(({ lastId }) => lastId)).not.toContain(""));
    const items = [table("a"), job, failedRun("job", 1)];
    const flowing = { ...job, data_transformer: { inputs: [`${source}/a`], outputs: [] } };
    for (const batch of [batchOf(...items), batchOf(flowing)]) {
      expect((await one!.send("POST", "/ingestion/entities", batch)).status).toBe(200);
    }
    for (const client of clients) {
      const position = await eventually(() => {
        const last = eventsOfKind(client.events, "ingestion").at(-1);
        if (last?.data.entities.changed !== 1) throw new Error("not ingested yet");
        return last.data.position;
      });
      await eventually(() =>
        expect(eventsOfKind(client.events, "projection").at(-1)?.data.position)
          .toBeGreaterThanOrEqual(position)
      );
      const [alert] = await client.some(1, "alert");
      expect(alert!.data).toMatchObject({ event_type: "CREATED", alert_type: "FAILED_JOB" });
      const created = eventsOfKind(client.events, "activity").map(({ data }) => data.event_type);
      expect(created).toContain("DATA_ENTITY_CREATED");
      await client.leave();
    }
  });

  it("a client goes on at the other one when one stops, which it is told", async () => {
    const third = await startInstance(set, { sharedDatabase: one!.test, services: [apiService] });
    const client = await follow(third.url, "?types=activity");
    await eventually(() => expect(client.lastId).not.toBe(""));
    const begun = Date.now();
    const stopped = third.stop();
    expect(await client.end()).toBe("ended");
    expect(client.comments).toContain("ended: stopping");
    expect(client.retry).toBeGreaterThan(0);
    await one!.send("POST", "/ingestion/entities", batchOf(table("meanwhile")));
    const repeated = await follow(two!.url, "?types=activity", { "last-event-id": client.lastId });
    const [event] = await repeated.some(1);
    expect(event!.data.event_type).toBe("DATA_ENTITY_CREATED");
    await stopped;
    expect(Date.now() - begun).toBeLessThan(20_000);
    await repeated.leave();
  });
});

it("a process that is killed loses nothing: a client goes on with the next one", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-changes-"));
  chmodSync(dataDir, 0o755);
  const env = { INSTANCE: "changes", DATA_DIR: dataDir };
  const service = await startService({ service: "all", env });
  try {
    const post = async (name: string) => {
      const body = JSON.stringify(batchOf(table(name)));
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${service.url}/ingestion/entities`, {
        method: "POST",
        headers,
        body,
      });
      expect(response.status).toBe(200);
    };
    await fetch(`${service.url}/ingestion/datasources`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ items: [{ name: "shop", catrn: source }] }),
    });
    const client = await follow(service.url, "?types=activity");
    await post("first");
    await client.some(1);
    await post("second");
    await service.kill();
    expect(await client.end()).toMatch(/broken|ended/);
    await service.start();
    await post("third");
    const repeated = await follow(service.url, "?types=activity", {
      "last-event-id": client.lastId,
    });
    await repeated.some(3 - client.events.length);
    const ids = [...client.events, ...repeated.events].map(({ data }) => data.entity_id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toHaveLength(3);
    await repeated.leave();
    const { code } = await service.terminate();
    expect(code).toBe(0);
  } finally {
    if (service.pid() > 0) await service.kill();
    await removed(dataDir);
  }
});
