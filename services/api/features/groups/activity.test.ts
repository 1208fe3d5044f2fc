import { describe, expect, it } from "vitest";
import { Activity } from "#contract/catalogue/activity.ts";
import { activityRoutes } from "#services/api/features/activity/routes.ts";
import { groupRoutes } from "#services/api/features/groups/routes.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api, database: t } = featureUnderTest((context) => [
  ...groupRoutes(context),
  ...activityRoutes(context),
]);

/** Maximum number of members that a state lists. */
const named = 1_000;

/** A manually created group with `count` members; their ids in order. */
async function groupOf(count: number, more = 0) {
  const names = Array.from({ length: count + more }, (_, n) => `m${n}`);
  const { g, ...rest } = await insertEntities(t.db, [group("g"), ...names]);
  const ids = Object.values(rest).sort((a, b) => a - b);
  await insertMembers(t.db, ids.slice(0, count).map((id) => [g!, id]));
  return { g: g!, members: ids.slice(0, count), others: ids.slice(count) };
}

/** The single event of a group, as the activity feed returns it. */
async function changeOf(g: number) {
  const day = 86_400_000;
  const [begin, end] = [-day, day].map((ms) => new Date(Date.now() + ms).toISOString());
  const path = `/api/dataentities/${g}/activity?begin_date=${begin}&end_date=${end}&size=10`;
  const { status, json, text } = await api.get(path);
  expect(status, text).toBe(200);
  const [event, ...more] = json.map((one: unknown) => Activity.parse(one));
  expect(more).toEqual([]);
  const ids = (state: Activity["old_state"]) => state.custom_group!.entities!.map((e) => e.id!);
  const [before, after] = [ids(event.old_state), ids(event.new_state)];
  return {
    added: after.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !after.includes(id)),
    shown: [before.length, after.length],
    totals: [event.old_state, event.new_state].map((state) => state.custom_group.entities_total),
  };
}

const put = (g: number, ids: number[]) =>
  api.put(`/api/dataentitygroups/${g}`, {
    name: "g",
    type: { name: "DOMAIN" },
    entities: ids.map((id) => ({ id })),
  });

describe("activity of a group with more members than a state names", () => {
  it("records members that were added, by the member operation and by the form", async () => {
    const { g, others } = await groupOf(1_500, 1);
    const path = `/api/dataentities/${others[0]}/data_entity_group`;
    expect((await api.post(path, { data_entity_group_id: g })).status).toBe(200);
    expect(await changeOf(g)).toEqual({
      added: others,
      removed: [],
      shown: [named - 1, named],
      totals: [1_500, 1_501],
    });
  });

  it("records members that were removed", async () => {
    const { g, members } = await groupOf(1_500);
    const last = members.at(-1)!;
    const gone = await api.delete(`/api/dataentities/${last}/data_entity_group/${g}`);
    expect(gone.status).toBe(204);
    expect(await changeOf(g)).toEqual({
      added: [],
      removed: [last],
      shown: [named, named - 1],
      totals: [1_500, 1_499],
    });
  });

  it("records members added and removed in one change, and names the same others in both states", async () => {
    const { g, members, others } = await groupOf(1_500, 3);
    const [retained, removed] = [members.slice(0, 1_498), members.slice(1_498)];
    expect((await put(g, [...retained, ...others])).status).toBe(200);
    expect(await changeOf(g)).toEqual({
      added: others,
      removed,
      shown: [named - 1, named],
      totals: [1_500, 1_501],
    });
  });

  it("names as many as a state holds when more than that moved", async () => {
    const { g, others } = await groupOf(1, 1_200);
    expect((await put(g, others)).status).toBe(200);
    const change = await changeOf(g);
    expect([change.added, change.totals]).toEqual([others.slice(0, named), [1, 1_200]]);
    expect(change.removed).toHaveLength(1);
  });
});

describe("activity of a group whose members a state can name", () => {
  it("names them all, those that are deleted or stay by another way as well", async () => {
    const { g, members } = await groupOf(4);
    const [first, second, third, fourth] = members as [number, number, number, number];
    await t.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [first]);
    await insertMembers(t.db, [[g, second]], "PARENT");
    expect((await put(g, [third])).status).toBe(200);
    expect(await changeOf(g)).toEqual({
      added: [],
      removed: [fourth],
      shown: [4, 3],
      totals: [4, 3],
    });
  });
});
