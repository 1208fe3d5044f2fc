import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Harness, harness, type Item, job, table } from "./testing/harness.ts";

let at: Harness;
let open: Harness;
beforeAll(async () => {
  at = await harness(undefined, { restricted: true });
  open = await harness();
  await at.rows(
    `WITH t AS (
       INSERT INTO token (digest, hint) SELECT sha256(n::bytea), n FROM (VALUES ('one'), ('two')) AS v (n)
         RETURNING id, hint),
     c AS (
       INSERT INTO collector (name, token_id) SELECT n, t.id FROM (VALUES ('one'), ('two')) AS v (n)
         JOIN t ON t.hint = n RETURNING id, name)
     INSERT INTO data_source (catrn, name, collector_id)
     SELECT s.catrn, s.catrn, (SELECT id FROM c WHERE c.name = s.collector)
       FROM (VALUES ('//victim', 'one'), ('//victim/second', 'one'), ('//stranger', 'two'),
                    ('//victim/nested', 'two'), ('//composed', NULL)) AS s (catrn, collector)`,
  );
});
afterAll(async () => {
  await at.drop();
  await open.drop();
});

let next = 0;
let name: string;
beforeEach(() => void (name = `//names/${next++}`));

const run = (catrn: string, task: string, status = "FAILED"): Item => ({
  catrn,
  name: "run",
  type: "JOB_RUN",
  data_transformer_run: {
    transformer_catrn: task,
    start_time: "2024-01-01T00:00:00Z",
    end_time: "2024-01-01T00:01:00Z",
    status,
  },
});
const sourceOf = async (catrn: string, of = at) => {
  const [row] = await of.rows<{ source: string | null }>(
    `SELECT s.catrn AS source FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
      WHERE e.catrn = $1 AND NOT e.hollow`,
    catrn,
  );
  return row?.source;
};
const leftOut = async (batch: string) => {
  const [row] = await at.rows<{ detail: unknown }>(
    "SELECT detail FROM applied_batch WHERE batch = $1",
    batch,
  );
  return row!.detail;
};

describe("a batch of a source with a token", () => {
  it("does not replace an entity of another source, and applies the rest of its items", async () => {
    await at.post([table(name, { description: "true" })], { source: "//victim" });
    const items = [table(name, { description: "false" }), table(`${name}/own`)];
    await at.post(items, { source: "//stranger", batch: name });
    expect(await at.entity(name)).toMatchObject({ external_description: "true" });
    expect(await sourceOf(name)).toBe("//victim");
    expect(await sourceOf(`${name}/own`)).toBe("//stranger");
    expect(await leftOut(name)).toMatchObject({
      status: 403,
      left_out: 1,
      details: [{ field: "items", message: `${name} belongs to data source //victim` }],
    });
  });

  it("neither restores a deleted entity of another source nor says that it was seen", async () => {
    await at.post([table(name)], { source: "//victim" });
    await at.rows("UPDATE data_entity SET status = 5 WHERE catrn = $1", name);
    const { last_ingested_at } = await at.entity(name);
    await at.post([table(name)], { source: "//stranger" });
    expect(await at.entity(name)).toMatchObject({ status: 5, last_ingested_at });
  });

  it("takes no name below another source before that source comes with it", async () => {
    const mine = `//victim/tables/${next}`;
    await at.post([table(mine)], { source: "//stranger" });
    expect(await sourceOf(mine)).toBeUndefined();
    await at.post([table(mine)], { source: "//victim" });
    expect(await sourceOf(mine)).toBe("//victim");
    const nested = `//victim/nested/${next}`;
    await at.post([table(nested)], { source: "//victim/nested" });
    expect(await sourceOf(nested)).toBe("//victim/nested");
  });

  it("posts no run of a task of another source, nor under the name of its run", async () => {
    await at.post([job(name, [], []), run(`${name}/r`, name, "SUCCESS")], { source: "//victim" });
    await at.post([run(`${name}/false`, name)], { source: "//stranger" });
    const own = job(`${name}/own`, [], []);
    await at.post([own, run(`${name}/r`, own.catrn)], { source: "//stranger" });
    const runs = await at.rows(
      `SELECT r.catrn, r.status, e.catrn AS task FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE starts_with(r.catrn, $1)`,
      name,
    );
    expect(runs).toEqual([{ catrn: `${name}/r`, status: "SUCCESS", task: name }]);
  });

  it("takes over what the same collector posts, and what nobody has a token for", async () => {
    await at.post([table(name)], { source: "//victim" });
    await at.post([table(name)], { source: "//victim/second" });
    expect(await sourceOf(name)).toBe("//victim/second");
    await at.post([table(`${name}/c`)], { source: "//composed" });
    await at.post([table(`${name}/c`)], { source: "//stranger" });
    expect(await sourceOf(`${name}/c`)).toBe("//stranger");
  });

  it("has what a deleted source has left", async () => {
    await at.post([table(name)], { source: "//victim" });
    await at.rows("UPDATE data_entity SET data_source_id = NULL WHERE catrn = $1", name);
    await at.post([table(name)], { source: "//stranger" });
    expect(await sourceOf(name)).toBe("//stranger");
  });
});

it("each change of source is in the feed", async () => {
  await open.post([table(name)]);
  await open.post([table(name)], { source: "//other" });
  await open.post([table(name)], { source: "//other" });
  const { id } = await open.entity(name);
  const events = await open.rows(
    "SELECT event_type, old_state, new_state FROM activity WHERE entity_id = $1 ORDER BY id",
    id,
  );
  expect(events).toEqual([
    expect.objectContaining({ event_type: "DATA_ENTITY_CREATED" }),
    {
      event_type: "DATA_SOURCE_UPDATED",
      old_state: { data_source: expect.objectContaining({ catrn: "//warehouse" }) },
      new_state: { data_source: expect.objectContaining({ catrn: "//other", name: "o" }) },
    },
  ]);
});
