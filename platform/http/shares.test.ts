import { expect, it } from "vitest";
import { AddressShares } from "#platform/http/shares.ts";

it("gives each address its share, and what is done makes room", async () => {
  const shares = new AddressShares(2);
  const pending = Promise.withResolvers<string>();
  const request = () => shares.during("10.0.0.1", () => pending.promise);
  const running = [request(), request()];
  await expect(request()).rejects.toMatchObject({ status: 429, retryAfter: 1, retryable: true });
  expect(await shares.during("10.0.0.2", () => Promise.resolve("other"))).toBe("other");
  pending.resolve("done");
  expect(await Promise.all(running)).toEqual(["done", "done"]);
  expect(await request()).toBe("done");
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
