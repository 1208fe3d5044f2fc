import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type PublisherHarness,
  publisherHarness,
} from "#services/trace-gateway/publisher/testing/harness.ts";
import { parseTraces, type TracesCommand, tracesCommand } from "./traces.ts";

describe("parseTraces", () => {
  it("takes status and republish, as text or JSON, and nothing else", () => {
    expect(parseTraces(["status"])).toEqual({ command: "status", json: false });
    expect(parseTraces(["republish", "--json"])).toEqual({ command: "republish", json: true });
    expect(parseTraces(["quarantined"])).toEqual({ command: "quarantined", json: false });
    expect(parseTraces(["quarantined", "--release", "bad"]))
      .toEqual({ command: "quarantined", json: false, release: { name: "bad" } });
    expect(parseTraces(["quarantined", "--release-all"])?.release).toBe("all");
    expect(parseTraces(["quarantined", "--release", "bad", "--release-all"])).toBeNull();
    expect(parseTraces(["status", "--release", "bad"])).toBeNull();
    for (const wrong of [[], ["forget"], ["status", "more"], ["status", "--all"]]) {
      expect(parseTraces(wrong)).toBeNull();
    }
  });
});

describe("tracesCommand", () => {
  let at: PublisherHarness;
  beforeAll(async () => {
    at = await publisherHarness();
    await at.see({ service: "orders", peer: "payments", operation: "POST /pay" });
    await at.round();
    await at.posted();
  });
  afterAll(() => at.drop());

  async function run(command: TracesCommand): Promise<string> {
    let text = "";
    const output = { isTTY: false, write: (more: string) => void (text += more) };
    expect(await tracesCommand(at, command, output)).toBe(0);
    return text;
  }

  it("status tells who leads, what is posted and what waits", async () => {
    const { publisher, checkpoints } = JSON.parse(await run({ command: "status", json: true }));
    expect(publisher).toMatchObject({
      leader: "one",
      edges: 1,
      changes_waiting: 0,
      entities_live: 4,
      entities_posting: 0,
    });
    expect(checkpoints).toEqual([]);
    expect(await run({ command: "status", json: false })).toContain("entities live      4\n");
  });

  it("republish has everything posted again", async () => {
    expect(await at.round()).toEqual({ worked: false, more: false });
    expect(JSON.parse(await run({ command: "republish", json: true }))).toEqual({ subjects: 2 });
    await at.round();
    expect(await at.posted()).toHaveLength(4);
  });

  it("quarantined tells who is set aside and why, and has it composed again", async () => {
    const command = "quarantined";
    expect(await run({ command, json: false })).toBe("Nothing is quarantined.\n");
    await at.db.query(
      `INSERT INTO service_quarantine (kind, name, cause, since, tried_at)
       VALUES ('service', 'bad', 'no such dataset', now(), now())`,
    );
    expect(await run({ command, json: false })).toMatch(/service +bad +no such dataset +1/);
    expect(JSON.parse(await run({ command, json: true }))).toMatchObject([{ name: "bad" }]);
    const release = { name: "bad" };
    expect(JSON.parse(await run({ command, json: true, release }))).toEqual({ subjects: 1 });
    expect(JSON.parse(await run({ command, json: true, release: "all" }))).toEqual({ subjects: 0 });
    expect(await at.db.query("SELECT kind, name FROM service_change"))
      .toEqual([{ kind: "service", name: "bad" }]);
  });
});
