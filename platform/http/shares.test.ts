import { expect, it } from "vitest";
import { AddressShares } from "#platform/http/shares.ts";

it("gives each address its share, and what is done makes room", async () => {
  const shares = new AddressShares(2);
  const held = Promise.withResolvers<string>();
  const hold = () => shares.during("10.0.0.1", () => held.promise);
  const running = [hold(), hold()];
  await expect(hold()).rejects.toMatchObject({ status: 429, retryAfter: 1, retryable: true });
  expect(await shares.during("10.0.0.2", () => Promise.resolve("other"))).toBe("other");
  held.resolve("done");
  expect(await Promise.all(running)).toEqual(["done", "done"]);
  expect(await hold()).toBe("done");
});

it("gives the place back when the work fails, and has no limit at 0", async () => {
  const one = new AddressShares(1);
  const fail = () => one.during("a", () => Promise.reject(new Error("broken")));
  await expect(fail()).rejects.toThrow("broken");
  await expect(fail()).rejects.toThrow("broken");
  const none = new AddressShares(0);
  const nested = () => none.during("a", () => none.during("a", () => Promise.resolve(1)));
  expect(await nested()).toBe(1);
});
