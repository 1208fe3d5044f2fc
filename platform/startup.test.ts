import { beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "#platform/config/load.ts";
import { rememberSecrets } from "#platform/secrets.ts";
import { logFormat, reportFailure, reportReady, UsageError } from "#platform/startup.ts";
import { createLogger } from "#platform/telemetry/log.ts";

let lines: string[];
beforeEach(() => void (lines = []));
const print = (line: string) => void lines.push(line);
const reporting = (format: "json" | "text") => ({
  format,
  log: createLogger({ level: "info", format, write: print }),
  print,
});
const logged = () => lines.map((line) => JSON.parse(line));

describe("logFormat", () => {
  it.each([
    ["json", "json", true],
    ["json", undefined, false],
    ["json", "text", false],
    ["text", "text", true],
    ["text", undefined, true],
  ])("is %s with LOG_FORMAT=%s, terminal: %s", (format, given, terminal) => {
    expect(logFormat({ LOG_FORMAT: given }, terminal)).toBe(format);
  });
});

describe("reportReady", () => {
  it("logs one line of JSON with the address and the services", () => {
    reportReady(reporting("json"), "http://h:1", ["api", "notifier"]);
    expect(logged()).toMatchObject([
      { level: "info", message: "ready", url: "http://h:1", services: ["api", "notifier"] },
    ]);
  });

  it("prints at a terminal where to look", () => {
    reportReady(reporting("text"), "http://h:1", ["api"]);
    expect(lines[0]).toBe("Tributary is ready at http://h:1");
    expect(lines).toHaveLength(6);
    lines = [];
    reportReady(reporting("text"), "http://h:1", ["notifier"]);
    expect(lines).toEqual(["Tributary notifier: health at http://h:1/health/ready"]);
  });
});

describe("reportFailure", () => {
  const failures: [Error, number, string][] = [
    [new ConfigError(["a: 1 must be 2", "b: unknown key"]), 2, "b: unknown key"],
    [new UsageError("--service x: there are all, api"), 2, "there are all, api"],
    [new Error("no database", { cause: new Error("refused") }), 1, "no database\n  refused"],
  ];
  it.each(failures)(
    "logs %s as one line of JSON, and returns its exit code",
    (error, code, reason) => {
      expect(reportFailure(reporting("json"), error)).toBe(code);
      expect(logged()).toMatchObject([
        { level: "error", message: "cannot start", reason: expect.stringContaining(reason) },
      ]);
    },
  );

  it.each(failures)("prints %s at a terminal", (error, code, reason) => {
    expect(reportFailure(reporting("text"), error)).toBe(code);
    expect(lines).toEqual([expect.stringContaining(reason)]);
  });

  it("masks secrets", () => {
    rememberSecrets(["s3cret-of-startup"]);
    for (const format of ["json", "text"] as const) {
      reportFailure(reporting(format), new Error("login s3cret-of-startup failed"));
    }
    expect(lines.join("\n")).not.toContain("s3cret-of-startup");
  });
});
