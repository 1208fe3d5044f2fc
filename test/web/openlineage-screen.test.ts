import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { useSite } from "#test/support/web/journeys.ts";

const { site, journey } = useSite("embedded", {
  services: [apiService, ingestConsumerService, openLineageService],
});

const runId = "0197a3c0-0000-7000-8000-000000000001";
const event = (more: Record<string, unknown>) => ({
  eventType: "COMPLETE",
  eventTime: new Date().toISOString(),
  run: { runId, facets: { processing_engine: { name: "spark", version: "3.5" } } },
  job: { namespace: "airflow", name: "shop.load" },
  outputs: [{
    namespace: "postgres://db.example:5432",
    name: "shop.public.totals",
    facets: { version: { datasetVersion: "3a2f" } },
    outputFacets: { outputStatistics: { rowCount: 12 } },
  }],
  ...more,
});

/** What became of events: one was taken, of one a part was left out, one was refused, and a name is ambiguous. */
beforeAll(async () => {
  const { send, json, test } = site();
  const post = async (body: unknown) => (await send("POST", "/api/v1/lineage", body)).status;
  expect(await post(event({ inputs: [{ name: "no namespace" }] }))).toBe(200);
  expect(await post(event({ run: {} }))).toBe(400);
  await test.db.query(
    `INSERT INTO openlineage_complaint (id, namespace, name, kind, reason, count, first_at, last_at)
     VALUES (gen_random_uuid(), 'postgres://db.example:5432', 'public.totals', 'ambiguous',
             'several catalogued datasets may be meant; none of them was taken', 3, now(), now())`,
  );
  await eventually(async () => {
    const warnings = await json("/api/openlineage/complaints") as { items: unknown[] };
    expect(warnings.items).toHaveLength(3);
    const runs = await json(`/api/openlineage/runs?run_id=${runId}`);
    expect(runs).toMatchObject({
      items: [{ state: "SUCCESS", job_entity_id: expect.any(Number) }],
    });
  });
});

const rows = (page: Page) => page.getByRole("table", { name: "Rejected events" }).getByRole("row");

it("intake warnings are told in plain words, of one namespace too, and lead to what a name means", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/sources");
    await page.getByRole("link", { name: "OpenLineage", exact: true }).click();
    await rows(page).filter({ hasText: "A required field is missing." })
      .getByText("run.runId: missing").waitFor();
    expect(await rows(page).count()).toBe(4);
    expect(await problems()).toEqual([]);
    await page.getByRole("combobox", { name: "Namespace" }).selectOption("airflow");
    await page.waitForURL(/of=airflow/);
    await rows(page).filter({ hasText: "3 times" }).waitFor({ state: "detached" });
    await rows(page).getByText("inputs[].namespace: is missing").waitFor();
    await page.goBack();
    await rows(page).filter({ hasText: "3 times" })
      .getByRole("link", { name: "Resolve this name" }).click();
    await page.getByRole("region", { name: "Result" })
      .getByText(/^Incomplete\. The name lacks its database/).waitFor();
  }));

it("where nothing was left out, it says so", () =>
  journey(async ({ page, go }) => {
    await go("/management/openlineage?of=elsewhere");
    await page.getByText("No event of this namespace was refused").waitFor();
    await page.route("**/api/openlineage/complaints?*", (route) =>
      route.fulfill({ json: { items: [] } }));
    await go("/management/openlineage");
    await page.getByText("Refused events and dropped parts appear here").waitFor();
  }));

it("a name is explained, by the keyboard alone; one that no rule knows too", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/openlineage?view=name");
    await page.getByText("Resolve the dataset name of an event").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByLabel("Namespace").fill("postgres://db.example:5432");
    await page.keyboard.press("Tab");
    await page.keyboard.type("shop.public.totals");
    await page.keyboard.press("Enter");
    await page.waitForURL(/name=shop\.public\.totals/);
    const answer = page.getByRole("region", { name: "Result" });
    await answer.getByRole("link", { name: "totals" }).waitFor();
    await answer.getByText("No collector reports it.").waitFor();
    await answer.getByText("postgresql", { exact: true }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByLabel("Namespace").fill("of our own");
    await page.getByRole("button", { name: "Explain", exact: true }).click();
    await answer.getByText("No rule knows the namespace").waitFor();
    await answer.getByText("Not catalogued yet").waitFor();
  }));

it("a run is found by the id of its events, and leads to its job; another is not there", () =>
  journey(async ({ page, go, problems }) => {
    await go("/management/openlineage?view=run");
    await page.getByLabel("Id of the run").fill("none-of-ours");
    await page.keyboard.press("Enter");
    await page.getByText("No event reported this run").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByLabel("Id of the run").fill(runId.toUpperCase());
    await page.getByRole("button", { name: "Find", exact: true }).click();
    const row = page.getByRole("row", { name: /Success/ });
    await row.getByText("//openlineage/namespaces/airflow/jobs/shop.load").waitFor();
    const datasets = page.getByRole("table", { name: "Datasets of this run" });
    await datasets.getByRole("row", { name: /^Writes .*shop\.public\.totals .* 3a2f 12$/ })
      .waitFor();
    expect(await problems()).toEqual([]);
    await row.getByRole("link", { name: "shop.load" }).click();
    await page.waitForURL(/\/dataentities\/\d+\/history/);
    await page.getByRole("table").getByText("Success").waitFor();
    await page.getByText("4 details").click();
    await page.getByText("spark", { exact: true }).waitFor();
    expect(await problems()).toEqual([]);
  }));

it("what cannot be read says so, and is tried again", () =>
  journey(async ({ page, go }) => {
    const refused = { code: "SRV001", message: "the database rests", details: [] };
    let down = true;
    await page.route("**/api/openlineage/runs?*", (route) =>
      down ? route.fulfill({ status: 400, json: refused }) : route.continue());
    await go(`/management/openlineage?view=run&run=${runId}`);
    await page.getByText("the database rests").waitFor();
    down = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row", { name: /Success/ }).waitFor();
  }, { expected: /^400 \/api\/openlineage\/runs/ }));
