import { describe, expect, it } from "vitest";
import { cases, failed } from "../alerts/testing/case.ts";

const c = cases();

describe("writeAlerts of runs that retry", () => {
  it("the same runs posted again stack, reopen and tell nothing", async () => {
    const batch =
      () => [c().job(), c().ran("r1", "FAILED"), c().ran("r2", "SUCCESS"), c().ran("r3", "FAILED")];
    await c().post(...batch());
    const once = [await c().alerts(), await c().events(), await c().activity()];
    for (let i = 0; i < 3; i++) await c().post(...batch().reverse());
    await c().post(c().ran("r3", "FAILED"));
    expect([await c().alerts(), await c().events(), await c().activity()]).toEqual(once);
  });

  it("a failed run posted again does not reopen what a person resolved", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().setStatus("RESOLVED");
    await c().post(c().job(), c().ran("r1", "FAILED"));
    expect(await c().alerts()).toEqual([`JOB job RESOLVED: ${failed("r1")}`]);
    await c().post(c().ran("r2", "FAILED"));
    expect(await c().alerts())
      .toEqual([`JOB job RESOLVED: ${failed("r1")}`, `JOB job OPEN: ${failed("r2")}`]);
  });

  it("a run posted again with another name or reason is no other failure", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().post(c().ran("r1", "FAILED", { name: "renamed" }));
    await c().post(c().ran("r1", "BROKEN"));
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r1")}`]);
    expect(await c().events()).toEqual(["CREATED job"]);
  });

  it.each<[string, string[], string[]]>([
    ["FAILED, then SUCCESS", ["FAILED", "SUCCESS"], [`JOB job AUTO: ${failed("r1")}`]],
    ["SUCCESS, then FAILED", ["SUCCESS", "FAILED"], [`JOB job OPEN: ${failed("r1")}`]],
    ["RUNNING, then FAILED", ["RUNNING", "FAILED"], [`JOB job OPEN: ${failed("r1")}`]],
    ["FAILED, RUNNING again, then FAILED", ["FAILED", "RUNNING", "FAILED"], [
      `JOB job OPEN: ${failed("r1")} | ${failed("r1")}`,
    ]],
  ])("a run that is %s is evaluated each time it ends otherwise", async (_what, statuses, list) => {
    await c().post(c().job());
    for (const status of statuses) await c().post(c().ran("r1", status));
    expect(await c().alerts()).toEqual(list);
  });

  it("the run that was judged last is evaluated again when it is posted with an earlier end", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED", { day: 5 }));
    await c().post(c().ran("r1", "SUCCESS", { day: 3 }));
    expect(await c().alerts()).toEqual([`JOB job AUTO: ${failed("r1")}`]);
  });

  it("a run that is older than the one last judged is history", async () => {
    await c().post(c().job(), c().ran("r5", "FAILED"));
    await c().post(c().ran("r4", "SUCCESS"), c().ran("r3", "FAILED"));
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r5")}`]);
    await c().post(c().ran("r6", "SUCCESS"));
    await c().post(c().ran("r2", "FAILED"));
    expect(await c().alerts()).toEqual([`JOB job AUTO: ${failed("r5")}`]);
  });

  it("of two runs of one time the greater CATRN is the later", async () => {
    await c().post(c().job(), c().ran("b1", "SUCCESS"));
    await c().post(c().ran("a1", "FAILED"));
    expect(await c().alerts()).toEqual([]);
    await c().post(c().ran("c1", "FAILED"));
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("c1")}`]);
  });

  it("a posting that is older than the one held judges nothing", async () => {
    const now = Date.now();
    await c().at.post([c().job(), c().ran("r1", "SUCCESS")], { receivedAt: now });
    await c().at.post([c().ran("r1", "FAILED")], { receivedAt: now - 1_000, batch: "late" });
    expect(await c().alerts()).toEqual([]);
  });

  it("a chunk that is delivered again has no second effect", async () => {
    const redelivered = { batch: c().catrn("again"), receivedAt: Date.now() };
    const items = [c().job(), c().ran("r1", "FAILED")];
    await c().at.post(items, redelivered);
    await c().at.post(items, redelivered);
    expect(await c().events()).toEqual(["CREATED job"]);
  });
});

describe("writeAlerts of runs whose times cannot be", () => {
  const hour = 3_600_000;
  const at = (ms: number) => new Date(ms).toISOString();
  const post = (run: Run, receivedAt: number) => c().postAs({ receivedAt }, runOf(run));

  interface Run {
    name: string;
    status: string;
    start?: number;
    end?: number;
  }

  function runOf({ name, status, start, end }: Run) {
    const item = c().ran(name, status);
    const times = { start_time: at(start ?? end!), end_time: end && at(end) };
    return { ...item, data_transformer_run: { ...item.data_transformer_run as object, ...times } };
  }

  it("a failed run dated ahead is resolved and raised again by what comes after it", async () => {
    const now = Date.now();
    await c().post(c().job());
    await post({ name: "r1", status: "FAILED", end: now + 4 * hour }, now);
    await post({ name: "r2", status: "SUCCESS", end: now + 10 }, now + 20);
    await post({ name: "r3", status: "FAILED", end: now + 30 }, now + 40);
    expect(await c().alerts())
      .toEqual([`JOB job AUTO: ${failed("r1")}`, `JOB job OPEN: ${failed("r3")}`]);
  });

  it("a success dated by mistake does not mute the job for years", async () => {
    const now = Date.now();
    await c().post(c().job());
    await post({ name: "r1", status: "SUCCESS", end: Date.UTC(2099, 0) }, now);
    await post({ name: "r2", status: "FAILED", end: now + 10 }, now + 20);
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r2")}`]);
  });

  it("runs dated ahead in one batch keep the order of their dates", async () => {
    const now = Date.now();
    await c().post(c().job());
    await c().postAs(
      { receivedAt: now },
      runOf({ name: "a1", status: "FAILED", end: now + 2 * hour }),
      runOf({ name: "b1", status: "SUCCESS", end: now + hour }),
    );
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("a1")}`]);
  });

  it("a run without an end that is told later and ends otherwise is evaluated", async () => {
    const now = Date.now();
    await c().post(c().job());
    await post({ name: "r1", status: "SUCCESS", end: now - hour }, now);
    await post({ name: "r2", status: "FAILED", start: now - 2 * hour }, now + 10);
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r2")}`]);
    await post({ name: "r3", status: "SUCCESS", end: now - 90 * 60_000 }, now + 20);
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r2")}`]);
    await post({ name: "r4", status: "SUCCESS", start: now - 3 * hour }, now + 30);
    expect(await c().alerts()).toEqual([`JOB job AUTO: ${failed("r2")}`]);
  });

  it("a run without an end that ends as the judged one, or is told no later, is history", async () => {
    const now = Date.now();
    await c().post(c().job());
    await post({ name: "r1", status: "SUCCESS", end: now - hour }, now);
    await post({ name: "r2", status: "FAILED", start: now - 2 * hour }, now);
    expect(await c().alerts()).toEqual([]);
  });
});
