import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import type { Timeline, XidStatus } from "#metadata/postgres/history/compare.ts";
import { HistoryGuard } from "#metadata/postgres/history/guard.ts";
import * as sql from "#metadata/postgres/history/server.ts";
import { recordingLogger } from "#test/support/log.ts";

/** A server whose log and timelines the test writes; its clock is `now`. */
class FakeServer {
  recovering = false;
  timeline = 1;
  lsn = "0/1000";
  replayed: string | null = null;
  failure: Error | undefined;
  timelines: Timeline[] = [];
  readonly statuses = new Map<string, XidStatus>();
  /** Called while the server answers. */
  meanwhile = () => {};

  query = (text: string, values: unknown[]): Promise<{ rows: unknown[] }> => {
    if (this.failure) return Promise.reject(this.failure);
    if (text === sql.noteTimeline) this.#began(values[2] as string);
    if (text === sql.noteMissing) this.#missed(values);
    if (text !== sql.lookAtServer) return Promise.resolve({ rows: [] });
    const xids = values[0] as string[];
    const row = {
      system: "77",
      recovering: this.recovering,
      lsn: this.lsn,
      timeline: this.timeline.toString(16).padStart(8, "0"),
      replayed: this.replayed,
      replayed_at: null,
      statuses: Object.fromEntries(xids.map((xid) => [xid, this.statuses.get(xid) ?? "future"])),
      timelines: this.timelines.map((one) => ({ ...one })),
    };
    this.meanwhile();
    return Promise.resolve({ rows: [row] });
  };

  #began(beganAt: string): void {
    const nothing = { missedAt: null, missedUntil: null, missedCommits: null, acceptedAt: null };
    const id = crypto.randomUUID();
    const { timeline } = this;
    this.timelines.push({ id, timeline, beganAt, lastCommitAt: null, age: 0, ...nothing });
  }

  #missed([id, , until, commits]: unknown[]): void {
    const row = this.timelines.find((one) => one.id === id)!;
    Object.assign(row, { missedAt: Date.now(), missedUntil: until, missedCommits: commits });
  }
}

/** A process with a clock of its own, in milliseconds. */
function subject(server: FakeServer) {
  let now = 1_000;
  const { log, lines } = recordingLogger();
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const guard = new HistoryGuard({ holder: "p", log, metrics: noMetrics, clock });
  return {
    guard,
    lines,
    pass: (ms: number) => void (now += ms),
    /** A new connection, compared. */
    async connect() {
      const client = { query: server.query };
      await guard.verify(client);
      return client;
    },
    commit(client: object, xid: string, lsn: string) {
      server.statuses.set(xid, "committed");
      server.lsn = lsn;
      const timeline = server.timeline.toString(16).padStart(8, "0");
      guard.committed(client, { xid, lsn, timeline });
    },
  };
}

const refused = "PostgreSQL serves an older copy of the metadata";

describe("HistoryGuard", () => {
  it("does not miss what is committed while it looks", async () => {
    const server = new FakeServer();
    const { guard, connect, commit } = subject(server);
    const first = await connect();
    server.meanwhile = () => {
      server.meanwhile = () => {};
      commit(first, "900", "0/2000");
    };
    const second = await connect();
    expect([guard.isStale(first), guard.isStale(second)]).toEqual([false, false]);
  });

  it("refuses a new timeline for a while, until each process has compared it", async () => {
    const server = new FakeServer();
    const { guard, connect, lines } = subject(server);
    const former = await connect();
    Object.assign(server, { timeline: 2, replayed: "0/1000", lsn: "0/1100" });
    await expect(connect()).rejects.toThrow("every process compares with what it knows");
    expect(guard.refusal?.state).toBe("comparing");
    server.timelines[1]!.age = 60_000;
    const next = await connect();
    expect([guard.isStale(former), guard.isStale(next)]).toEqual([true, false]);
    expect(lines.map(({ level }) => level)).toEqual(["warn", "warn", "info"]);
  });

  it("looks once a second while it refuses, and logs it once", async () => {
    const server = new FakeServer();
    const { guard, connect, commit, lines, pass } = subject(server);
    commit(await connect(), "900", "0/2000");
    server.statuses.set("900", "aborted");
    await expect(connect()).rejects.toThrow(refused);
    await expect(connect()).rejects.toThrow(refused);
    expect(() => guard.admit()).toThrow(refused);
    pass(1_000);
    guard.admit();
    expect(() => guard.admit()).toThrow(refused);
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("refuses a disk that was put back to an older state, on the same timeline", async () => {
    const server = new FakeServer();
    const { connect, commit } = subject(server);
    commit(await connect(), "900", "0/2000");
    server.lsn = "0/1800";
    await expect(connect()).rejects.toThrow(refused);
  });

  it("refuses a replica in recovery, and uses it once it is promoted and complete", async () => {
    const server = new FakeServer();
    const { guard, connect, commit } = subject(server);
    commit(await connect(), "900", "0/2000");
    server.recovering = true;
    await expect(connect()).rejects.toThrow("replica in recovery");
    expect(guard.refusal?.state).toBe("in_recovery");
    server.recovering = false;
    await connect();
    expect(guard.refusal).toBeUndefined();
  });

  it("notes nothing of a connection whose server was exchanged behind it", async () => {
    const server = new FakeServer();
    const { guard, connect } = subject(server);
    const client = await connect();
    guard.committed(client, { xid: "900", lsn: "0/2000", timeline: "00000002" });
    expect(guard.mark()).toBeUndefined();
    expect(guard.isStale(client)).toBe(true);
  });

  it("is off, and says so once, where the server does not tell its timeline", async () => {
    const server = new FakeServer();
    const { guard, connect, lines } = subject(server);
    server.failure = Object.assign(new Error("permission denied"), { code: "42501" });
    const client = await connect();
    await connect();
    expect([guard.isStale(client), guard.isNoting(client)]).toEqual([false, false]);
    expect(lines.map(({ message }) => message)).toEqual([
      "lost commits cannot be noticed on this PostgreSQL",
    ]);
    server.failure = new Error("connection lost");
    await connect();
  });
});
