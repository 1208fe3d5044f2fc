import { describe, expect, it } from "vitest";
import { cases, failed } from "../alerts/testing/case.ts";
import { job } from "../testing/harness.ts";

const c = cases();

describe("writeAlerts while alerts are halted", () => {
  const halts: [string, string, () => Promise<unknown>, () => Promise<unknown>, string][] = [
    [
      "job",
      "failed_job",
      () => c().post(c().job(), c().ran("r1", "FAILED")),
      () => c().post(c().ran("r2", "FAILED")),
      "JOB",
    ],
    [
      "d",
      "failed_dq_test",
      () => c().post(c().test("test", "d"), c().tested("r1", "FAILED")),
      () => c().post(c().tested("r2", "FAILED")),
      "TEST",
    ],
    [
      "job",
      "incompatible_schema",
      async () => {
        await c().post(c().job("a", "b"));
        await c().post(c().job("b"));
      },
      () => c().post(c().job()),
      "SCHEMA",
    ],
  ];

  it.each(halts)("of %s by %s nothing is raised", async (entity, column, raise) => {
    await c().post(job(c().catrn(entity), [], []));
    await c().halt(entity, column, "now() + interval '1 hour'");
    await raise();
    expect([await c().alerts(), await c().events(), await c().activity()])
      .toEqual([[], [], []]);
  });

  it.each(halts)("of %s by %s nothing stacks", async (entity, column, raise, repeat, type) => {
    await raise();
    const before = await c().alerts();
    expect(before.map((text) => text.split(" ")[0])).toEqual([type]);
    await c().halt(entity, column, "now() + interval '1 hour'");
    await repeat();
    expect(await c().alerts()).toEqual(before);
  });

  it.each(halts)(
    "of %s by %s that is over, it stacks again",
    async (entity, column, raise, repeat) => {
      await raise();
      await c().halt(entity, column, "now() - interval '1 second'");
      await repeat();
      expect((await c().alerts())[0]).toContain(" | ");
    },
  );

  it("a success resolves all the same, and a halt of another type halts nothing", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().halt("job", "failed_job", "'infinity'");
    await c().post(c().ran("r2", "FAILED"), c().ran("r3", "SUCCESS"), c().ran("r4", "FAILED"));
    expect(await c().alerts()).toEqual([`JOB job AUTO: ${failed("r1")}`]);
    await c().at.rows(
      "UPDATE alert_halt_config SET failed_dq_test_halt_until = 'infinity', failed_job_halt_until = NULL",
    );
    await c().post(c().ran("r5", "FAILED"));
    expect((await c().alerts()).at(-1)).toBe(`JOB job OPEN: ${failed("r5")}`);
  });
});
