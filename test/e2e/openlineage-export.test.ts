import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { shop, shopBatch, shopEvents } from "#test/support/openlineage/catalogue.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";

// What is exported is taken by the batch endpoint of another instance, and makes the same catalogue there.

describe.each(setsBySize())("an export of lineage on the %s engines", (set) => {
  let from: Instance;
  let to: Instance;
  let exported = "";

  beforeAll(async () => {
    const services = [apiService, ingestConsumerService, openLineageService];
    [from, to] = await Promise.all([
      startInstance(set, { services }),
      startInstance(set, { services }),
    ]);
    expect(
      (await from.send("POST", "/ingestion/datasources", {
        items: [{ name: "shop", catrn: shop.source }],
      })).status,
    ).toBeLessThan(300);
    expect((await from.send("POST", "/ingestion/entities", shopBatch())).status).toBeLessThan(300);
    await eventually(async () => expect(await edges(from)).toHaveLength(9));
    expect((await from.send("POST", "/api/v1/lineage/batch", shopEvents())).status).toBe(204);
    await eventually(async () => {
      expect(await edges(from)).toHaveLength(11);
      expect(await descriptions(from)).toContain("For the board");
      // The dataset is of another data source than its job, and so of another partition: it may come last.
      expect(await fields(from)).toContainEqual(expect.objectContaining({ path: "sum" }));
    });
    const [view] = await rows<{ id: number }>(
      from,
      `SELECT id FROM data_entity WHERE catrn = '${shop.view}'`,
    );
    const form = { owner_name: "Bea", title_name: "Analyst" };
    const given = await from.send("POST", `/api/dataentities/${view!.id}/ownership`, form);
    expect(given.status).toBe(200);
    exported = await exportOf(from);
  });
  afterAll(() => Promise.all([from?.stop(), to?.stop()]));

  const rows = <R>(at: Instance, text: string) => at.test.db.query(text) as Promise<R[]>;
  const edges = async (at: Instance) =>
    (await rows<{ edge: string }>(
      at,
      `SELECT DISTINCT p.catrn || ' > ' || c.catrn AS edge FROM lineage_edge l
         JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
        WHERE l.live ORDER BY 1`,
    )).map(({ edge }) => edge);
  const descriptions = async (at: Instance) =>
    (await rows<{ said: string }>(
      at,
      "SELECT external_description AS said FROM data_entity WHERE external_description IS NOT NULL",
    )).map(({ said }) => said).sort();
  const fields = (at: Instance) =>
    rows(
      at,
      `SELECT e.catrn, p.path, p.type, f.external_description AS said
         FROM data_entity e, field_paths(ARRAY[e.id]) p JOIN dataset_field f ON f.id = p.field_id
        ORDER BY 1, 2`,
    );
  const columns = (at: Instance) =>
    rows(
      at,
      `SELECT t.catrn AS target, tc.path AS target_field, s.catrn AS source, sc.path AS field,
              l.kind, l.subtype, l.masking, l.description
         FROM column_edge l JOIN data_entity t ON t.id = l.target_dataset
         JOIN data_entity s ON s.id = l.source_dataset
         LEFT JOIN dataset_column tc ON tc.id = l.target_id
         LEFT JOIN dataset_column sc ON sc.id = l.source_id ORDER BY 1, 2, 3, 4`,
    );
  /** Owners with their titles. */
  const owners = (at: Instance) =>
    rows<{ catrn: string; name: string; title: string | null }>(
      at,
      `SELECT e.catrn, w.name, t.name AS title
         FROM ownership o JOIN data_entity e ON e.id = o.entity_id
         JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id ORDER BY 1, 2`,
    );
  async function exportOf(at: Instance): Promise<string> {
    const answer = await at.send("GET", "/api/openlineage/export");
    expect([answer.status, answer.headers.get("content-type")])
      .toEqual([200, "application/x-ndjson"]);
    return await answer.text();
  }
  /** What events tell, without when and in no order. */
  const linesOf = (text: string) =>
    text.trim().split("\n").map((line) => {
      const { eventTime: _, ...event } = JSON.parse(line);
      return JSON.stringify(event);
    }).sort();

  it("is taken by the batch endpoint of another instance", async () => {
    const answer = await fetch(`${to.url}/api/v1/lineage/batch`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: exported,
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });

  it("makes the same lineage there; a view is made by a job that stands for it", async () => {
    const derivation =
      "//openlineage/namespaces/postgres:%2F%2Fdb.example:5432/jobs/shop.public.recent.derivation";
    const same = (await edges(from)).flatMap((edge) =>
      edge === `${shop.orders} > ${shop.view}`
        ? [`${shop.orders} > ${derivation}`, `${derivation} > ${shop.view}`]
        : [edge]
    );
    await eventually(async () => expect(await edges(to)).toEqual(same.sort()));
  });

  it("makes the same columns, descriptions and lineage between columns there", async () => {
    await eventually(async () => {
      expect(await descriptions(to)).toEqual(await descriptions(from));
      expect(await fields(to)).toEqual(await fields(from));
      expect(await columns(to)).toEqual(await columns(from));
    });
  });

  it("makes the same owners there, with their titles", async () => {
    expect(await owners(from)).toHaveLength(4);
    await eventually(async () => expect(await owners(to)).toEqual(await owners(from)));
  });

  it("is the same when it is exported from there", async () => {
    await eventually(async () => expect(linesOf(await exportOf(to))).toEqual(linesOf(exported)));
  });
});
