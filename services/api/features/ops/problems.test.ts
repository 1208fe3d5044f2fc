import { describe, expect, it } from "vitest";
import * as problems from "#services/api/features/ops/summary.ts";
import type { ConsumerLag, ProcessList } from "#services/api/features/ops/parts.ts";

const now = Date.parse("2030-01-01T12:00:00Z");
const ago = (ms: number) => new Date(now - ms).toISOString();

const brief = (found: problems.Problem[]) =>
  found.map(({ level, subject }) => `${level} ${subject}`);

describe("problems of the summary", () => {
  const consumer = (lag: number): ConsumerLag => (
    { group: "g", topic: "t", state: "known", cause: null, lag, partitions: [] }
  );
  const recent = (least: number, most: number, count = 5) =>
    new Map([["done/g/t", { series: "done/g/t", least, most, count }]]);

  it.each([
    ["a consumer that is far behind is an error", consumer(10_000), recent(1, 900), [
      "ERROR g of t",
    ]],
    ["one that processes what it has is none", consumer(9_999), recent(1, 900), []],
    ["one that processed nothing for minutes is an error", consumer(1), recent(7, 7), [
      "ERROR g of t",
    ]],
    ["one without records is none", consumer(0), recent(7, 7), []],
    ["one that was sampled for a short time only is none", consumer(1), recent(7, 7, 2), []],
    [
      "one that cannot be read is a warning",
      { ...consumer(0), state: "unknown" as const, lag: null },
      new Map(),
      ["WARNING g of t"],
    ],
  ])("%s", (_, of, samples, expected) => {
    expect(brief(problems.lagProblems([of], samples))).toEqual(expected);
  });

  const listOf = (
    workers: { name: string; ready: boolean; state: string; since: string }[],
    state: "up" | "unknown" = "up",
    version = "1.0.0",
  ): ProcessList["items"][number] => ({
    id: "host:1:a",
    own: false,
    state,
    cause: state === "up" ? null : "no report for 20 s",
    services: ["api"],
    version,
    started_at: ago(1_000),
    seen_at: ago(0),
    workers: workers.map((one) => (
      { ...one, cause: null, meaning: null, action: null, takes: null }
    )),
  });
  const processes = (...items: ProcessList["items"]): ProcessList => (
    { instance: "i", state: "known", cause: null, items }
  );

  it("a worker that has failed, or is not ready for a minute, is an error; a short restart is none", () => {
    const found = problems.workerProblems(
      processes(listOf([
        { name: "gone", ready: false, state: "given_up", since: ago(0) },
        { name: "slow", ready: false, state: "waiting", since: ago(60_000) },
        { name: "restarted", ready: false, state: "restarting", since: ago(59_000) },
        { name: "backup", ready: true, state: "backup_failed", since: ago(0) },
        { name: "sender", ready: false, state: "paused", since: ago(60_000) },
        { name: "fine", ready: true, state: "running", since: ago(0) },
      ])),
      now,
    );
    expect(brief(found)).toEqual([
      "ERROR gone (host:1:a)",
      "ERROR slow (host:1:a)",
      "WARNING backup (host:1:a)",
      "WARNING sender (host:1:a)",
    ]);
  });

  it("a process that reports nothing is a warning, whatever its workers were", () => {
    const silent = listOf(
      [{ name: "w", ready: false, state: "given_up", since: ago(0) }],
      "unknown",
    );
    expect(brief(problems.workerProblems(processes(silent), now))).toEqual(["WARNING host:1:a"]);
  });

  it("metadata and event log down are errors, other engines warnings", () => {
    const engine = (port: "metadata" | "event-log" | "graph", state: "up" | "down" | "unknown") => (
      { port, engine: "e", state, latency_ms: null, version: null, cause: "refused" }
    );
    expect(brief(problems.engineProblems([
      engine("metadata", "up"),
      engine("event-log", "unknown"),
      engine("graph", "down"),
    ]))).toEqual(["ERROR event-log (e)", "WARNING graph (e)"]);
  });

  it("two releases next to each other are a warning that names both", () => {
    expect(brief(problems.versionProblems(processes(listOf([]))))).toEqual([]);
    const both = processes(listOf([], "up", "1.1.0"), listOf([]));
    expect(brief(problems.versionProblems(both))).toEqual(["WARNING 1.0.0, 1.1.0"]);
  });

  it.each([
    ["a backup that is older than two intervals", ago(2 * 3_600_000), ["WARNING /backups"]],
    ["none at all", null, ["WARNING /backups"]],
    ["no problem while the newest is younger", ago(2 * 3_600_000 - 1), []],
  ])("reports %s", (_, newest_at, expected) => {
    const status = { state: "known" as const, cause: null, directory: "/backups", newest_at };
    const given = { ...status, scheduled: true, every_seconds: 3_600 };
    expect(brief(problems.backupProblems(given, now))).toEqual(expected);
    expect(problems.backupProblems({ ...given, scheduled: false }, now)).toEqual([]);
  });
});
