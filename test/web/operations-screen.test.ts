import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Instance } from "#test/support/engines/instance.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

const source = "//postgresql/host/late.example/databases/d";
const recordOf = (text: string) => ({
  key: source,
  value: new TextEncoder().encode(text),
  headers: {},
});
/** What was refused although it is sound, so that it is taken when it is tried again. */
const sound = recordOf(JSON.stringify({
  data_source_catrn: source,
  items: [{
    catrn: `${source}/tables/late`,
    name: "late_table",
    type: "TABLE",
    dataset: { field_list: [] },
  }],
}));

/** A record that cannot be read, and a sound one that was refused; resolves when both are listed. */
async function refuseRecords({ events, json, send }: Instance): Promise<void> {
  await send("POST", "/ingestion/datasources", { items: [{ name: "Late", catrn: source }] });
  await events.publish(ingestionBatches, [recordOf("{not json")], { timeoutMs: 10_000 });
  const record = { ...sound, topic: ingestionBatches, partition: 0, offset: 0, timestamp: 0 };
  await deadLetter({ events, log: silentLogger, metrics: noMetrics }, {
    topic: ingestionBatches,
    record,
    reason: "too_early",
    message: "its source was not known",
    details: [],
  });
  await eventually(async () => {
    const { items } = await json("/api/ops/dead-letters") as { items: { reason: string }[] };
    expect(items.map(({ reason }) => reason).sort()).toEqual(["invalid_body", "too_early"]);
  });
}

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.each(oneSetBySize())("operations over %s engines", (set) => {
  const services = [apiService, ingestConsumerService, openLineageService];
  const { site, journey } = useSite(set, { services });
  beforeAll(() => refuseRecords(site()));

  it("engines, workers, lag and slot say how they stand, and what to do", () =>
    journey(async ({ page, go }) => {
      await go("/operations");
      const engines = part(page, "Engines");
      await engines.getByText("Up", { exact: true }).nth(4).waitFor();
      const workers = page.getByRole("table", { name: /^Workers of / });
      await workers.getByRole("row", {
        name: /consumer ingest-consumer of ingestion.batches .*Running/,
      }).waitFor();
      expect(await workers.count()).toBe(1);
      await part(page, "Consumer lag").getByText(/^0 records behind$/).waitFor();
      await part(page, "Replication slot").getByText("Notifications are off").waitFor();
      await part(page, "Replication slot").getByText("Missing", { exact: true }).waitFor();
    }));

  it("a part that cannot be told is unknown, and the others stay", () =>
    journey(async ({ page, go }) => {
      const lag = {
        lag: null,
        items: [{
          group: "ingest-consumer",
          topic: ingestionBatches,
          state: "unknown",
          cause: "the log does not answer",
          lag: null,
          partitions: [],
        }],
      };
      await page.route("**/api/ops/lag", (route) => route.fulfill({ json: lag }));
      await go("/operations");
      const shown = part(page, "Consumer lag");
      await shown.getByText("the log does not answer").waitFor();
      expect(await shown.getByText("Unknown").count()).toBe(2);
      await part(page, "Engines").getByText("Up", { exact: true }).first().waitFor();
    }));

  it("the overall state comes first, with what to do; statements, backup and versions say where they come from", () =>
    journey(async ({ page, go, problems }) => {
      await go("/operations");
      const overall = part(page, "Overall state");
      await overall.getByText("Works, with warnings").waitFor();
      await overall.getByText("Fix the cause, then replay them").waitFor();
      const titles = await page.getByRole("heading", { level: 2 }).allTextContents();
      expect(titles.slice(0, 2)).toEqual(["Overall state", "Dead letters"]);
      await part(page, "Slow queries, last 24 hours").getByText(/waiting for a connection included/)
        .waitFor();
      await part(page, "Backup").getByText("No backups are scheduled").waitFor();
      await part(page, "Versions").getByText(/\(1 process\)/).waitFor();
      const badge = page.getByRole("link", { name: /^Operations 1 problems?$/ });
      await badge.waitFor();
      expect(await problems()).toEqual([]);
      const waiting = page.waitForEvent("download");
      await page.getByRole("link", { name: "Support bundle" }).click();
      const download = await waiting;
      expect(download.suggestedFilename()).toMatch(/^tributary-support-.*\.tar\.gz$/);
      expect(await download.failure()).toBeNull();
    }));

  it("a failed worker turns the mark in the header red, on every screen, and leads to what has failed", () =>
    journey(async ({ page, go, problems }) => {
      const failed = {
        level: "ERROR",
        part: "WORKERS",
        subject: "graph projector (host:1:a)",
        message: "crashed eight times in a row",
        action: "fix the cause",
      };
      const summary = { release: "1.0.0", schema_version: 69, runtime: "Deno 2" };
      await page.route(
        "**/api/ops/summary",
        (route) => route.fulfill({ json: { ...summary, state: "ERROR", problems: [failed] } }),
      );
      await go("/alerts");
      await page.getByRole("link", { name: "Live, 1 error" }).click();
      const problem = page.getByRole("list", { name: "Problems" }).getByRole("listitem");
      await problem.getByText("crashed eight times in a row").waitFor();
      await problem.getByText("fix the cause").waitFor();
      expect(await problems()).toEqual([]);
    }));

  it("a refused record is shown, another replayed, and the first dropped", () =>
    journey(async ({ page, go, problems }) => {
      await go("/operations");
      const deadLetters = part(page, "Dead letters");
      const poison = deadLetters.getByRole("row", { name: /invalid_body/ });
      await poison.locator("summary").click();
      await poison.getByText("{not json").waitFor();
      expect(await problems()).toEqual([]);
      await deadLetters.getByRole("searchbox", { name: "Reason (exact match)" }).fill(
        "too_early",
      );
      await poison.waitFor({ state: "detached" });
      await deadLetters.getByRole("button", { name: "Replay all of this reason" }).click();
      const dialog = page.getByRole("dialog", { name: /of the reason too_early\?$/ });
      await dialog.getByText("Fix the cause first").waitFor();
      expect(await problems()).toEqual([]);
      await dialog.getByRole("button", { name: "Replay", exact: true }).click();
      await page.getByText("1 dead letter replayed").waitFor();
      await deadLetters.getByText("No record has this reason.").waitFor();
      await eventually(async () => {
        const found = await site().json("/api/search/suggestions?query=late_table");
        expect(found).toHaveLength(1);
      });
      await deadLetters.getByRole("searchbox").fill("");
      await poison.getByRole("checkbox").check();
      await deadLetters.getByRole("button", { name: "Drop 1 selected" }).click();
      await page.getByRole("dialog", { name: "Drop 1 dead letter?" })
        .getByRole("button", { name: "Drop", exact: true }).click();
      await page.getByText("1 dead letter dropped").waitFor();
      await deadLetters.getByText("Records that cannot be processed appear here.").waitFor();
    }));

  it("the graph says where it is, and is compared with the metadata where it is a copy", () =>
    journey(async ({ page, go }) => {
      await go("/operations");
      const graph = part(page, "Lineage graph");
      const compare = graph.getByRole("button", { name: "Compare with metadata" });
      if (set === "embedded") {
        await graph.getByText("The graph is part of the metadata store").waitFor();
        return expect(await compare.count()).toBe(0);
      }
      await graph.getByText("0 changes").waitFor();
      await compare.click();
      await graph.getByText(/^Graph and metadata are equal: [1-9]/).waitFor();
      await page.reload();
      await graph.getByText(/^Graph and metadata are equal: [1-9]/).waitFor();
    }));
});
