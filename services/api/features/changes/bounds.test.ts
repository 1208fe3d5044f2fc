import { describe, expect, it } from "vitest";
import { forbidden, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { openAccess } from "#platform/operations/access.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import {
  changesUnderTest,
  entitiesOf,
  quick,
} from "#services/api/features/changes/testing/harness.ts";
import { eventually } from "#test/support/eventually.ts";
import { callerFrom } from "#test/support/http/caller.ts";

const t = changesUnderTest();
const events = { accept: "text/event-stream" };

/** Callers by the name in their header. */
const named: AccessControl = {
  ...openAccess,
  authenticator: {
    authenticate: ({ headers }, address) =>
      Promise.resolve({ ...callerFrom(headers.get("x-user") ?? "ada"), address }),
  },
};

/** Access that can be taken away, or be uncheckable. */
function revocable() {
  const state: { error: Error | undefined; uses: string[] } = { error: undefined, uses: [] };
  const access: AccessControl = {
    authorizer: openAccess.authorizer,
    authenticator: {
      authenticate(_request, address, _access, use = "request") {
        state.uses.push(use);
        return state.error
          ? Promise.reject(state.error)
          : Promise.resolve({ ...callerFrom("ada"), address });
      },
    },
  };
  return { state, access };
}

const configured = (server: object) => Config.parse({ server });

/** The value of a series. */
async function shown(metrics: ReturnType<typeof createMetrics>, series: string): Promise<number> {
  const { content } = await metrics.exposition();
  const line = content.split("\n").find((one) => one.startsWith(`${series} `));
  return Number(line?.split(" ").at(-1));
}

describe("of clients", () => {
  it("at most the configured number have a stream open; the next gets 503 until one closes", async () => {
    const metrics = createMetrics();
    const config = configured({ "max-change-streams": 2 });
    const replica = t.replica({}, { config, metrics });
    const [one] = [await replica.follow(), await replica.follow()];
    const refused = await replica.send("/api/changes", events);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await shown(metrics, "tributary_change_streams")).toBe(2);
    await one!.leave();
    expect(await shown(metrics, "tributary_change_streams")).toBe(1);
    expect((await replica.follow()).response.status).toBe(200);
    expect(await shown(metrics, 'tributary_change_streams_refused_total{limit="all"}')).toBe(1);
    expect(await shown(metrics, 'tributary_change_streams_ended_total{reason="left"}')).toBe(1);
  });

  it("one caller may have only so many streams open, whatever others have", async () => {
    const config = configured({ "max-change-streams-per-caller": 2 });
    const replica = t.replica({ access: named }, { config });
    const as = (user: string) => replica.send("/api/changes", { ...events, "x-user": user });
    const taken = [await as("ada"), await as("ada")];
    const refused = await as("ada");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await refused.json()).message).toContain("server.max-change-streams-per-caller");
    taken.push(await as("bob"));
    expect(taken.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { body } of taken) await body!.cancel();
  });

  it("an anonymous caller is counted by its address", async () => {
    const config = configured({ "max-change-streams-per-caller": 1 });
    const replica = t.replica({}, { config });
    await replica.follow("", undefined, "192.0.2.7");
    expect((await replica.send("/api/changes", events, "192.0.2.7")).status).toBe(429);
    expect((await replica.follow("", undefined, "192.0.2.8")).response.status).toBe(200);
  });

  it("streams do not count as requests of their address", async () => {
    const replica = t.replica({}, { config: configured({ "max-requests-per-address": 1 }) });
    for (let n = 0; n < 3; n++) expect((await replica.follow()).response.status).toBe(200);
    expect((await replica.send("/api/changes?wait=0")).status).toBe(200);
  });

  it("a HEAD request does not count as an open stream", async () => {
    const metrics = createMetrics();
    const replica = t.replica({}, { metrics });
    expect((await replica.head()).status).toBe(200);
    expect(await shown(metrics, "tributary_change_streams")).toBe(0);
  });
});

describe("a client that does not read", () => {
  it("costs nothing that grows, is cut off, and goes on where it was", async () => {
    const metrics = createMetrics();
    const replica = t.replica({ following: { ...quick, slowMs: 300 } }, { metrics });
    const response = await replica.send("/api/changes?types=activity", events);
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    const last = /id: (\S+)/.exec(new TextDecoder().decode(value))![1]!;
    for (let n = 1; n <= 20; n++) await t.happens(n);
    const reason = 'tributary_change_streams_ended_total{reason="slow"}';
    await eventually(async () => expect(await shown(metrics, reason)).toBe(1));
    await expect(reader.read()).rejects.toThrow("does not read");
    const repeated = await replica.follow("?types=activity", last);
    await repeated.some(20);
    expect(entitiesOf(repeated)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });
});

describe("who may follow", () => {
  it("access is checked again every second; a revoked one ends the stream within two seconds, without counting as a use of the session", async () => {
    const { state, access } = revocable();
    const replica = t.replica({ access, following: { ...quick, recheckMs: 1_000 } });
    const client = await replica.follow();
    await eventually(() => expect(state.uses.length).toBeGreaterThan(1));
    expect(client.over).toBeUndefined();
    state.error = forbidden("gone");
    const revoked = Date.now();
    expect(await client.end()).toBe("ended");
    expect(Date.now() - revoked).toBeLessThan(2_000);
    expect(client.comments).toContain("ended: access");
    expect(state.uses).toEqual(["request", ...state.uses.slice(1).map(() => "watch")]);
  });

  it("the stream goes on while access cannot be checked for a moment, and ends when it cannot for long", async () => {
    const { state, access } = revocable();
    const replica = t.replica({ access, following: { ...quick, maxWaitMs: 400 } });
    const client = await replica.follow();
    state.error = unavailable("down");
    const useCount = state.uses.length;
    await eventually(() => expect(state.uses.length).toBeGreaterThan(useCount + 2));
    expect(client.over).toBeUndefined();
    expect(await client.end()).toBe("ended");
    expect(client.comments).toContain("ended: lost");
  });
});

describe("a process", () => {
  it("that stops closes its streams at once, and opens no others", async () => {
    const replica = t.replica();
    const clients = [await replica.follow(), await replica.follow("?types=alert")];
    await eventually(() => expect(clients.map(({ lastId }) => lastId)).not.toContain(""));
    replica.drain();
    for (const client of clients) {
      expect(await client.end()).toBe("ended");
      expect(client.comments).toContain("ended: stopping");
      expect(client.retry).toBeGreaterThan(0);
    }
    expect((await replica.send("/api/changes", events)).status).toBe(503);
  });

  it("without PostgreSQL opens no stream, and closes those to which it could send nothing for long", async () => {
    let down = false;
    const { db } = t;
    const query: typeof db.query = (...given) =>
      down ? Promise.reject(unavailable("down")) : db.query(...given);
    const faulty = { query } as typeof db;
    const metrics: Metrics = createMetrics();
    const given = { db: faulty, metrics };
    const replica = t.replica({ following: { ...quick, maxWaitMs: 300 } }, given);
    const client = await replica.follow("?types=activity");
    await eventually(() => expect(client.lastId).not.toBe(""));
    down = true;
    expect(await client.end()).toBe("ended");
    expect(client.comments).toContain("ended: lost");
    expect((await replica.send("/api/changes", events)).status).toBe(503);
    down = false;
    await t.happens(77);
    const repeated = await replica.follow("?types=activity", client.lastId);
    await repeated.some(1);
    expect(entitiesOf(repeated)).toEqual([77]);
  });
});
