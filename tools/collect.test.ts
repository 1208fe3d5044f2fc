import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { Config } from "#platform/config/schema.ts";
import { shop } from "#services/collector/testing/source.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { collect, type CollectCommand, parseCollect } from "./collect.ts";

let source: TestDatabase;
beforeAll(async () => {
  source = await testDatabase(2);
  await source.db.query(shop);
});
afterAll(() => source.drop());

async function run(published: NewRecord[] | null): Promise<{ code: number; text: string }> {
  let text = "";
  const output = { isTTY: false, write: (more: string) => void (text += more) };
  const args = ["postgresql", "--url", source.url, "--include", "shop.*"];
  const command = parseCollect(args) as CollectCommand;
  const publish = (_: string, records: NewRecord[]) => {
    published?.push(...records);
    return Promise.resolve();
  };
  const events = { publish } as never;
  const context = published &&
    { db: source.db, events, clock: systemClock, config: Config.parse({}) };
  const code = await collect(context, { ...command, isDryRun: !published }, output);
  return { code, text };
}

describe("npm run collect", () => {
  it("tells what it would publish", async () => {
    const { code, text } = await run(null);
    expect(code).toBe(0);
    expect(text).toContain("8 assets would be published, 0 skipped");
    expect(text).toContain("/schemas/shop/views/revenue");
  });

  it("publishes a batch of the data source", async () => {
    const published: NewRecord[] = [];
    expect((await run(published)).code).toBe(0);
    expect(published).toHaveLength(1);
    expect(published[0]!.key).toMatch(/^\/\/postgresql\/host\//);
  });

  it("takes settings by name, and secrets from the environment", () => {
    const set = ["project=shop", "location=/srv/target", "warehouse=bigquery"];
    const args = ["dbt", ...set.flatMap((one) => ["--set", one]), "--exclude", "a.*,b.*"];
    expect(parseCollect(args, (name) => `${name} of the environment`)).toEqual({
      connector: "dbt",
      settings: {
        project: "shop",
        location: "/srv/target",
        warehouse: "bigquery",
        token: "token of the environment",
        include: [],
        exclude: ["a.*", "b.*"],
      },
      isDryRun: false,
    });
  });

  it("takes a server of MySQL by its URL, and a password from the environment", () => {
    const command = parseCollect(["mysql", "--url", "mysql://reader@db:3307"], () => "s3cret");
    expect(command?.settings).toMatchObject({ host: "db", port: 3307, password: "s3cret" });
  });

  it.each([
    [[]],
    [["dbt", "--set", "project=shop"]],
    [["postgresql"]],
    [["oracle", "--url", "postgres://u@h/d"]],
    [["postgresql", "--url", "nothing"]],
    [["postgresql", "--url", "postgres://u@h/d", "--wrong"]],
    [["postgresql", "more", "--url", "postgres://u@h/d"]],
    [["postgresql", "--url", "postgres://u@h/"]],
  ])("%j is wrong use", (args) => {
    expect(parseCollect(args)).toBeNull();
  });
});
