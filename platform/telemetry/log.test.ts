import { describe, expect, it } from "vitest";
import { createLogger, type LogOptions } from "#platform/telemetry/log.ts";
import { cpuMs } from "#test/support/linear.ts";

/** The line that the logger writes for some fields. */
function lineOf(fields: Record<string, unknown>, format: LogOptions["format"] = "json"): string {
  let line = "";
  createLogger({ level: "debug", format, write: (text) => void (line = text) })
    .info("told", fields);
  return line;
}
const written = (value: unknown) => JSON.parse(lineOf({ value })).value;

describe("createLogger", () => {
  it.each([
    ["at postgres://ada:geheim@db:5432/x and", "at postgres://ada:***@db:5432/x and"],
    ["redis://:geheim@cache", "redis://:***@cache"],
    ["a://b:c@d e://f:g:h@i", "a://b:***@d e://f:***@i"],
    ["http://host:80/path?at=a@b", "http://host:80/path?at=a@b"],
    ["mail ada:geheim@db", "mail ada:geheim@db"],
    ["://a:b@c", "://a:b@c"],
  ])("blots out the passwords of URLs: %s", (text, expected) => {
    expect(written(text)).toBe(expected);
    expect(written(new Error(text)).message).toBe(expected);
    expect(written(new Error("x", { cause: new Error(text) })).causes).toEqual([
      `Error: ${expected}`,
    ]);
  });

  it("blots them out of objects too", () => {
    expect(JSON.stringify(written({ url: "a://b:geheim@c" }))).not.toContain("geheim");
    expect(written({ url: "a://b@c", n: [1] })).toEqual({ url: "a://b@c", n: [1] });
  });

  it.each([
    ["letters", "a".repeat(2_000_000)],
    ["schemes", "a://".repeat(500_000)],
    ["users", "a://b:".repeat(400_000)],
    ["colons", `a://b${":".repeat(2_000_000)}`],
    ["line ends", "\n".repeat(2_000_000)],
  ])("bounds what is written, and the time it takes: %s", (_, text) => {
    const values = [text, new Error(text, { cause: new Error(text) }), { text }, [text]];
    const taken = cpuMs(() => {
      for (const value of values) expect(lineOf({ value }).length).toBeLessThan(60_000);
    });
    expect(taken).toBeLessThan(1_000);
  });

  it("shows no half of a password that its bound parts", () => {
    const text = `${"x".repeat(7_990)} a://b:${"geheim".repeat(10)}@c`;
    expect(written(text)).not.toContain("geheim");
  });

  it("writes one line whatever a text holds, and never throws", () => {
    const forged = 'x\n12:00:00.000 INFO  all is well "';
    expect(lineOf({ forged }, "text").split("\n")).toHaveLength(1);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [circle, { n: 1n }, 1n, Symbol("s"), () => 1, new Date(NaN), undefined]) {
      for (const format of ["json", "text"] as const) {
        expect(lineOf({ value }, format)).toContain("told");
      }
    }
  });
});
