import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { collectorService } from "#services/collector/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { isLongRun } from "#test/support/size.ts";
import { useSite } from "#test/support/web/journeys.ts";

const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const { journey } = useSite("embedded", {
  services: [apiService, ingestConsumerService, collectorService],
  config: { connections: { "secret-key": key } },
});

const shown = new Intl.NumberFormat("en");
const [tables, views] = isLongRun ? [1_000, 100] : [100, 10];
let source: TestDatabase;
beforeAll(async () => {
  source = await testDatabase(2);
  await source.db.query("CREATE SCHEMA shop");
  for (let from = 1; from <= tables; from += 50) {
    await source.db.query(
      `DO $$ BEGIN FOR i IN ${from}..${from + 49} LOOP
         EXECUTE format('CREATE TABLE shop.stock_%s (id int PRIMARY KEY, amount numeric)', i);
         IF i <= ${views} THEN
           EXECUTE format('CREATE VIEW shop.total_%s AS SELECT sum(amount) AS total FROM shop.stock_%s', i, i);
         END IF; END LOOP; END $$`,
    );
  }
});
afterAll(() => source?.drop());

it("connects a database, tests it, runs it, and shows what came; the second run publishes nothing", () =>
  journey(async ({ page, go, problems }) => {
    const { hostname, port, username, password, pathname } = new URL(source.url);
    await go("/management/connections");
    await page.getByText("None yet").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("button", { name: "New connection" }).first().click();
    const form = page.getByRole("dialog", { name: "Connect PostgreSQL" });
    for (
      const [label, value] of [
        ["Name", "Stock"],
        ["Host", hostname],
        ["Port", port],
        ["Database", pathname.slice(1)],
        ["User", decodeURIComponent(username)],
        ["Password", decodeURIComponent(password)],
        ["Include", "shop.*"],
      ] as const
    ) await form.getByLabel(label, { exact: true }).fill(value);
    expect(await problems()).toEqual([]);
    await form.getByRole("button", { name: "Create" }).click();
    const runs = page.getByRole("dialog", { name: "Stock" });
    await runs.getByRole("button", { name: "Test" }).click();
    await runs.getByText(/PostgreSQL \d+/).waitFor();
    await runs.getByRole("button", { name: "Run now" }).click();
    await runs.getByText(`${shown.format(tables + views)} added`).waitFor();
    expect(await problems()).toEqual([]);
    await runs.getByRole("button", { name: "Run now" }).click();
    await runs.getByRole("table", { name: "Earlier runs" }).getByRole("row").nth(2).waitFor();
    await runs.getByText(/Run: [\d,.]+ assets$/).waitFor();
  }));

it("shows why a source cannot be read, and how to fix it", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/connections");
    await page.getByRole("button", { name: "New connection" }).first().click();
    const form = page.getByRole("dialog", { name: "Connect PostgreSQL" });
    await form.getByLabel("Source", { exact: true }).selectOption("dbt");
    const other = page.getByRole("dialog", { name: "Connect dbt" });
    await other.getByLabel("Warehouse", { exact: true }).waitFor();
    expect(await problems()).toEqual([]);
    await other.getByLabel("Source", { exact: true }).selectOption("postgresql");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByRole("alert").first().waitFor();
    expect(await problems()).toEqual([]);
    await form.getByLabel("Name", { exact: true }).fill("Closed");
    await form.getByLabel("Host", { exact: true }).fill("127.0.0.1");
    await form.getByLabel("Port", { exact: true }).fill("1");
    await form.getByLabel("Database", { exact: true }).fill("none");
    await form.getByLabel("User", { exact: true }).fill("nobody");
    await form.getByRole("button", { name: "Create" }).click();
    const runs = page.getByRole("dialog", { name: "Closed" });
    await runs.getByRole("button", { name: "Test" }).click();
    await runs.getByText(/the connection is refused/).waitFor();
    expect(await problems()).toEqual([]);
  }, { expected: /^400 \/api\/connections$/ }));
