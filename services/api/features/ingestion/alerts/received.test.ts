import { describe, expect, it } from "vitest";
import { RoutedAlert, RoutedAlertList } from "#contract/ingestion/alertmanager.ts";
import { parseBody } from "#contract/ingestion/parse.ts";
import { readAlert } from "./received.ts";

const received = Date.parse("2026-05-01T12:00:00.000Z");
const read = (alert: unknown) => readAlert(RoutedAlert.parse(alert), received, false);

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

  it("has an end once it is resolved, unless that is unset or no time", () => {
    const end = (status: string, endsAt: unknown) => read({ status, endsAt }).endsAt;
    expect(end("resolved", "2026-04-30T10:00:00Z")).toBe("2026-04-30T10:00:00.000Z");
    expect(end("firing", "2026-04-30T10:00:00Z")).toBeNull();
    for (const odd of ["0001-01-01T00:00:00Z", "", "soon", {}, 5, undefined]) {
      expect(end("resolved", odd)).toBeNull();
    }
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
    for (const annotations of [null, [], "x", { summary: 5, description: {} }, { other: [] }]) {
      const list = parseBody(RoutedAlertList, JSON.stringify({ alerts: [{ annotations }] }));
      expect(read(list.alerts![0]).description).toBe("Distribution anomaly");
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
