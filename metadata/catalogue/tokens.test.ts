import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newToken, storedTokenOf } from "#kit/secret.ts";
import { mayIngest, tokenHolder } from "#metadata/catalogue/tokens.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const id = async (sql: string, ...values: unknown[]) =>
  (await t.db.query<{ id: number }>(`${sql} RETURNING id`, values))[0]!.id;

async function mint() {
  const value = newToken();
  const { digest, hint } = storedTokenOf(value);
  return {
    value,
    id: await id("INSERT INTO token (digest, hint) VALUES ($1, $2)", digest, hint),
  };
}
async function collector(name: string) {
  const token = await mint();
  const made = await id("INSERT INTO collector (name, token_id) VALUES ($1, $2)", name, token.id);
  return { id: made, token };
}
async function source(catrn: string, of: { collector?: number; token?: number }) {
  return await id(
    "INSERT INTO data_source (catrn, name, collector_id, token_id) VALUES ($1, $1, $2, $3)",
    catrn,
    of.collector ?? null,
    of.token ?? null,
  );
}

describe("tokenHolder", () => {
  it("tells the collector or data source whose token it is", async () => {
    const nightly = await collector("nightly");
    const own = await mint();
    const shop = await source("//shop", { token: own.id });
    expect(await tokenHolder(t.db, nightly.token.value))
      .toEqual({ kind: "collector", id: nightly.id, name: "nightly" });
    expect(await tokenHolder(t.db, own.value))
      .toEqual({ kind: "data_source", id: shop, name: "//shop" });
  });

  it("knows no token that is nobody's, was replaced, or is close to another", async () => {
    const { value, id } = await mint();
    expect(await tokenHolder(t.db, value)).toBeUndefined();
    const { token } = await collector("changed");
    await t.db.query("UPDATE token SET digest = $2 WHERE id = $1", [
      token.id,
      storedTokenOf(newToken()).digest,
    ]);
    for (const other of [token.value, "", "\0", token.value.toLowerCase(), `${id}`]) {
      expect(await tokenHolder(t.db, other)).toBeUndefined();
    }
  });
});

describe("mayIngest", () => {
  it("goes by the source's own token, else by that of its collector", async () => {
    const [mine, other] = [await collector("mine"), await collector("other")];
    const token = await mint();
    const plain = await source("//of-collector", { collector: mine.id });
    const owning = await source("//of-both", { collector: mine.id, token: token.id });
    await source("//of-nobody", {});
    const may = (kind: "collector" | "data_source", id: number, catrn: string) =>
      mayIngest(t.db, { kind, id }, catrn);
    expect(await may("collector", mine.id, "//of-collector")).toBe(true);
    expect(await may("collector", other.id, "//of-collector")).toBe(false);
    expect(await may("data_source", plain, "//of-collector")).toBe(false);
    expect(await may("data_source", owning, "//of-both")).toBe(true);
    expect(await may("data_source", plain, "//of-both")).toBe(false);
    expect(await may("collector", mine.id, "//of-both")).toBe(false);
    expect(await may("collector", mine.id, "//of-nobody")).toBe(false);
    expect(await may("collector", mine.id, "//not-registered")).toBe(false);
  });
});
