import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cursorOf, placeOf } from "#services/api/features/lineage/past.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { type Answer, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type Past, past } from "./testing/past.ts";

const hour = 3_600_000;
const start = Date.now();
const ago = (hours: number, ms = 0) => new Date(start - hours * hour + ms).toISOString();

let t: TestDatabase;
let write: Past;
let get: (path: string) => Promise<Answer>;
beforeAll(async () => {
  t = await testDatabase();
  write = past(t.db);
  get = testApi(lineageRoutes(testContext(t))).get;
});
afterAll(() => t.drop());

const ask = (from: string, to: string, more = "") =>
  get(`/api/lineage/changes?from=${from}&to=${to}${more}`);
const summaryOf = ({ json }: Answer) =>
  json.items.map((item: Record<string, { name: string }> & { at: string; change: string }) =>
    [item.at, item.change, `${item.source!.name}>${item.target!.name}`].join(" ")
  );

async function named(...names: string[]): Promise<Record<string, number>> {
  const ids = await insertEntities(t.db, names);
  await write.created(Object.values(ids), ago(200));
  return ids;
}

describe("changes of lineage", () => {
  it("are told newest first, after one time and up to the other", async () => {
    const { a, b } = await named("a", "b") as { a: number; b: number };
    await write.ended([a, a, b], ago(100), ago(95));
    await write.declared([a, a, b], ago(90));
    const answer = await ask(ago(101), ago(89));
    expect(summaryOf(answer)).toEqual([
      `${ago(90)} added a>b`,
      `${ago(95)} removed a>b`,
      `${ago(100)} added a>b`,
    ]);
    expect(answer.json.cursor).toBeNull();
    expect(answer.json.items[0]).toMatchObject({ source: { id: a }, target: { id: b } });
    expect(summaryOf(await ask(ago(100), ago(95)))).toEqual([`${ago(95)} removed a>b`]);
    expect(summaryOf(await ask(ago(100, -1), ago(95, -1)))).toEqual([`${ago(100)} added a>b`]);
  });

  it("tell an edge that goes and comes with the deletion of an end, each once", async () => {
    const { c, d } = await named("c", "d") as { c: number; d: number };
    await write.declared([c, c, d], ago(80));
    await write.deleted(c, ago(78), ago(76));
    await write.deleted(d, ago(77), ago(75));
    expect(summaryOf(await ask(ago(81), ago(70)))).toEqual([
      `${ago(75)} added c>d`,
      `${ago(78)} removed c>d`,
      `${ago(80)} added c>d`,
    ]);
  });

  it("tell nothing of intervals of no length, nor of what was hidden all the time", async () => {
    const { e, f } = await named("e", "f") as { e: number; f: number };
    await write.ended([e, e, f], ago(66), ago(66));
    await write.deleted(e, ago(65), ago(60));
    await write.ended([e, e, f], ago(64), ago(62));
    expect(summaryOf(await ask(ago(67), ago(59)))).toEqual([]);
  });

  it("come in pages that lead through all of them, also of one time", async () => {
    const names = Array.from({ length: 7 }, (_, n) => `p${n}`);
    const ids = await named("hub", ...names);
    for (const name of names) await write.declared([ids[name]!, ids.hub!, ids[name]!], ago(50));
    const found: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null && page < 9; page++) {
      const answer = await ask(ago(51), ago(49), `&size=3${cursor && `&cursor=${cursor}`}`);
      found.push(...summaryOf(answer));
      cursor = answer.json.cursor;
    }
    expect(cursor).toBeNull();
    expect(found).toEqual(names.map((name) => `${ago(50)} added hub>${name}`));
  });

  it("are those of a data source alone, when one is named", async () => {
    const { g, h, i } = await named("g", "h", "i") as { g: number; h: number; i: number };
    const [{ id }] = await t.db.query<{ id: number }>(
      `WITH s AS (INSERT INTO data_source (catrn, name) VALUES ('//s', 's') RETURNING id)
       UPDATE data_entity SET data_source_id = s.id FROM s WHERE data_entity.id = $1 RETURNING s.id`,
      [h],
    ) as [{ id: number }];
    await write.declared([g, g, h], ago(40));
    await write.declared([g, g, i], ago(39));
    expect(summaryOf(await ask(ago(41), ago(38), `&data_source_id=${id}`)))
      .toEqual([`${ago(40)} added g>h`]);
  });

  it("name what was purged since", async () => {
    const { j, k } = await named("j", "k") as { j: number; k: number };
    await write.ended([j, j, k], ago(35), ago(33));
    await write.purged(k, ago(32), "//gone/k", "orders");
    const { json } = await ask(ago(36), ago(34));
    expect(json.items[0].target)
      .toEqual({ id: k, catrn: "//gone/k", name: "orders", purged: true });
  });

  it.each([
    ["from=2001-01-01T00:00:00Z", "from"],
    [`from=${ago(1)}&to=${ago(1)}`, "from"],
    [`from=${ago(1)}&to=${ago(-1)}`, "to"],
    [`from=${ago(1)}&cursor=x`, "cursor"],
    [`from=${ago(1)}&size=1001`, "size"],
    ["size=3", "from"],
  ])("with %s are 400 naming %s", async (query, field) => {
    const { status, json } = await get(`/api/lineage/changes?${query}`);
    expect([status, json.details[0].field]).toEqual([400, field]);
  });

  it("go on after a cursor as it was given", () => {
    const place = { at: ago(1), change: "removed", establisher: 1, parent: 2, child: 3 } as const;
    expect(placeOf(cursorOf(place))).toEqual(place);
  });
});
