import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxOwners } from "#contract/ingestion/limits.ts";
import { ownersShown } from "#test/support/seed/owners.ts";
import { seedOwnership } from "#test/support/seed/seed.ts";
import { type Harness, harness, httpRecord, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

let now = Date.now();
type Owner = string | { name: string; title?: string };
const itemOf = (catrn: string, ...owners: Owner[]) =>
  table(catrn, { owners: owners.map((o) => typeof o === "string" ? { name: o } : o) });
const post = (...items: Parameters<Harness["post"]>[0]) => at.post(items, { receivedAt: ++now });

const ownersOf = (catrn: string) => ownersShown(at.db, catrn);
const found = async (word: string) =>
  (await at.rows<{ catrn: string }>(
    `SELECT e.catrn FROM search_document d JOIN data_entity e ON e.id = d.entity_id
      WHERE d.vector @@ search_query($1) ORDER BY 1`,
    word,
  )).map(({ catrn }) => catrn);
const give = async (catrn: string, owner: string, title?: string) =>
  await seedOwnership(at.db, (await at.entity(catrn)).id, owner, title);

describe("writeOwners", () => {
  it("makes owners and titles, replaces what the sender told, leaves it, and takes it away", async () => {
    await post(
      itemOf("//o/a", { name: "Ann", title: "Cook" }, "Bob", { name: "Ann", title: "Chef" }),
    );
    expect(await ownersOf("//o/a")).toEqual(["Ann (Cook)*", "Bob*"]);
    expect([await found("ann"), await found("cook"), await found("chef")])
      .toEqual([["//o/a"], ["//o/a"], []]);
    await post(itemOf("//o/a", "Cid", { name: "Ann", title: " " }));
    expect(await ownersOf("//o/a")).toEqual(["Ann*", "Cid*"]);
    expect([await found("bob"), await found("cid"), await found("cook")])
      .toEqual([[], ["//o/a"], []]);
    await post(table("//o/a", { description: "changed" }));
    expect(await ownersOf("//o/a")).toEqual(["Ann*", "Cid*"]);
    await post(itemOf("//o/a"));
    expect([await ownersOf("//o/a"), await found("cid")]).toEqual([[], []]);
  });

  it("leaves what people gave as it is, whatever is told", async () => {
    await post(table("//o/p"));
    await give("//o/p", "Pia", "Boss");
    await post(itemOf("//o/p", { name: "Pia", title: "Intern" }, "Quin"));
    expect(await ownersOf("//o/p")).toEqual(["Pia (Boss)", "Quin*"]);
    await post(itemOf("//o/p"));
    expect(await ownersOf("//o/p")).toEqual(["Pia (Boss)"]);
  });

  it("leaves out what is beyond 100 owners, those of people counted, in the order of the list", async () => {
    await post(table("//o/c"));
    await give("//o/c", "given 1");
    await give("//o/c", "given 2");
    const crowd = Array.from({ length: maxOwners }, (_, n) => `crowd ${n}`);
    crowd[3] = "given 1";
    expect(await post(itemOf("//o/c", ...crowd))).toBe("applied");
    const retained = crowd.filter((name) => name !== "given 1").slice(0, maxOwners - 2);
    expect(await ownersOf("//o/c")).toEqual([
      "given 1",
      "given 2",
      ...retained.map((o) => `${o}*`),
    ]);
    await post(itemOf("//o/c", ...crowd.toReversed()));
    const others = crowd.toReversed().filter((name) => name !== "given 1").slice(0, maxOwners - 2);
    expect((await ownersOf("//o/c")).toSorted())
      .toEqual(["given 1", "given 2", ...others.map((o) => `${o}*`)].toSorted());
  });

  it("writes nothing again when redelivered, posted again, or older than what is held", async () => {
    const record = httpRecord([itemOf("//o/r", "Rae")], { receivedAt: ++now });
    await at.pipeline.process(record);
    const ids = () =>
      at.rows(
        "SELECT o.id, o.xmin::text FROM ownership o JOIN owner w ON w.id = o.owner_id WHERE w.name = 'Rae'",
      );
    const before = await ids();
    await at.pipeline.process(record);
    await post(itemOf("//o/r", "Rae"));
    await at.post([itemOf("//o/r", "Old")], { receivedAt: now - 60_000 });
    expect([before.length, await ids()]).toEqual([1, before]);
    expect(await at.rows("SELECT FROM owner WHERE name = 'Old'")).toEqual([]);
  });

  it("records no activity but that of the entity", async () => {
    await post(itemOf("//o/v", "Vic"));
    await post(itemOf("//o/v", "Val"));
    const { id } = await at.entity("//o/v");
    expect(await at.rows("SELECT event_type AS type FROM activity WHERE entity_id = $1", id))
      .toEqual([{ type: "DATA_ENTITY_CREATED" }]);
  });

  it("stays with an entity that is deleted, comes back, or goes to another source", async () => {
    await post(itemOf("//o/s", "Sue"));
    await at.rows("UPDATE data_entity SET status = 5 WHERE catrn = '//o/s'");
    await post(table("//o/s", { description: "again" }));
    await at.post([table("//o/s")], { source: "//other", receivedAt: ++now });
    expect(await ownersOf("//o/s")).toEqual(["Sue*"]);
  });

  it("batches at once that name the same new owners in other orders all apply", async () => {
    const names = Array.from(
      { length: 30 },
      (_, n) => ({ name: `race ${n}`, title: `as ${n % 7}` }),
    );
    const lists = Array.from(
      { length: 8 },
      (_, n) => [...names.slice(n * 3), ...names.slice(0, n * 3)],
    );
    const outcomes = await Promise.all(lists.flatMap((list, n) => [
      at.pipeline.process(httpRecord([itemOf(`//o/race/${n}`, ...list)])),
      at.pipeline.process(httpRecord([itemOf("//o/race/all", ...list.toReversed())])),
    ]));
    expect([new Set(outcomes), at.deadLetters]).toEqual([new Set(["applied"]), []]);
    for (const n of [0, 7, "all"]) expect(await ownersOf(`//o/race/${n}`)).toHaveLength(30);
  });

  it("an owner that is deleted between is made again", async () => {
    let tries = 0;
    const pipeline = at.pipelineOver(async (work) => {
      if (tries === 0) await at.rows("DELETE FROM owner WHERE name = 'Gone'");
      tries++;
      return await at.db.transaction(work);
    });
    expect(await pipeline.process(httpRecord([itemOf("//o/g", "Gone")]))).toBe("applied");
    expect([tries, await ownersOf("//o/g")]).toEqual([2, ["Gone*"]]);
  });
});
