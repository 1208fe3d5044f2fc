import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "#kit/worker.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { backupWorker } from "./backup.ts";
import { handClock } from "#services/housekeeping/testing/clock.ts";
import { asCommand } from "#test/support/backup.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";

let t: TestDatabase;
let folder: string;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "tributary-scheduled-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hour = 3_600_000;
const start = Date.parse("2030-01-01T00:00:00Z");
const unexpected = (error: unknown) => {
  throw error;
};

interface Scheduled {
  worker: Worker;
  clock: ReturnType<typeof handClock>;
  metric: (name: string) => Promise<number | undefined>;
}

/** Runs `work` beside a worker that makes a backup each hour and stores two. */
const scheduled = (directory: string, work: (scheduled: Scheduled) => Promise<void>) =>
  asCommand("embedded", t, {}, async (context) => {
    const clock = handClock(start);
    const metrics = createMetrics();
    const { instance } = context.config;
    const config = Config.parse({ instance, backup: { directory, every: "1 h", retain: 2 } });
    const worker = backupWorker({ ...context, config, clock, metrics } as Context);
    await worker.start(unexpected);
    const metric = async (name: string) => {
      const line = (await metrics.exposition()).content.split("\n").find((one) =>
        one.startsWith(`${name} `)
      );
      return line === undefined ? undefined : Number(line.split(" ")[1]);
    };
    try {
      await work({ worker, clock, metric });
    } finally {
      await worker.stop();
    }
  });

describe("scheduled backups", () => {
  const names = () => readdirSync(folder).filter((name) => name.startsWith(t.name)).sort();

  it("are made at once and whenever one is due; the oldest go, and nothing of others", async () => {
    mkdirSync(join(folder, `${t.name}-20291231T000000Z.partial`));
    mkdirSync(join(folder, "mine"));
    await scheduled(folder, async ({ worker, clock, metric }) => {
      for (const time of ["20300101T000000Z", "20300101T010000Z", "20300101T020000Z"]) {
        await eventually(() => {
          expect(names().at(-1)).toBe(`${t.name}-${time}`);
          expect(clock.sleeping()).toBe(1);
        });
        clock.move(hour);
      }
      await eventually(() => expect(names()).toHaveLength(2));
      expect(readdirSync(folder)).toContain("mine");
      expect(worker.health()).toEqual({ ready: true, state: "running" });
      expect(await metric("tributary_backup_last_success_timestamp_seconds"))
        .toBeGreaterThanOrEqual((start + 2 * hour) / 1_000);
      expect(await metric("tributary_backup_interval_seconds")).toBe(3_600);
      expect(await metric("tributary_backup_failures_total")).toBe(0);
    });
  });

  it("that fail are counted, named with their cause, and tried again", async () => {
    const blocked = join(folder, "blocked");
    writeFileSync(blocked, "a file where a directory should be");
    await scheduled(blocked, async ({ worker, clock, metric }) => {
      await eventually(() => expect(worker.health().state).toBe("backup_failed"));
      expect(worker.health()).toMatchObject({ ready: true, detail: expect.stringMatching(/\w/) });
      expect(await metric("tributary_backup_failures_total")).toBe(1);
      rmSync(blocked);
      await eventually(() => expect(clock.sleeping()).toBe(1));
      clock.move(2 * hour);
      await eventually(() => expect(worker.health().state).toBe("running"));
      expect(readdirSync(blocked)).toHaveLength(1);
    });
  });

  it("are off without a directory", async () => {
    await asCommand("embedded", t, {}, async (context) => {
      const worker = backupWorker(context);
      await worker.start(unexpected);
      expect(worker.health()).toEqual({ ready: true, state: "disabled" });
      await worker.stop();
    });
  });
});
