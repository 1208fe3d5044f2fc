import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { Demonstration } from "#services/api/features/demonstration/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

const services = [apiService, ingestConsumerService, openLineageService];
const path = "/api/demonstration";

describe.each([false, true])("the demonstration, tokens requested: %s", (filter) => {
  let instance: Instance;
  beforeAll(async () => {
    const auth = { ingestion: { filter: { enabled: filter } } };
    instance = await startInstance("embedded", { services, config: { auth } });
  });
  afterAll(() => instance?.stop());
  const status = async () => Demonstration.parse(await instance.json(path));

  it("is loaded into an empty catalogue once, says how far it is, and is refused afterwards", async () => {
    expect(await status()).toMatchObject({ state: "AVAILABLE" });
    const begun = await instance.send("POST", path);
    expect(Demonstration.parse(await begun.json())).toMatchObject({ state: "RUNNING", done: 0 });
    const again = await instance.send("POST", path);
    expect(again.status).toBe(400);
    await eventually(async () => {
      const now = await status();
      expect(now.problem).toBeNull();
      expect(now).toMatchObject({ state: "DONE", done: now.total, next: null });
    });
    const { total_count } = await instance.json("/api/dataentities/usage") as {
      total_count: number;
    };
    expect(total_count).toBeGreaterThan(200);
    const terms = await instance.json("/api/terms?page=1&size=50") as { items: unknown[] };
    expect(terms.items.length).toBeGreaterThan(3);
    const refused = await instance.send("POST", path);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("empty catalogue only"),
    ]);
  });
});
