import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Harness, harness, type Item, job, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

let n = 0;
let p = "";
beforeEach(() => void (p = `//l${n++}`));

const edges = async (establisher: string) =>
  (await at.rows<{ edge: string }>(
    `SELECT p.catrn || ' > ' || c.catrn || CASE WHEN live THEN '' ELSE ' (dead)' END AS edge
       FROM lineage_edge e JOIN data_entity x ON x.id = e.establisher_id
       JOIN data_entity p ON p.id = e.parent_id JOIN data_entity c ON c.id = e.child_id
      WHERE x.catrn = $1 ORDER BY 1`,
    establisher,
  )).map((row) => row.edge);
const history = async (establisher: string) =>
  await at.rows<{ since: Date; until: Date }>(
    `SELECT h.* FROM lineage_edge_history h JOIN data_entity x ON x.id = h.establisher_id
      WHERE x.catrn = $1`,
    establisher,
  );
const lastMoved = async () =>
  (await at.rows<{ entity_ids: number[]; position: number }>(
    "SELECT * FROM lineage_outbox ORDER BY position DESC LIMIT 1",
  ))[0]!;

async function remove(catrn: string) {
  const { id } = await at.entity(catrn);
  await at.db.transaction(async (tx) => {
    await tx.query("SELECT 1 FROM data_entity WHERE id = $1 FOR NO KEY UPDATE", [id]);
    await tx.query("UPDATE data_entity SET status = 5 WHERE id = $1", [id]);
    await tx.query("SELECT lineage_set_deleted($1::bigint[], true)", [[id]]);
  });
  return id;
}

describe("writeLineage", () => {
  const sectionItem = (type: string, more: Record<string, unknown>): Item => ({
    catrn: `${p}/x`,
    name: "x",
    type,
    ...more,
  });

  it.each<[string, () => Item, () => string[]]>([
    [
      "the parent of a dataset",
      () => sectionItem("TABLE", { dataset: { parent_catrn: `${p}/up`, field_list: [] } }),
      () => [`${p}/up > ${p}/x`],
    ],
    [
      "inputs and outputs of a transformer",
      () => sectionItem("JOB", { data_transformer: { inputs: [`${p}/i`], outputs: [`${p}/o`] } }),
      () => [`${p}/i > ${p}/x`, `${p}/x > ${p}/o`],
    ],
    [
      "inputs of a consumer",
      () => sectionItem("DASHBOARD", { data_consumer: { inputs: [`${p}/i`] } }),
      () => [`${p}/i > ${p}/x`],
    ],
    [
      "outputs of an input",
      () => sectionItem("API_CALL", { data_input: { outputs: [`${p}/o`] } }),
      () => [`${p}/x > ${p}/o`],
    ],
    [
      "a self-loop",
      () => sectionItem("JOB", { data_transformer: { inputs: [`${p}/x`], outputs: [`${p}/x`] } }),
      () => [`${p}/x > ${p}/x`],
    ],
    [
      "both classes of a view",
      () =>
        sectionItem("VIEW", {
          dataset: { parent_catrn: `${p}/up`, field_list: [] },
          data_transformer: { inputs: [`${p}/i`, `${p}/up`], outputs: [] },
        }),
      () => [`${p}/i > ${p}/x`, `${p}/up > ${p}/x`],
    ],
    [
      "nothing of tests",
      () =>
        sectionItem("JOB", {
          data_quality_test: { suite_name: "s", dataset_list: [`${p}/d`], expectation: {} },
        }),
      () => [],
    ],
    [
      "nothing of groups",
      () => sectionItem("DAG", { data_entity_group: { entities_list: [`${p}/m`] } }),
      () => [],
    ],
  ])("declares %s", async (_what, item, expected) => {
    await at.post([item()]);
    expect(await edges(`${p}/x`)).toEqual(expected());
  });

  it("replaces exactly the edges of the entity that is posted again", async () => {
    await at.post([job(`${p}/a`, [`${p}/1`, `${p}/2`], []), job(`${p}/b`, [`${p}/1`], [])]);
    await at.post([job(`${p}/a`, [`${p}/2`, `${p}/3`], [])]);
    expect(await edges(`${p}/a`)).toEqual([`${p}/2 > ${p}/a`, `${p}/3 > ${p}/a`]);
    expect(await edges(`${p}/b`)).toEqual([`${p}/1 > ${p}/b`]);
    const { id } = await at.entity(`${p}/a`);
    expect((await lastMoved()).entity_ids).toEqual([id]);
  });

  it("takes all edges away when none is declared any more, and keeps their interval", async () => {
    await at.post([job(`${p}/a`, [`${p}/1`], [`${p}/2`])]);
    const before = await lastMoved();
    await at.post([job(`${p}/a`, [], [])]);
    expect(await edges(`${p}/a`)).toEqual([]);
    const past = await history(`${p}/a`);
    expect(past).toHaveLength(2);
    for (const { since, until } of past) {
      expect(until.getTime()).toBeGreaterThanOrEqual(since.getTime());
    }
    expect((await lastMoved()).position).toBeGreaterThan(before.position);
  });

  it("ends no interval before it began, though the clock was set back", async () => {
    await at.post([job(`${p}/a`, [`${p}/1`], [])]);
    const { id } = await at.entity(`${p}/a`);
    await at.rows(
      "UPDATE lineage_edge SET since = now() + interval '1 hour' WHERE establisher_id = $1",
      id,
    );
    await at.post([job(`${p}/a`, [], [])]);
    const [{ since, until }] = await history(`${p}/a`) as [{ since: Date; until: Date }];
    expect(until).toEqual(since);
  });

  it("keeps an edge that two entities declare until both drop it", async () => {
    await at.post([job(`${p}/a`, [], [`${p}/t`]), {
      ...table(`${p}/t`),
      dataset: { parent_catrn: `${p}/a`, field_list: [] },
    }]);
    await at.post([job(`${p}/a`, [], [])]);
    expect(await edges(`${p}/t`)).toEqual([`${p}/a > ${p}/t`]);
  });

  it("moves nothing when only other content changed", async () => {
    await at.post([job(`${p}/a`, [`${p}/1`], [])]);
    const before = await lastMoved();
    await at.post([{ ...job(`${p}/a`, [`${p}/1`], []), description: "told" }]);
    expect(await lastMoved()).toEqual(before);
  });

  it("declares edges to a deleted entity as not live", async () => {
    await at.post([table(`${p}/gone`)]);
    await remove(`${p}/gone`);
    await at.post([job(`${p}/a`, [`${p}/gone`], [])]);
    expect(await edges(`${p}/a`)).toEqual([`${p}/gone > ${p}/a (dead)`]);
  });

  it("brings back a deleted entity with every edge that touches it", async () => {
    await at.post([table(`${p}/t`), job(`${p}/other`, [`${p}/t`], [])]);
    const id = await remove(`${p}/t`);
    expect(await edges(`${p}/other`)).toEqual([`${p}/t > ${p}/other (dead)`]);
    await at.post([table(`${p}/t`)]);
    expect(await at.entity(`${p}/t`)).toMatchObject({ id, status: 1 });
    expect(await edges(`${p}/other`)).toEqual([`${p}/t > ${p}/other`]);
    expect((await lastMoved()).entity_ids).toContain(id);
    const [interval] = await at.rows("SELECT * FROM entity_deletion WHERE entity_id = $1", id);
    expect(interval!.until).not.toBeNull();
  });
});
