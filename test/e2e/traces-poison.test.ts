import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { subjectCatrn } from "#services/trace-gateway/publisher/subjects.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Gateway, startGateway, workersOf } from "#test/support/traces/gateway.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { otlpJson, type TestSpan } from "#test/support/traces/otlp.ts";

/** Words that are members of every plain object, or that stores do not take as they are. */
const words = ["constructor", "__proto__", "toString", "hasOwnProperty", "a\u0000b", "\ud800"];

const client = 3;
const producer = 4;

/** Spans that use a word wherever a client may choose one. */
function spansOf(word: string): TestSpan[] {
  return [
    { kind: client, attributes: { "db.system.name": word, "db.collection.name": "t" } },
    { kind: client, attributes: { "db.system": "mysql", "db.name": word, "db.sql.table": word } },
    {
      kind: producer,
      attributes: { "messaging.system": word, "messaging.destination.name": word },
    },
    { attributes: { "http.request.method": word, "http.route": `/${word}` } },
    { kind: client, attributes: { "peer.service": word, "rpc.method": word } },
  ];
}

describe.each(engineSets())("spans that are poisoned, %s engines", (set) => {
  const services = [apiService, ingestConsumerService, traceGatewayService];
  const traces = { "publish-interval": "100 ms", window: "1 s" };
  let test: TestDatabase;
  let gateway: Gateway;
  beforeAll(async () => {
    test = await testDatabase();
    gateway = await startGateway(set, traces, { services, sharedDatabase: test });
  });
  afterAll(async () => {
    await gateway?.stop();
    await test?.drop();
  });

  async function send(service: string, spans: TestSpan[]): Promise<void> {
    const answer = await fetch(`${gateway.http}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: otlpJson([{ resource: { "service.name": service }, spans }]),
    });
    expect([answer.status, await answer.text()]).toEqual([200, "{}"]);
  }
  const isPublished = (name: string) =>
    eventually(async () => {
      const rows = await test.db.query(
        "SELECT 1 FROM data_entity WHERE catrn = $1 AND NOT hollow",
        [subjectCatrn({ kind: "service", namespace: null, name })],
      );
      expect([name, rows.length]).toEqual([name, 1]);
    });

  async function expectWell(): Promise<void> {
    expect(gateway.exhaustedWorker()).toBeNull();
    expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
    // Workers that have just been started wait for their engines.
    await eventually(async () => {
      const sick = Object.entries(await workersOf(gateway)).filter(([, { ready }]) => !ready);
      expect(sick).toEqual([]);
    });
    expect(gateway.logs.filter((line) => line.includes("crashed"))).toEqual([]);
  }

  it("leave the process running and their neighbours published, after a restart as well", async () => {
    for (const [i, word] of words.entries()) {
      await send(`poisoned ${i}`, spansOf(word));
      await send(`neighbour ${i}`, spansOf("postgresql"));
      await send(word, spansOf("mysql"));
    }
    for (const i of words.keys()) {
      await isPublished(`neighbour ${i}`);
      await isPublished(`poisoned ${i}`);
    }
    await isPublished("constructor");
    await isPublished("__proto__");
    await expectWell();
    await gateway.stop();
    gateway = await startGateway(set, traces, { services, sharedDatabase: test });
    await send("afterwards", spansOf("constructor"));
    await isPublished("afterwards");
    await expectWell();
    expect(await test.db.query("SELECT name, cause FROM service_quarantine")).toEqual([]);
  });
});
