import { expect, it } from "vitest";
import { BatchesInFlight } from "#platform/batches-in-process.ts";

it("has batches in hand from the first that begins to the last that ends, however they end", async () => {
  const inFlight = new BatchesInFlight();
  expect(inFlight.any).toBe(false);
  const [one, other] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const works = [one, other].map(({ promise }) => inFlight.during(() => promise));
  one.resolve(1);
  expect(await works[0]).toBe(1);
  expect(inFlight.any).toBe(true);
  other.reject(new Error("refused"));
  await expect(works[1]).rejects.toThrow("refused");
  expect(inFlight.any).toBe(false);
});
