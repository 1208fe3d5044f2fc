import { expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
const source = "//postgresql/host/gaps.example/databases/g";
const table = (name: string, ...columns: string[]) => ({
  catrn: `${source}/schemas/public/tables/${name}`,
  name,
  type: "TABLE",
  dataset: {
    field_list: columns.map((column) => ({
      catrn: `${source}/schemas/public/tables/${name}/columns/${column}`,
      name: column,
      type: { type: "TYPE_STRING", is_nullable: true },
    })),
  },
});

/** A job whose SQL fills three columns, one of which comes from a column that no table has; the ids of both. */
async function ingest(): Promise<{ job: number; mart: number }> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(new URL(path, site().url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  };
  const [raw, mart] = [table("gap_raw", "id", "total"), table("gap_mart", "id", "total", "region")];
  const job = {
    catrn: `${source}/jobs/gap_job`,
    name: "gap_job",
    type: "JOB",
    data_transformer: {
      inputs: [raw.catrn],
      outputs: [mart.catrn],
      sql: "INSERT INTO gap_mart\nSELECT id, total, gap_raw.region FROM gap_raw",
    },
  };
  await post("/ingestion/datasources", { items: [{ name: "Gaps", catrn: source }] });
  await post("/ingestion/entities", { data_source_catrn: source, items: [raw, mart, job] });
  const ids = {
    job: await idOf(site(), "gap_job", "/jobs/gap_job"),
    mart: await idOf(site(), "gap_mart", "/tables/gap_mart"),
  };
  await eventually(async () => {
    const lineage = `/api/dataentities/${ids.job}/columns/lineage`;
    const answer = await fetch(new URL(lineage, site().url));
    expect(await answer.json()).toMatchObject({ sql: { outcome: "read" } });
  });
  return ids;
}

it("the job says how many columns were not traced and why, and so does the column", async () => {
  const { job, mart } = await ingest();
  await journey(async ({ page, go }) => {
    await go(`/dataentities/${job}/overview`);
    const summary = page.getByText("1 of 3 columns not traced");
    await summary.focus();
    await page.keyboard.press("Enter");
    const gaps = page.getByRole("table", { name: "Not traced from SQL" });
    await gaps.getByRole("row", { name: /region.*No table has this column.*Line 2, column 19/ })
      .waitFor();
    await go(`/dataentities/${mart}/structure`);
    await page.getByRole("treegrid").getByRole("row", { name: "region" }).click();
    const list = page.getByRole("list", { name: "Not traced from SQL" });
    await list.getByRole("link", { name: "gap_job" }).waitFor();
    await list.getByText("No table has this column").waitFor();
    await page.getByRole("treegrid").getByRole("row", { name: "total" }).click();
    await page.getByRole("list", { name: "Upstream columns" }).waitFor();
    expect(await list.count()).toBe(0);
  });
});
