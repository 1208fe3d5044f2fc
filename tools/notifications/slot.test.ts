import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventLog } from "#eventlog/port.ts";
import type { Context } from "#platform/context.ts";
import { slotNames } from "#platform/ops/slot.ts";
import {
  announcedIds,
  ensureTopics,
  insertEvents,
  slotReader,
  targetOf,
} from "#services/notifier/reader/testing/harness.ts";
import { testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { slot } from "./slot.ts";

describe("npm run notifications -- slot", () => {
  let t: TestDatabase;
  let context: Context;
  let events: EventLog;
  beforeAll(async () => {
    t = await testDatabase();
    context = testContext(t);
    events = openLog(targetOf("embedded", t.url, t.name));
    await ensureTopics(events);
  });
  afterAll(async () => {
    await context.wakeups.close();
    await events.close();
    await t.drop();
  });

  const run = async (...args: string[]) => {
    let text = "";
    const output = { isTTY: false, write: (more: string) => void (text += more) };
    const code = await slot.parse(args)!(context, output);
    return { code, text };
  };

  it("takes status and drop, and nothing else", () => {
    expect(slot.parse(["status"])).not.toBeNull();
    expect(slot.parse(["status", "--json"])).not.toBeNull();
    expect(slot.parse(["drop"])).not.toBeNull();
    for (const wrong of [[], ["make"], ["status", "more"], ["drop", "--json"], ["--force"]]) {
      expect(slot.parse(wrong)).toBeNull();
    }
  });

  it("tells that there is no slot before notifications ran", async () => {
    const { text } = await run("status", "--json");
    expect(JSON.parse(text)).toMatchObject({
      slot: `${t.name}_alerts`,
      exists: false,
      active: false,
      publication_exists: false,
      wal_level: "logical",
      announced_since: null,
      unannounced: 0,
    });
  });

  it("tells of a slot that is read, refuses to drop it, and drops it afterwards", async () => {
    const reader = slotReader({ db: t.db, events, names: slotNames(context.config) });
    await reader.start(() => {});
    await eventually(() => expect(reader.health().state).toBe("reading"));
    const [id] = await insertEvents(t.db, 1);
    await eventually(async () => expect(await announcedIds(events)).toEqual([id]));
    const { text } = await run("status", "--json");
    expect(JSON.parse(text)).toMatchObject({
      exists: true,
      active: true,
      wal_status: "reserved",
      publication_exists: true,
    });
    expect((await run("status")).text).toMatch(/^active +true$/m);
    await expect(run("drop")).rejects.toThrow(/is being read .* stop the notifiers/);

    await reader.stop();
    await insertEvents(t.db, 2);
    const dropped = await eventually(() => run("drop"));
    expect(dropped.code).toBe(0);
    expect(dropped.text).toContain(`Slot ${t.name}_alerts dropped.`);
    expect(dropped.text).toContain("2 changes of alerts have not been announced.");
    expect((await run("drop")).text).toContain("was not there");
  });
});
