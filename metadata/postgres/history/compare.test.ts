import { describe, expect, it } from "vitest";
import {
  type CommitMark,
  decodeMark,
  encodeMark,
  missingCommits,
  type ServerState,
  type Timeline,
  type XidStatus,
} from "#metadata/postgres/history/compare.ts";

const ids = {
  first: "6f1c0d0e-0000-4000-8000-000000000001",
  second: "6f1c0d0e-0000-4000-8000-000000000002",
  foreign: "6f1c0d0e-0000-4000-8000-000000000003",
};

function timeline(number: number, more: Partial<Timeline> = {}): Timeline {
  return {
    id: number === 1 ? ids.first : ids.second,
    timeline: number,
    beganAt: number === 1 ? "0/0" : "0/5000",
    lastCommitAt: null,
    age: 60_000,
    missedAt: null,
    missedUntil: null,
    missedCommits: null,
    acceptedAt: null,
    ...more,
  };
}

const mark = (more: Partial<CommitMark> = {}): CommitMark => ({
  system: "77",
  history: ids.first,
  xid: "900",
  lsn: "0/4000",
  at: 1_000,
  ...more,
});

function server(status: XidStatus, more: Partial<ServerState> = {}): ServerState {
  const timelines = [timeline(1), timeline(2)];
  const statuses = new Map([["900", status]]);
  return { system: "77", timeline: 2, lsn: "0/9000", timelines, statuses, ...more };
}

const isMissing = (one: CommitMark, on: ServerState) => missingCommits([one], on).length === 1;

describe("a commit of the former timeline", () => {
  it("is there when the server says so, or no longer knows", () => {
    expect(isMissing(mark(), server("committed"))).toBe(false);
    expect(isMissing(mark(), server(null))).toBe(false);
  });

  it("is missing when only its writes were handed over", () => {
    expect(isMissing(mark(), server("aborted"))).toBe(true);
    expect(isMissing(mark(), server("in progress"))).toBe(true);
    expect(isMissing(mark(), server("future"))).toBe(true);
  });

  it("is missing after the end of that timeline, even if its id was given again", () => {
    expect(isMissing(mark({ lsn: "0/5000" }), server("committed"))).toBe(true);
    expect(isMissing(mark({ lsn: "1/0" }), server("committed"))).toBe(true);
    expect(isMissing(mark({ lsn: "0/4FFF" }), server("committed"))).toBe(false);
  });
});

describe("a commit of the timeline that serves", () => {
  const own = mark({ history: ids.second, lsn: "0/8000" });

  it("is missing when the disk was put back to an older state", () => {
    expect(isMissing(own, server("committed"))).toBe(false);
    expect(isMissing(own, server("committed", { lsn: "0/7000" }))).toBe(true);
    expect(isMissing(own, server("future"))).toBe(true);
  });
});

describe("a commit of another history", () => {
  it("is missing on a server that was never there, such as the former primary", () => {
    const former = server("committed", { timeline: 1, timelines: [timeline(1)] });
    expect(isMissing(mark({ history: ids.second }), former)).toBe(true);
    expect(isMissing(mark({ history: ids.foreign }), server("committed"))).toBe(true);
  });

  it("cannot be compared when it is of another system: a backup was restored, or a dump", () => {
    expect(isMissing(mark({ system: "78", history: ids.foreign }), server("future"))).toBe(false);
  });
});

describe("what an operator accepted", () => {
  const accepted = server("aborted", {
    timelines: [timeline(1), timeline(2, { missedAt: 1_500, acceptedAt: 2_000 })],
  });

  it("is no longer missing, but what was acknowledged later is", () => {
    expect(isMissing(mark({ at: 1_000 }), accepted)).toBe(false);
    expect(isMissing(mark({ at: 3_000 }), accepted)).toBe(true);
  });
});

describe("a mark as text", () => {
  it("is read as it was written, and anything else is no mark", () => {
    expect(decodeMark(encodeMark(mark()))).toEqual(mark());
    const broken = ["", "x", encodeMark(mark()).slice(0, -2) + " 5", "2 1 a 3 0/0 5", "1 77 900"];
    expect(broken.map(decodeMark)).toEqual(broken.map(() => undefined));
  });
});
