import { expect, it } from "vitest";
import * as errors from "#kit/errors.ts";

it.each([
  [errors.badRequest("wrong", [{ field: "a", message: "is required" }]), 400, "USR001", false],
  [errors.notFound("Tag", 7), 404, "USR002", false],
  [errors.conflict("taken"), 400, "USR003", false],
  [errors.hasDependants("in use"), 400, "USR004", false],
  [errors.unavailable("away"), 503, "SYS002", true],
])("%s", (error, status, code, retryable) => {
  expect(error).toBeInstanceOf(Error);
  expect([error.status, error.code, error.retryable]).toEqual([status, code, retryable]);
  expect(error.resolvable).toBe(status === 400);
});

it("names what was not found, and keeps the cause from the client", () => {
  const cause = new Error("password wrong");
  expect(errors.notFound("Tag", 7).message).toBe("Tag 7 was not found");
  const { message, retryAfter, cause: actualCause } = errors.unavailable("away", 9, cause);
  expect([message, retryAfter, actualCause]).toEqual(["away", 9, cause]);
});

it("invalidFields names the first field, and lists at most 50", () => {
  const many = Array.from(
    { length: 51 },
    (_, at) => ({ field: `items[${at}]`, message: "is odd" }),
  );
  const error = errors.invalidFields("body", many);
  expect([error.status, error.message]).toEqual([400, "Invalid body: items[0]: is odd"]);
  expect(error.details).toEqual(many.slice(0, 50));
});

it("an engine that fails is named; a broken handshake says what is to be looked at", () => {
  const lost = new Error("connect ECONNREFUSED");
  expect(errors.engineFailure("Neo4j", lost)).toMatchObject({
    message: "Neo4j: connect ECONNREFUSED",
    cause: lost,
  });
  expect(errors.engineFailure("Kafka", new Error("write UNKNOWN")).message)
    .toMatch(/^Kafka: the TLS handshake failed: .*ssl\.ca-file/);
});

it.each([
  [new Error("one"), "one"],
  ["text", "text"],
  [undefined, "undefined"],
  [new AggregateError([new Error("a"), "b"], ""), "a; b"],
  [new AggregateError([new Error("a")], "all of them"), "all of them"],
  [new AggregateError([], ""), ""],
])("the text of what was thrown: case %#", (thrown, text) => {
  expect(errors.messageOf(thrown)).toBe(text);
});
