import { describe, expect, it } from "vitest";
import { RoutedAlert, RoutedAlertList } from "#contract/ingestion/alertmanager.ts";
import { parseBody } from "#contract/ingestion/parse.ts";
import { maxDescription } from "#metadata/catalogue/alerts.ts";
import { type OpenAlert, readAlert, withoutRepeats } from "./plan.ts";

const received = Date.parse("2026-05-01T12:00:00.000Z");
const read = (alert: unknown) => readAlert(RoutedAlert.parse(alert), received);

describe("readAlert", () => {
  it("reads the start in every spelling, and takes the time of receipt for none", () => {
    const starts: [string | undefined, string][] = [
      ["2026-04-30T10:00:00", "2026-04-30T10:00:00.000Z"],
      ["2026-04-30T10:00:00Z", "2026-04-30T10:00:00.000Z"],
      ["2026-04-30T10:00:00.123456789+02:00", "2026-04-30T08:00:00.123Z"],
      ["2026-04-30 10:00:00.5", "2026-04-30T10:00:00.500Z"],
      ["2026-04-30T10:00", "2026-04-30T10:00:00.000Z"],
      ["0001-01-01T00:00:00Z", "2026-05-01T12:00:00.000Z"],
      ["", "2026-05-01T12:00:00.000Z"],
      [undefined, "2026-05-01T12:00:00.000Z"],
    ];
    for (const [startsAt, at] of starts) {
      expect([startsAt, read({ startsAt }).at]).toEqual([startsAt, at]);
    }
  });

  it("opens the page that raised it at the moment of its start", () => {
    const startsAt = "2026-04-30T10:00:05Z";
    const text = (generatorURL?: string) => read({ generatorURL, startsAt }).description;
    const moment = "2026-04-30%2010%3A00%3A05";
    expect(text("http://p:9090/graph?g0.expr=up%20%3E%200"))
      .toBe(
        `http://p:9090/graph?g0.expr=up%20%3E%200&g0.moment_input=${moment}&g0.end_input=${moment}`,
      );
    expect(text("/graph#x")).toBe(`/graph?g0.moment_input=${moment}&g0.end_input=${moment}#x`);
    expect([text(), text("")]).toEqual(["Distribution anomaly", "Distribution anomaly"]);
    expect(text(`http://p/${"é".repeat(30_000)}`)).toHaveLength(maxDescription);
  });

  it("knows the entity by either spelling of the label; an empty label is none", () => {
    const catrn = (labels?: object) => read({ labels }).catrn;
    expect(catrn({ entity_catrn: "//a", entity_oddrn: "//b" })).toBe("//a");
    expect(catrn({ entity_catrn: "", entity_oddrn: "//b" })).toBe("//b");
    expect([catrn({ entity_catrn: "" }), catrn({ severity: "x" }), catrn()]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("tells one firing alert from another by fingerprint, else by labels in any order", () => {
    const print = (alert: unknown) => read(alert).fingerprint;
    const labels = { a: "1", b: "2" };
    expect(print({ labels })).toBe(print({ labels: { b: "2", a: "1", c: "" } }));
    expect(print({ labels })).not.toBe(print({ labels: { a: "2", b: "1" } }));
    expect(print({ labels, fingerprint: "f" })).toBe(print({ labels: {}, fingerprint: "f" }));
    expect([print({}), print({ labels: {} })]).toEqual([null, null]);
    expect(print({ labels: { n: 2n ** 60n } })).not.toBe(print({ labels: { n: 2n ** 60n + 1n } }));
  });
});

describe("RoutedAlertList", () => {
  it("takes any field missing, null or extra", () => {
    for (const body of [{}, { alerts: null }, { alerts: [] }, { alerts: [{}], receiver: 5 }]) {
      parseBody(RoutedAlertList, JSON.stringify(body));
    }
    const odd = {
      alerts: [{ labels: null, startsAt: null, generatorURL: null, endsAt: {}, x: 1 }],
    };
    expect(parseBody(RoutedAlertList, JSON.stringify(odd)).alerts).toHaveLength(1);
  });

  it("names what is wrong", () => {
    const manyLabels = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`l${i}`, ""]));
    const wrong: [unknown, string][] = [
      [{ alerts: {} }, "alerts"],
      [{ alerts: Array(10_001).fill({}) }, "alerts"],
      [{ alerts: [{}, "x"] }, "alerts[1]"],
      [{ alerts: [{ startsAt: "yesterday" }] }, "alerts[0].startsAt"],
      [{ alerts: [{ startsAt: "2026-13-01T00:00:00Z" }] }, "alerts[0].startsAt"],
      [
        { alerts: [{ labels: { entity_catrn: "x".repeat(1_001) } }] },
        "alerts[0].labels.entity_catrn",
      ],
      [{ alerts: [{ generatorURL: 5 }] }, "alerts[0].generatorURL"],
      [{ alerts: [{ startsAt: "9999-12-31T23:59:59-00:01" }] }, "alerts[0].startsAt"],
      [{ alerts: [{}, { labels: manyLabels }] }, "alerts[1].labels"],
    ];
    for (const [body, field] of wrong) {
      expect(() => parseBody(RoutedAlertList, JSON.stringify(body)))
        .toThrow(expect.objectContaining({ details: [expect.objectContaining({ field })] }));
    }
  });
});

describe("withoutRepeats", () => {
  const told = (fingerprint: string | null, resolved = false, description = "d") => ({
    catrn: null,
    at: "2026-04-30T10:00:00.000Z",
    description,
    resolved,
    fingerprint,
  });
  const open = (id: number): OpenAlert => ({ id, entityId: null, fingerprint: "f" });

  it("adds repeats to the newest that is open and closes all of them", () => {
    const { raised, changed } = withoutRepeats(
      [told("f"), told("f", true)],
      [open(1), open(2)],
      received,
    );
    expect(raised).toEqual([]);
    expect(changed.map((c) => [c.alert.id, c.chunks.length, c.resolved]))
      .toEqual([[1, 0, true], [2, 1, true]]);
  });

  it("raises once what fires twice in a call, again what fires after it was resolved", () => {
    const plan = withoutRepeats(
      [told("f"), told("f", false, "again"), told("f", true), told("f")],
      [],
      received,
    );
    expect(plan.raised.map((r) => [r.chunks.map((c) => c.description), r.resolved]))
      .toEqual([[["d", "again"], true], [["d"], false]]);
    expect(plan.changed).toEqual([]);
  });

  it("ignores what is over and was not open, and never takes unlabelled alerts for one", () => {
    const plan = withoutRepeats([told("g", true), told(null), told(null)], [open(1)], received);
    expect([plan.raised.length, plan.changed.length, plan.ignored]).toEqual([2, 0, 1]);
  });
});
