import { expect, it } from "vitest";
import { bisectBatch } from "#kit/bisect.ts";

/** Processes 100 numbers; processing fails for the numbers in `failing`. */
async function run(failing: number[], isPoison = () => true) {
  const done: number[] = [];
  const refused: number[] = [];
  let calls = 0;
  await bisectBatch(Array.from({ length: 100 }, (_, i) => i), {
    work(batch) {
      calls++;
      const bad = batch.find((one) => failing.includes(one));
      if (bad !== undefined) return Promise.reject(new Error(`poison ${bad}`));
      done.push(...batch);
      return Promise.resolve();
    },
    isPoison,
    refuse(one, error) {
      expect(error).toEqual(new Error(`poison ${one}`));
      return Promise.resolve(void refused.push(one));
    },
  });
  return { done, refused, calls };
}

it("takes out those that fail by themselves, and does the rest once and in order", async () => {
  const { done, refused } = await run([0, 41, 99]);
  expect(refused).toEqual([0, 41, 99]);
  expect(done).toEqual(
    Array.from({ length: 100 }, (_, i) => i).filter((i) => !refused.includes(i)),
  );
});

it("takes one call for a sound batch, and few for one that is poisoned once", async () => {
  expect((await run([])).calls).toBe(1);
  expect((await run([7])).calls).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(100)) + 1);
});

it("passes on a failure that does not lie in the batch, and does nothing for none", async () => {
  await expect(run([3], () => false)).rejects.toThrow("poison 3");
  await bisectBatch([], {
    work: () => Promise.reject(),
    isPoison: () => true,
    refuse: () => Promise.reject(),
  });
});
