import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { groupRoutes } from "#services/api/features/groups/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { purgeDeleted, sweepHollow } from "#services/housekeeping/purge.ts";
import {
  type Harness,
  harness,
  type Item,
  job,
  table,
} from "#services/ingest-consumer/testing/harness.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

let at: Harness;
let context: Context;
let api: TestApi;
beforeAll(async () => {
  at = await harness();
  context = testContext(at);
  api = testApi([...statusRoutes(context), ...groupRoutes(context)], context);
});
afterAll(async () => {
  await context.wakeups.close();
  await at.drop();
});

const setStatus = async (id: number, status: string) => {
  const answer = await api.put(`/api/dataentities/${id}/statuses`, { status: { status } });
  return answer.status;
};
const idOf = async (catrn: string) => (await at.entity(catrn)).id;
const far = new Date("2100-01-01T00:00:00.000Z");

/** Edges whose `live` is not what their ends say, and edges whose end does not exist. */
function wrongEdges() {
  return at.rows(
    `SELECT l.* FROM lineage_edge l
       LEFT JOIN data_entity p ON p.id = l.parent_id LEFT JOIN data_entity c ON c.id = l.child_id
      WHERE p.id IS NULL OR c.id IS NULL OR l.live <> (p.status <> 5 AND c.status <> 5)`,
  );
}

/** Column edges whose `live` is not what both datasets and the establisher say, or that lack one of them. */
function wrongColumnEdges() {
  return at.rows(
    `SELECT l.* FROM column_edge l
       LEFT JOIN data_entity x ON x.id = l.establisher_id
       LEFT JOIN data_entity s ON s.id = l.source_dataset
       LEFT JOIN data_entity t ON t.id = l.target_dataset
       LEFT JOIN dataset_column c ON c.id = l.source_id
      WHERE x.id IS NULL OR s.id IS NULL OR t.id IS NULL OR c.id IS NULL
         OR l.live <> (x.status <> 5 AND s.status <> 5 AND t.status <> 5)`,
  );
}

/** A job that makes a column of each output from one of each input. */
function columnJob(catrn: string, inputs: string[], outputs: string[]): Item {
  const sources = inputs.map((input) => ({ dataset_catrn: input, field: "a" }));
  const column_lineage = outputs.map((output) => ({
    target: { dataset_catrn: output, field: "a" },
    sources,
  }));
  return { ...job(catrn, inputs, outputs), data_transformer: { inputs, outputs, column_lineage } };
}

/** Entities whose intervals of deletion are not what their status says. */
function wrongIntervals() {
  return at.rows(
    `SELECT e.id FROM data_entity e
      WHERE (e.status = 5) <> EXISTS (
        SELECT FROM entity_deletion d WHERE d.entity_id = e.id AND d.until IS NULL)
         OR EXISTS (SELECT FROM entity_deletion d WHERE d.entity_id = e.id AND d.until < d.since)
         OR 1 < (SELECT count(*) FROM entity_deletion d WHERE d.entity_id = e.id AND d.until IS NULL)`,
  );
}

describe("deleting while ingesting", () => {
  it("leaves every edge true to both of its ends, and every interval to its entity", async () => {
    const names = Array.from({ length: 6 }, (_, n) => `//once/t${n}`);
    await at.post(names.map((name) => table(name)));
    const ids = await Promise.all(names.map(idOf));
    for (let round = 0; round < 8; round++) {
      const inputs = names.filter((_, n) => (n + round) % 3 !== 0);
      const outputs = names.filter((_, n) => (n + round) % 3 === 0);
      const work = [
        at.post([columnJob("//once/j", inputs, outputs)]),
        at.post([columnJob("//once/k", outputs, inputs)]),
        ...ids.slice(0, 3).map((id) => setStatus(id, round % 2 === 0 ? "DELETED" : "STABLE")),
        at.post([table(names[(round + 4) % 6]!, { description: `round ${round}` })]),
        setStatus(ids[(round + 4) % 6]!, "DELETED"),
      ];
      expect(await Promise.all(work)).toEqual(
        ["applied", "applied", 200, 200, 200, "applied", 200],
      );
      expect(await wrongEdges()).toEqual([]);
      expect(await wrongColumnEdges()).toEqual([]);
      expect(await wrongIntervals()).toEqual([]);
    }
  });

  it("waits for the rows it deletes: an edge declared meanwhile is hidden too", async () => {
    await at.post([table("//wait/a"), table("//wait/b")]);
    const a = await idOf("//wait/a");
    const answers = await Promise.all([
      setStatus(a, "DELETED"),
      ...Array.from({ length: 5 }, (_, n) => at.post([job(`//wait/j${n}`, ["//wait/a"], [])])),
    ]);
    expect(answers).toEqual([200, ...Array(5).fill("applied")]);
    expect(await at.rows("SELECT 1 FROM lineage_edge WHERE parent_id = $1 AND live", a)).toEqual(
      [],
    );
    expect(await setStatus(a, "UNASSIGNED")).toBe(200);
    expect(await at.rows("SELECT 1 FROM lineage_edge WHERE parent_id = $1 AND live", a))
      .toHaveLength(5);
  });
});

describe("purging while ingesting", () => {
  it("neither loses what is posted nor leaves an edge without its end", async () => {
    for (let round = 0; round < 6; round++) {
      const names = ["a", "b", "c"].map((name) => `//purge/${round}/${name}`);
      await at.post([table(names[0]!), table(names[1]!), job(names[2]!, [names[0]!], [])]);
      for (const name of names) await setStatus(await idOf(name), "DELETED");
      const outcomes = await Promise.all([
        purgeDeleted(at.db, far, 10),
        at.post([columnJob(`//purge/${round}/new`, [names[0]!], [names[1]!, "//purge/hollow"])]),
        sweepHollow(at.db, far, 0, 100),
        at.post([table(names[1]!, { description: "again" })]),
      ]);
      expect([outcomes[1], outcomes[3]]).toEqual(["applied", "applied"]);
      expect(await wrongEdges()).toEqual([]);
      expect(await wrongColumnEdges()).toEqual([]);
      expect(await wrongIntervals()).toEqual([]);
      expect(await at.entity(names[1]!)).toMatchObject({
        hollow: false,
        external_description: "again",
      });
      const edges = await at.rows(
        "SELECT 1 FROM lineage_edge WHERE establisher_id = $1",
        await idOf(`//purge/${round}/new`),
      );
      expect(edges).toHaveLength(3);
    }
  });
});

describe("groups while ingesting", () => {
  it("lets a member be added, deleted and posted at once", async () => {
    await at.post([table("//grouped/a")]);
    const a = await idOf("//grouped/a");
    const made = await api.post("/api/dataentitygroups", {
      name: "by hand",
      type: { name: "DOMAIN" },
      entities: [],
    });
    const answers = await Promise.all([
      api.post(`/api/dataentities/${a}/data_entity_group`, { data_entity_group_id: made.json.id }),
      api.put(`/api/dataentities/${made.json.id}/statuses`, {
        status: { status: "DELETED" },
        propagate: true,
      }),
      at.post([table("//grouped/a", { description: "x" })]),
    ]);
    expect(answers.map((answer) => typeof answer === "string" ? answer : answer.status))
      .toEqual([200, 200, "applied"]);
    expect(await wrongIntervals()).toEqual([]);
    expect(await at.rows("SELECT member_id FROM group_member WHERE group_id = $1", made.json.id))
      .toEqual([{ member_id: a }]);
  });
});
