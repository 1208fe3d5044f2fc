import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureAllNamed, ensureNamed } from "#metadata/catalogue/names.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const ensured = (...names: string[]) => t.db.transaction((tx) => ensureAllNamed(tx, "tag", names));

describe("ensureAllNamed", () => {
  it("finds what is there and makes what is missing, each once", async () => {
    const first = await ensured("a", "b", "a");
    expect([...first.keys()].sort()).toEqual(["a", "b"]);
    const second = await ensured("b", "c");
    expect(second.get("b")).toBe(first.get("b"));
    expect(await ensured()).toEqual(new Map());
  });

  it("two at once, in any order, agree on the ids", async () => {
    const names = Array.from({ length: 50 }, (_, n) => `once ${n}`);
    const [one, other] = await Promise.all([ensured(...names), ensured(...names.toReversed())]);
    expect(new Map([...one].sort())).toEqual(new Map([...other].sort()));
  });

  it("what it returns cannot be deleted until the transaction ends", async () => {
    const steps: string[] = [];
    const id = await t.db.transaction(async (tx) => {
      const id = (await ensureAllNamed(tx, "tag", ["a"])).get("a")!;
      await expect(t.db.query("SELECT FROM tag WHERE id = $1 FOR UPDATE NOWAIT", [id]))
        .rejects.toThrow(/lock/);
      steps.push("held");
      return id;
    });
    await t.db.query("SELECT FROM tag WHERE id = $1 FOR UPDATE NOWAIT", [id]);
    expect(steps).toEqual(["held"]);
  });
});

it("ensureNamed: null for no name", async () => {
  const ids = await t.db.transaction(async (tx) => [
    await ensureNamed(tx, "owner", null),
    await ensureNamed(tx, "owner", "ann"),
    await ensureNamed(tx, "owner", "ann"),
  ]);
  expect(ids).toEqual([null, ids[1], ids[1]]);
  expect(ids[1]).toBeGreaterThan(0);
});

/** Spellings of one name: case, composed and decomposed letters, letters whose capitals are two. */
const spellings = ["Größe", "GRÖSSE", "größe".normalize("NFD"), "Gro\u0308sse"];

describe.each(["namespace", "owner", "tag", "title"] as const)("spellings of a %s", (kind) => {
  const ids = (...names: string[]) =>
    t.db.transaction(async (tx) => {
      const found = await ensureAllNamed(tx, kind, names);
      return names.map((name) => found.get(name));
    });
  const stored = async (name: string) =>
    (await t.db.query<{ name: string }>(`SELECT name FROM ${kind} WHERE folded = name_key($1)`, [
      name,
    ])).map((row) => row.name);

  it("are one name, which keeps its first spelling", async () => {
    const [first] = await ids("Größe");
    expect(await ids(...spellings)).toEqual(spellings.map(() => first));
    expect(await stored("größe")).toEqual(["Größe"]);
    expect(await ids("Grösse 2")).not.toEqual([first]);
  });

  it("given at once make one row", async () => {
    const all = ["Once", "ONCE", "once", "oncE", "ONce", "onCE"];
    const made = await Promise.all(all.map((name) => ids(name, `${name} more`)));
    expect(new Set(made.map(String)).size).toBe(1);
    expect(await stored("once")).toHaveLength(1);
  });

  it("that were rows before stay, and each means its own row", async () => {
    await t.db.query(`INSERT INTO ${kind} (name) VALUES ('Earlier'), ('earlier'), ('EARLIER')`);
    const [upper, lower, third] = await ids("Earlier", "earlier", "EARLIER");
    expect(new Set([upper, lower, third]).size).toBe(3);
    expect(await ids("eArLiEr")).toEqual([upper]);
  });
});

it("a name is renamed to another spelling of itself, and to no spelling of another", async () => {
  await ensured("Left", "Right");
  const rename = (to: string) => t.db.query("UPDATE tag SET name = $1 WHERE folded = 'left'", [to]);
  await rename("LEFT");
  await expect(rename("right")).rejects.toMatchObject({ code: "23505" });
});
