import { expect, it } from "vitest";
import { yieldsAt } from "#contract/ingestion/frame.ts";
import { composedBatches, ingestionBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { publishItems } from "./composed-source/batches.ts";

it("puts what other sources describe themselves into batches of low precedence", async () => {
  const published: [topic: string, precedence: number | null][] = [];
  const events = {
    publish(topic: string, [record]: NewRecord[]) {
      const headers = record!.headers as Record<string, string>;
      published.push([topic, yieldsAt({ headers }, 7)]);
      return Promise.resolve([]);
    },
  };
  const db = { query: () => Promise.resolve([{ now: 7 }]) };
  const deps = { events: events as never, db: db as never };
  await publishItems(deps, "//dbt/projects/shop", ["{}"], true);
  await publishItems(deps, "//dbt/projects/shop", ["{}"]);
  expect(published).toEqual([[composedBatches, 7], [ingestionBatches, null]]);
});
