import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PolicyHarness, policyHarness } from "./testing/harness.ts";

let t: PolicyHarness;
let namespace: number;
let owner: number;

beforeAll(async () => {
  t = await policyHarness(["quiet", "loud", "owned", "sourced"], {});
  const id = async (text: string, values: unknown[] = []) =>
    (await t.db.query<{ id: number }>(`${text} RETURNING id`, values))[0]!.id;
  namespace = await id("INSERT INTO namespace (name) VALUES ('n')");
  owner = await id("INSERT INTO owner (name) VALUES ('ann')");
  await t.db.query("INSERT INTO ownership (entity_id, owner_id) VALUES ($1, $2)", [
    t.ids.owned,
    owner,
  ]);
  const source = await id(
    "INSERT INTO data_source (catrn, name, namespace_id) VALUES ('//s', 's', $1)",
    [namespace],
  );
  await t.db.query("UPDATE data_entity SET data_source_id = $1 WHERE id = $2", [
    source,
    t.ids.sourced,
  ]);
});
beforeEach(() => t.db.query("DELETE FROM silence"));
afterAll(() => t.drop());

async function silence(conditions: Record<string, unknown>, until = "2099-01-01Z") {
  const given = { until, created_by: "ann", comment: "moving house", ...conditions };
  await t.db.query(
    `INSERT INTO silence (entity_id, namespace_id, owner_id, alert_type, until, created_by, comment)
     SELECT entity_id, namespace_id, owner_id, alert_type, until, created_by, comment
       FROM json_populate_record(NULL::silence, $1)`,
    [JSON.stringify(given)],
  );
}

async function stateOn(entity: string, given = {}): Promise<string> {
  await t.db.query("UPDATE alert SET status = 2");
  return await t.said(await t.opened(entity, given));
}

describe("Policies with silences", () => {
  it("suppresses what meets one, and says which, by whom, until when and why", async () => {
    await silence({ entity_id: t.ids.quiet });
    const why = /^suppressed: silence \d+ by ann until 2099-01-01T00:00:00\.000Z: moving house$/;
    expect(await stateOn("quiet")).toMatch(why);
    expect(await stateOn("loud")).toBe("pending");
  });

  it.each([
    ["namespace", "sourced", () => ({ namespace_id: namespace })],
    ["owner", "owned", () => ({ owner_id: owner })],
  ])("knows an entity by its %s", async (_, entity, conditions) => {
    await silence(conditions());
    expect(await stateOn(entity)).toMatch(/^suppressed/);
    expect(await stateOn("loud")).toBe("pending");
  });

  it("wants all its conditions to hold", async () => {
    await silence({ entity_id: t.ids.quiet, alert_type: 2 });
    expect(await stateOn("quiet")).toBe("pending");
    expect(await stateOn("quiet", { alert_type: "FAILED_DQ_TEST" })).toMatch(/^suppressed/);
    await silence({ entity_id: t.ids.owned, namespace_id: namespace });
    expect(await stateOn("owned")).toBe("pending");
  });

  it("of an owner holds for what a source tells it owns, as for what people gave it", async () => {
    await t.db.query("UPDATE ownership SET external = true WHERE entity_id = $1", [t.ids.owned]);
    await silence({ owner_id: owner });
    expect(await stateOn("owned")).toMatch(/^suppressed/);
  });

  it("is over at its time", async () => {
    await silence({ entity_id: t.ids.quiet }, "2001-01-01Z");
    expect(await stateOn("quiet")).toBe("pending");
  });
});
