import { describe, expect, it } from "vitest";
import { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { maxDescription } from "#metadata/catalogue/alerts.ts";
import { linkOf, textOf } from "./received.ts";

const at = Date.parse("2026-04-30T10:00:05Z");
const moment = "2026-04-30%2010%3A00%3A05";
const text = (alert: unknown) => textOf(RoutedAlert.parse(alert), at);

describe("textOf", () => {
  it.each<[string, object, string]>([
    [
      "name and summary in one line, then description and link",
      {
        labels: { alertname: "RowsLow", entity_catrn: "//t" },
        annotations: { summary: "orders has 0 rows", description: "Since 05:00.", runbook: "x" },
        generatorURL: "http://prom/graph",
      },
      "RowsLow: orders has 0 rows\nSince 05:00.\n" +
      `http://prom/graph?g0.moment_input=${moment}&g0.end_input=${moment}`,
    ],
    [
      "a description without a summary",
      { labels: { alertname: "RowsLow" }, annotations: { description: "Since 05:00." } },
      "RowsLow\nSince 05:00.",
    ],
    [
      "a message for a description",
      { labels: { alertname: "RowsLow" }, annotations: { summary: "s", message: "m" } },
      "RowsLow: s\nm",
    ],
    [
      "nothing twice",
      { labels: { alertname: "Low" }, annotations: { summary: "Low", description: "Low" } },
      "Low",
    ],
    [
      "labels for annotations that are missing or empty",
      {
        labels: { alertname: "RowsLow", instance: "db:1", shard: 3, entity_catrn: "//t", x: "" },
        annotations: { summary: " " },
      },
      "RowsLow: instance=db:1, shard=3",
    ],
    [
      "a summary without a name",
      { annotations: { summary: "orders has 0 rows" } },
      "orders has 0 rows",
    ],
    ["labels alone", { labels: { job: "etl" } }, "Distribution anomaly: job=etl"],
    ["no text at all", {}, "Distribution anomaly"],
  ])("has %s", (_what, alert, expected) => {
    expect(text(alert)).toBe(expected);
  });

  it("is cut to what an alert may say", () => {
    expect(text({ annotations: { summary: "é".repeat(30_000) } })).toHaveLength(maxDescription);
  });
});

describe("linkOf", () => {
  it("opens the page that raised it at the moment of its start", () => {
    expect(linkOf("http://p:9090/graph?g0.expr=up%20%3E%200", at))
      .toBe(
        `http://p:9090/graph?g0.expr=up%20%3E%200&g0.moment_input=${moment}&g0.end_input=${moment}`,
      );
    expect(linkOf("/graph#x", at))
      .toBe(`/graph?g0.moment_input=${moment}&g0.end_input=${moment}#x`);
    expect([linkOf(undefined, at), linkOf("", at)])
      .toEqual(["Distribution anomaly", "Distribution anomaly"]);
    expect(linkOf(`http://p/${"é".repeat(30_000)}`, at)).toHaveLength(maxDescription);
  });
});
