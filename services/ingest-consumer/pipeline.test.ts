import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, harness, httpRecord, job, table } from "./test-harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const edges = (establisher: string) =>
  at.rows<{ parent: string; child: string; live: boolean }>(
    `SELECT p.catrn AS parent, c.catrn AS child, live FROM lineage_edge e
       JOIN data_entity x ON x.id = e.establisher_id JOIN data_entity p ON p.id = e.parent_id
       JOIN data_entity c ON c.id = e.child_id WHERE x.catrn = $1 ORDER BY 1, 2`,
    establisher,
  );

describe("Pipeline", () => {
  it("applies a part: entities, hollow ends, edges, activity, outbox position", async () => {
    expect(await at.post([table("//w/a"), job("//w/j", ["//w/a", "//w/unknown"], ["//w/b"])]))
      .toBe("applied");
    expect(await edges("//w/j")).toEqual([
      { parent: "//w/a", child: "//w/j", live: true },
      { parent: "//w/j", child: "//w/b", live: true },
      { parent: "//w/unknown", child: "//w/j", live: true },
    ]);
    expect(await at.entity("//w/unknown")).toMatchObject({ hollow: true, type_id: null });
    const { id } = await at.entity("//w/j");
    const [outbox] = await at.rows("SELECT * FROM lineage_outbox ORDER BY position DESC LIMIT 1");
    expect(outbox).toMatchObject({ entity_ids: [id] });
    const [applied] = await at.rows(
      "SELECT * FROM applied_batch WHERE position = $1",
      outbox!.position,
    );
    expect(applied).toMatchObject({ outcome: "applied", part: 0 });
    const events = await at.rows("SELECT * FROM activity WHERE entity_id = $1", id);
    expect(events).toMatchObject([{ event_type: "DATA_ENTITY_CREATED", system_event: true }]);
  });

  it("has no second effect when a record is delivered again", async () => {
    const record = httpRecord([table("//w/again", { description: "first" })]);
    await at.pipeline.process(record);
    const before = await at.entity("//w/again");
    await at.rows(
      "UPDATE data_entity SET external_description = 'touched' WHERE id = $1",
      before.id,
    );
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await at.entity("//w/again")).toEqual({ ...before, external_description: "touched" });
    expect(await at.rows("SELECT 1 FROM activity WHERE entity_id = $1", before.id)).toHaveLength(1);
  });
});
