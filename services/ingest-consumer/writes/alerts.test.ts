import { describe, expect, it } from "vitest";
import { cases, failed, testFailed } from "../alerts/testing/case.ts";
import { table } from "../testing/harness.ts";

const c = cases();

describe("writeAlerts of runs of transformers", () => {
  it.each([
    ["FAILED", [`JOB job OPEN: ${failed("r1")}`]],
    ["BROKEN", [`JOB job OPEN: ${failed("r1", "BROKEN")}`]],
    ["SUCCESS", []],
    ["SKIPPED", []],
    ["ABORTED", []],
    ["RUNNING", []],
    ["UNKNOWN", []],
  ])("a run that is %s raises as it should", async (status, expected) => {
    await c().post(c().job(), c().ran("r1", status));
    expect(await c().alerts()).toEqual(expected);
  });

  it.each(["SKIPPED", "ABORTED", "RUNNING", "UNKNOWN"])("%s resolves nothing", async (status) => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().post(c().ran("r2", status));
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r1")}`]);
  });

  it("a failure stacks on the alert that is open, and a success resolves it", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED", { name: "nightly" }));
    const [made] = await c().at.rows<{ last_created_at: Date }>(
      "SELECT last_created_at FROM alert ORDER BY id DESC LIMIT 1",
    );
    await c().post(c().ran("r2", "BROKEN"));
    const [stacked] = await c().at.rows<{ last_created_at: Date }>(
      "SELECT last_created_at FROM alert ORDER BY id DESC LIMIT 1",
    );
    expect(stacked!.last_created_at.getTime()).toBeGreaterThan(made!.last_created_at.getTime());
    await c().post(c().ran("r3", "SUCCESS"));
    expect(await c().alerts())
      .toEqual([`JOB job AUTO: ${failed("nightly")} | ${failed("r2", "BROKEN")}`]);
    expect(await c().events())
      .toEqual(["CREATED job", "UPDATED job", "RESOLVED_AUTOMATICALLY job"]);
    expect(await c().activity()).toEqual([
      `OPEN_ALERT_RECEIVED job: ${failed("nightly")}`,
      `OPEN_ALERT_RECEIVED job: ${failed("r2", "BROKEN")}`,
      "ALERT_STATUS_UPDATED job: OPEN to RESOLVED_AUTOMATICALLY",
    ]);
    const [row] = await c().at.rows(
      `SELECT status_updated_by, status_updated_at IS NOT NULL AS at FROM alert
        ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toEqual({ status_updated_by: null, at: true });
  });

  it("a failure after the resolution is another alert", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().post(c().ran("r2", "SUCCESS"));
    await c().post(c().ran("r3", "FAILED"));
    expect(await c().alerts())
      .toEqual([`JOB job AUTO: ${failed("r1")}`, `JOB job OPEN: ${failed("r3")}`]);
  });

  it.each<[string, string[], string[], string[]]>([
    ["fail then success", ["FAILED", "SUCCESS"], [`JOB job AUTO: ${failed("r2")}`], [
      "CREATED",
      "RESOLVED_AUTOMATICALLY",
    ]],
    ["success then fail", ["SUCCESS", "FAILED"], [`JOB job OPEN: ${failed("r3")}`], ["CREATED"]],
    ["fail, success, fail", ["FAILED", "SUCCESS", "BROKEN"], [
      `JOB job AUTO: ${failed("r2")}`,
      `JOB job OPEN: ${failed("r4", "BROKEN")}`,
    ], ["CREATED", "RESOLVED_AUTOMATICALLY", "CREATED"]],
    ["two failures", ["FAILED", "FAILED"], [`JOB job OPEN: ${failed("r2")} | ${failed("r3")}`], [
      "CREATED",
    ]],
  ])("%s in one batch, with nothing open before", async (_what, statuses, list, events) => {
    await c().post(
      c().job(),
      ...statuses.map((status, i) => c().ran(`r${i + 2}`, status)).reverse(),
    );
    expect(await c().alerts()).toEqual(list);
    expect(await c().events()).toEqual(events.map((event) => `${event} job`));
  });

  it("what is raised and over within a batch is told as received resolved", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"), c().ran("r2", "SUCCESS"));
    expect(await c().activity()).toEqual([`RESOLVED_ALERT_RECEIVED job: ${failed("r1")}`]);
  });

  it.each<[string, string[], string[], string[]]>([
    ["success then fail", ["SUCCESS", "FAILED"], [
      `JOB job AUTO: ${failed("r1")}`,
      `JOB job OPEN: ${failed("r3")}`,
    ], ["CREATED", "RESOLVED_AUTOMATICALLY", "CREATED"]],
    ["fail then success", ["FAILED", "SUCCESS"], [
      `JOB job AUTO: ${failed("r1")} | ${failed("r2")}`,
    ], ["CREATED", "UPDATED", "RESOLVED_AUTOMATICALLY"]],
  ])("%s in one batch, with an alert open before", async (_what, statuses, list, events) => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().post(...statuses.map((status, i) => c().ran(`r${i + 2}`, status)));
    expect(await c().alerts()).toEqual(list);
    expect(await c().events()).toEqual(events.map((event) => `${event} job`));
  });

  it("a run of an unknown transformer raises on the hollow entity, whose payload may follow", async () => {
    await c().post(c().ran("r1", "FAILED"));
    expect(await c().at.entity(c().catrn("job"))).toMatchObject({ hollow: true });
    await c().post(c().job());
    await c().post(c().ran("r2", "SUCCESS"));
    expect(await c().alerts()).toEqual([`JOB job AUTO: ${failed("r1")}`]);
  });

  it("several transformers of one batch each have theirs", async () => {
    const names = ["j1", "j2", "j3"];
    const runs = (run: string, statuses: string[]) =>
      names.map((name, i) => c().ran(`${name}-${run}`, statuses[i]!, { of: name }));
    await c().post(...runs("1", ["FAILED", "FAILED", "SUCCESS"]));
    await c().post(...runs("2", ["FAILED", "SUCCESS", "BROKEN"]));
    expect((await c().alerts()).sort()).toEqual([
      `JOB j1 OPEN: ${failed("j1-1")} | ${failed("j1-2")}`,
      `JOB j2 AUTO: ${failed("j2-1")}`,
      `JOB j3 OPEN: ${failed("j3-2", "BROKEN")}`,
    ]);
  });

  it("a deleted transformer raises nothing, and a success still resolves", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().at.rows("UPDATE data_entity SET status = 5 WHERE catrn = $1", c().catrn("job"));
    await c().post(c().ran("r2", "FAILED"));
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r1")}`]);
    await c().post(c().ran("r3", "SUCCESS"));
    expect(await c().alerts()).toEqual([`JOB job AUTO: ${failed("r1")}`]);
  });
});

describe("writeAlerts of runs of tests", () => {
  it("raises on each dataset of the test, with the test as messenger", async () => {
    await c().post(
      table(c().catrn("d1")),
      c().test("test", "d1", "d2"),
      c().tested("r1", "FAILED"),
    );
    expect((await c().alerts()).sort()).toEqual([
      `TEST d1 by test OPEN: ${testFailed("r1")}`,
      `TEST d2 by test OPEN: ${testFailed("r1")}`,
    ]);
    await c().post(c().tested("r2", "SUCCESS"));
    expect((await c().alerts()).sort()).toEqual([
      `TEST d1 by test AUTO: ${testFailed("r1")}`,
      `TEST d2 by test AUTO: ${testFailed("r1")}`,
    ]);
  });

  it("tells the reason of a failed run, when one is given, and cuts a long one", async () => {
    const long = "é".repeat(30_000);
    await c().post(
      c().test("test", "d"),
      c().tested("r1", "FAILED", "test", { reason: "7 <rows>" }),
    );
    await c().post(c().tested("r2", "FAILED", "test", { reason: "" }));
    await c().post(c().tested("r3", "FAILED", "test", { reason: long }));
    const [alert] = await c().alerts();
    const said = `TEST d by test OPEN: ${testFailed("r1")}: 7 <rows> | ${testFailed("r2")} | `;
    expect(alert!.slice(0, said.length)).toBe(said);
    expect(alert!.slice(said.length)).toHaveLength(20_000);
    expect(alert!.slice(said.length)).toMatch(/^Test run r3 ended with status FAILED: é+…$/);
  });

  it("keeps the alerts of two tests of one dataset apart", async () => {
    const both = [c().test("t1", "d"), c().test("t2", "d")];
    await c().post(
      table(c().catrn("d")),
      ...both,
      c().tested("r1", "FAILED", "t1"),
      c().tested("r2", "FAILED", "t2"),
    );
    await c().post(c().tested("r3", "SUCCESS", "t2"));
    expect((await c().alerts()).sort()).toEqual([
      `TEST d by t1 OPEN: ${testFailed("r1")}`,
      `TEST d by t2 AUTO: ${testFailed("r2")}`,
    ]);
  });

  it("raises nothing on a deleted dataset, nor for a deleted test", async () => {
    const remove = (name: string) =>
      c().at.rows("UPDATE data_entity SET status = 5 WHERE catrn = $1", c().catrn(name));
    await c().post(table(c().catrn("d1")), table(c().catrn("d2")), c().test("test", "d1", "d2"));
    await remove("d1");
    await c().post(c().tested("r1", "FAILED"));
    await remove("test");
    await c().post(c().tested("r2", "FAILED"));
    expect(await c().alerts()).toEqual([`TEST d2 by test OPEN: ${testFailed("r1")}`]);
  });

  it("resolves what a dataset has that the test no longer covers", async () => {
    await c().post(c().test("test", "d1"), c().tested("r1", "FAILED"));
    await c().post(c().test("test", "d2"));
    await c().post(c().tested("r2", "SUCCESS"));
    expect(await c().alerts()).toEqual([`TEST d1 by test AUTO: ${testFailed("r1")}`]);
  });

  it("a failed run that comes before its test is told when the test comes", async () => {
    const reason = "no rows";
    await c().post(c().tested("r1", "SUCCESS"), c().tested("r2", "FAILED", "test", { reason }));
    expect(await c().alerts()).toEqual([]);
    await c().post(c().test("test", "d1"));
    expect(await c().alerts()).toEqual([`TEST d1 by test OPEN: ${testFailed("r2")}: no rows`]);
    await c().post(c().tested("r1", "SUCCESS"), c().tested("r2", "FAILED"), c().test("test", "d1"));
    expect(await c().events()).toEqual(["CREATED d1"]);
  });
});
