import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "#test/support/size.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { asBefore } from "./fuzz/aftermath.ts";
import { expectNoFilesLeft } from "./fuzz/remains.ts";
import { fuzz } from "./fuzz/run.ts";
import { prepare } from "./fuzz/world.ts";
import { startSubject, type Subject } from "./subject.ts";

const seed = 9;
const inputs = sized(200, 4_000);

describe.each(setsBySize())("poisoned inputs, %s engines", (set) => {
  let subject: Subject;
  beforeAll(async () => void (subject = await startSubject(set)));
  afterAll(() => subject?.stop());

  it(`${inputs} to every entrance (seed ${seed}): each is answered, and none by an internal error`, async () => {
    const report = await fuzz(await prepare(subject), { seed, inputs });
    expect(report.faults.slice(0, 5)).toEqual([]);
    expect(report.sent).toBeGreaterThanOrEqual(inputs);
  });

  it("housekeeping removes everything of files that were refused or cut off", async () => {
    await expectNoFilesLeft(subject);
  });

  it("afterwards all workers are ready, nothing is left over, and known lineage is right", async () => {
    await asBefore(subject);
    expect(subject.service.ends()).toBe(0);
  });

  it("and after a restart as well", async () => {
    const { code } = await subject.service.terminate();
    expect(code).toBe(0);
    await subject.service.start();
    await asBefore(subject);
    expect(subject.service.ends()).toBe(0);
  });
});
