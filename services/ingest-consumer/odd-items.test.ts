import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directRecord, type Harness, harness, job, source, table } from "./testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

describe("odd items", () => {
  it("leaves an item that no store can hold alone behind", async () => {
    const nul = table("//w/nul", { description: "a\0b" });
    const record = directRecord({ data_source_catrn: source, items: [nul, table("//w/beside")] });
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await at.entity("//w/beside")).toMatchObject({ hollow: false });
    const [deadLetter, ...others] = at.deadLetters.splice(0);
    expect(others).toEqual([]);
    expect(JSON.parse(new TextDecoder().decode(deadLetter!.record.value)).items).toEqual([nul]);
    expect(deadLetter!.details).toMatchObject([{ field: "items[0].description" }]);
  });

  it("takes runs of any type for runs, and entities that say they are runs for entities", async () => {
    const run = { start_time: "2024-01-01T00:00:00Z", status: "SUCCESS" };
    const started = {
      catrn: "//w/odd/run",
      name: "run",
      type: "JOB",
      data_transformer_run: { transformer_catrn: "//w/odd/job", ...run },
    };
    const items = [job("//w/odd/job", [], []), started, table("//w/odd/t", { type: "JOB_RUN" })];
    expect(await at.post(items)).toBe("applied");
    const { id } = await at.entity("//w/odd/job");
    expect(await at.rows("SELECT catrn FROM task_run WHERE task_id = $1", id))
      .toEqual([{ catrn: "//w/odd/run" }]);
    expect(await at.entity("//w/odd/t")).toMatchObject({ type_id: 12, class_ids: [1] });
    await expect(at.entity("//w/odd/run")).rejects.toThrow("no entity");
  });
});
