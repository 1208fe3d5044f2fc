import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptEvent, isRefused } from "#contract/openlineage/accept.ts";
import { valueOf } from "#contract/openlineage/record.ts";
import { isEqual, verify } from "#platform/ops/edges.ts";
import { namingSettings } from "#platform/naming/openlineage/settings.ts";
import { idOf } from "#services/openlineage/merger.ts";
import { keysBy } from "#services/openlineage/service.ts";
import type { InputEvent } from "#services/openlineage/state/model.ts";
import { storedState } from "#services/openlineage/testing/stored.ts";
import { hour, mapAll, normal, plainRules, stateOf } from "#services/openlineage/testing/memory.ts";
import {
  randomEvents,
  rawOf,
  renamed,
  shuffled,
} from "#services/openlineage/testing/random-events.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { seeded } from "#test/support/random.ts";
import { expectShown } from "./openlineage-catalogue.ts";
import { lineageSettled, type LineageStack, startLineageStack } from "./openlineage-stack.ts";
import { killed } from "./killed.ts";
import { Poster } from "./producer.ts";

/** Clients that post at the same time, about namespaces that they share. */
const clients = 4;
const namespaces = 25;
const kills = { openlineage: 20, api: 10 };

type Raw = Record<string, unknown>;

/**
 * Services that take, merge and compose events are killed while clients post. The seed of a failing run is in the
 * test's name; `FAULTS_SEED` runs it again.
 */
export function openLineageFaults(set: EngineSet): void {
  let stack: LineageStack;
  beforeAll(async () => void (stack = await startLineageStack(set)));
  afterAll(() => stack?.close());

  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));
  it(`killed amid events: each accepted one counts once, and the catalogue shows it (seed ${seed})`, async () => {
    const { api, openlineage, processes, observer } = stack;
    const over = new AbortController();
    const posting = postEvents(api.url, seed, over.signal);
    const random = seeded(seed);
    const killing = Promise.all([
      killed(openlineage, kills.openlineage, random),
      killed(api, kills.api, random),
    ]);
    await Promise.race([posting, killing]);
    over.abort();
    const posted = await posting;
    await lineageSettled(observer);
    const keys = keysBy(namingSettings(observer.config.openlineage));
    const expected = stateOf([posted.map(givenOf)], keys);
    const stored = await storedState((text) => observer.db.query(text));
    expect(normal(stored)).toEqual(normal(expected));
    const rules = { ...plainRules, now: Date.now(), streamingEdgeTtlMs: 7 * 24 * hour };
    await expectShown(observer.db, mapAll(expected, rules, keys));
    const report = await verify(observer, { maxWaitMs: 30_000 });
    if (report.projection === "projected") {
      expect([report, isEqual(report)]).toEqual([report, true]);
    }
    expect(posted.length).toBeGreaterThan(100);
    for (const each of processes) {
      expect(each.ends(), each.output().slice(-20).join("\n")).toBe(0);
    }
  });
}

/** Posts random events, one by one and as lists, each until it is accepted; resolves with all of them. */
async function postEvents(url: string, seed: number, until: AbortSignal): Promise<Raw[]> {
  const poster = new Poster([url]);
  const begun = Date.now() - 60_000;
  const posted: Raw[] = [];
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let n = client; !until.aborted; n += clients) {
      const random = seeded(seed * 1_000 + n);
      const events = renamed(randomEvents(random), n % namespaces)
        .map((event) => ({ ...event, at: begun + event.at }));
      for (const chunk of shuffled(random, events)) {
        const raw = chunk.map(rawOf);
        posted.push(...raw);
        if (raw.length > 1) await poster.post("/api/v1/lineage/batch", raw);
        else await poster.post("/api/v1/lineage", raw[0]);
      }
    }
  }));
  return posted;
}

/** What a posted event says, by the rules by which it is accepted. */
function givenOf(raw: Raw): InputEvent {
  const result = acceptEvent(raw);
  if (isRefused(result)) throw new Error(JSON.stringify(result.refused));
  const { event } = result;
  const type = event.kind === "run" ? { type: event.eventType } : {};
  return { ...event, ...type, at: event.eventTime, id: idOf(valueOf(event)) } as InputEvent;
}
