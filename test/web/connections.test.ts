import { Buffer } from "node:buffer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { collectorService } from "#services/collector/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { isLongRun } from "#test/support/size.ts";
import { fillConnection } from "#test/support/web/connection-form.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { createStock } from "#test/support/sources/stock.ts";

const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const { journey, site } = useSite("embedded", {
  services: [apiService, ingestConsumerService, collectorService],
  config: { connections: { "secret-key": key } },
});

const shown = new Intl.NumberFormat("en");
const [tables, views] = isLongRun ? [1_000, 100] : [100, 10];
let source: TestDatabase;
beforeAll(async () => {
  source = await testDatabase(2);
  await createStock(source.db, { tables, views, columns: "id int PRIMARY KEY, amount numeric" });
});
afterAll(() => source?.drop());

it("connects a database, tests it, runs it, and shows what came; the second run publishes nothing", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/connections");
    await page.getByText("None yet").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("button", { name: "New connection" }).first().click();
    const form = page.getByRole("dialog", { name: "Connect PostgreSQL" });
    await fillConnection(form, source.url);
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

it("offers to carry over what people wrote on a table that was renamed, and does so with one click", () =>
  journey(async ({ page, go, problems }) => {
    const { db } = site().test;
    await db.query(
      "UPDATE data_entity SET internal_description = 'Counted by hand' WHERE external_name = 'stock_1'",
    );
    await source.db.query("ALTER TABLE shop.stock_1 RENAME COLUMN amount TO pieces");
    await go("/management/connections");
    await page.getByRole("button", { name: "Runs of Stock" }).click();
    const runs = page.getByRole("dialog", { name: "Stock" });
    await runs.getByRole("button", { name: "Run now" }).click();
    await runs.getByText(/2 changed/).waitFor();
    await source.db.query("ALTER TABLE shop.stock_1 RENAME TO stock_first");
    await runs.getByRole("button", { name: "Run now" }).click();
    await runs.getByRole("link", { name: "stock_1 (deleted)" }).waitFor();
    expect(await problems()).toEqual([]);
    await runs.getByRole("link", { name: "stock_first" }).click();
    await page.getByText("with the same 2 columns appeared").waitFor();
    expect(await page.getByText("Counted by hand").count()).toBe(0);
    expect(await problems()).toEqual([]);
    await page.getByRole("button", { name: "Carry over" }).click();
    await page.getByText("Counted by hand").waitFor();
    await page.getByText("with the same 2 columns appeared").waitFor({ state: "detached" });
  }));

it("makes a file a dataset, and says what is wrong with one that is none", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/connections");
    await page.getByRole("button", { name: "Describe a file" }).click();
    const dialog = page.getByRole("dialog", { name: "Describe a file" });
    const choose = async (name: string, text: string) => {
      const file = { name, mimeType: "text/plain", buffer: Buffer.from(text) };
      await dialog.getByLabel("File", { exact: true }).setInputFiles(file);
      await dialog.getByRole("button", { name: "Create dataset" }).click();
    };
    await choose("broken.jsonl", "no json\n");
    await dialog.getByText(/not json/).waitFor();
    await choose("visits.csv", "day,visitors\n2031-01-01,17\n");
    await dialog.getByRole("cell", { name: "visitors" }).waitFor();
    expect(await problems()).toEqual([]);
    await dialog.getByRole("link", { name: "visits.csv" }).click();
    await page.getByRole("heading", { name: "visits.csv" }).waitFor();
  }, { expected: /^400 \/api\/files\/describe$/ }));

it.each([
  ["Airflow", "airflow", { Address: "http://127.0.0.1:1", User: "reader" }],
  ["Iceberg REST catalog", "iceberg", { Address: "http://127.0.0.1:1" }],
  ["Files in folders or S3", "files", {
    Bucket: "lake",
    Endpoint: "http://127.0.0.1:1",
    Paths: "raw/",
  }],
])(
  "the form of %s is filled in, saved, and its test says what is wrong",
  (title, kind, values) =>
    journey(async ({ page, go, problems }) => {
      await go("/management/connections");
      await page.getByRole("button", { name: "New connection" }).first().click();
      await page.getByLabel("Source", { exact: true }).selectOption(kind);
      const form = page.getByRole("dialog", { name: `Connect ${title}` });
      await form.getByLabel("Name", { exact: true }).fill(`Closed ${kind}`);
      for (const [label, value] of Object.entries(values)) {
        await form.getByLabel(label, { exact: true }).fill(value);
      }
      expect(await problems()).toEqual([]);
      await form.getByRole("button", { name: "Create" }).click();
      const runs = page.getByRole("dialog", { name: `Closed ${kind}` });
      await runs.getByRole("button", { name: "Test" }).click();
      await runs.getByText(/refused/).first().waitFor();
      expect(await problems()).toEqual([]);
    }),
);

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
