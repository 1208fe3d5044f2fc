import { expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { thingSpec } from "#platform/http/testing/operations.ts";
import { operation, serve } from "#platform/operations/declare.ts";
import { testApi } from "#test/support/http/api.ts";

const plain = operation({
  ...thingSpec,
  id: "plain",
  path: "/api/plain",
  params: undefined,
  responses: { 200: { description: "Nothing" } },
});
const slowOperation = operation({ ...plain, id: "patient", path: "/api/patient", busyStatus: 503 });

const busy = () =>
  Promise.reject(new AppError("busy", { status: 429, code: "SYS002", retryAfter: 7 }));
const api = testApi([serve(plain, busy), serve(slowOperation, busy)]);

it("what is busy is told in the status that the operation declares", async () => {
  const [usual, declared] = [await api.get("/api/plain"), await api.get("/api/patient")];
  expect([usual.status, declared.status]).toEqual([429, 503]);
  expect(declared.headers.get("retry-after")).toBe("7");
});
