import { describe, expect, it } from "vitest";
import { maxDetails } from "#contract/bounded.ts";
import {
  maxFactsPerRecord,
  maxTargetsPerSpan,
  SpansRecord,
  spansType,
  spansVersion,
} from "#contract/traces.ts";
import { cpuMs, expectLinear } from "#test/support/linear.ts";
import { seeded } from "#test/support/random.ts";
import { tablesOf, tokensOf } from "#platform/sql/tables.ts";
import { maxRaw } from "./attributes.ts";
import { databaseTargets } from "./database.ts";
import { serviceOf } from "./facts.ts";
import { hostOf, pathOf, templated } from "./calls.ts";
import { unpack } from "./records.ts";

describe("statements", () => {
  it.each([
    "@",
    ":",
    "'",
    "''",
    "'\\",
    '"',
    "`",
    "[",
    "$",
    "$a",
    "$a$",
    "/",
    "/*",
    "-",
    "#",
    ".",
    "a.",
    "a .",
    "1",
    "\\",
    " ",
    "(",
    ",",
    "COPY a ",
    "WITH a ",
  ])("cuts a statement of nothing but %j in time that grows with its length", async (one) => {
    await expectLinear((size) => tokensOf(one.repeat(size), Infinity), 2_000);
    await expectLinear((size) => tokensOf(one.repeat(size), Infinity, "postgresql"), 2_000);
    await expectLinear((size) => tablesOf(one.repeat(size), Infinity), 2_000);
  });

  it("ends in time on any text", () => {
    const random = seeded(3);
    const words = [
      "FROM ",
      "(",
      ")",
      "'",
      '"',
      "a.b ",
      ",",
      "/*",
      "$$",
      "\\",
      "WITH ",
      "`",
      "[",
      "--",
    ];
    const taken = cpuMs(() => {
      for (let i = 0; i < 300; i++) {
        const text = Array.from(
          { length: 3_000 },
          () => words[Math.floor(random() * words.length)],
        );
        tablesOf(text.join(""), maxRaw);
      }
      for (const one of ["'\\", "((", '"a', "$a$", "/*", "a.a."]) {
        tablesOf(one.repeat(50_000), maxRaw);
      }
    });
    expect(taken).toBeLessThan(20_000);
  });
});

describe("texts of spans", () => {
  const attacks = ["v1", "1", "v1-", "a", "-", ".", "/", "%", ":", "@", " ", "[", "bcdfg-", "://"];

  it.each(attacks)("folds paths and hosts of nothing but %j in linear time", async (one) => {
    const text = (size: number) => one.repeat(size / one.length);
    await expectLinear((size) => templated(`/${text(size)}!`), 2_000);
    await expectLinear((size) => pathOf(`a${text(size)}\n`), 2_000);
    await expectLinear((size) => hostOf(`jdbc:${text(size)}\n`), 2_000);
    await expectLinear(
      (size) => databaseTargets({ "db.system": "x", "db.statement": text(size) }),
      2_000,
    );
    await expectLinear((size) => serviceOf({ "k8s.pod.name": text(size) }), 2_000);
  });
});

describe("unpack", () => {
  const columns = Object.keys(SpansRecord.shape);
  const filled = (name: string, units: string) => {
    const empty = JSON.stringify(Object.fromEntries(columns.map((column) => [column, []])));
    const value = new TextEncoder().encode(empty.replace(`"${name}":[]`, `"${name}":[${units}]`));
    return { value, headers: { type: spansType, version: spansVersion } };
  };

  it.each(columns)("refuses a record of nothing but wrong %s, and does not look at all", (name) => {
    const wrong = (count: number) => filled(name, "{},".repeat(count).slice(0, -1));
    const refusal = (count: number) => {
      try {
        unpack(wrong(count));
      } catch (error) {
        return error as { message: string; cause?: { issues?: unknown[] } };
      }
      throw new Error("it was not refused");
    };
    expect(refusal(4_000).cause!.issues!.length).toBeLessThanOrEqual(maxDetails);
    expect(refusal(200_000).message).toMatch(/holds more than .* objects and arrays/);
  });

  it("takes a record whose lists are all as long as they may be", () => {
    const list = (length: number, entry: unknown) => Array.from({ length }, () => entry);
    const [trace, span] = ["0".repeat(32), "0".repeat(16)];
    const many = maxFactsPerRecord * maxTargetsPerSpan;
    const record: SpansRecord = {
      strings: list(maxFactsPerRecord * 2 + 4 * many, "") as string[],
      services: list(maxFactsPerRecord, [null, "a", null]) as SpansRecord["services"],
      traces: list(maxFactsPerRecord, trace) as string[],
      targets: list(many, [0, 0, 0, 0, 0, 0]) as SpansRecord["targets"],
      data: list(maxFactsPerRecord, [0, ...list(maxTargetsPerSpan, 0)]) as number[][],
      links: list(maxFactsPerRecord, [0, trace, span]) as SpansRecord["links"],
      span: list(maxFactsPerRecord, span) as string[],
      parent: list(maxFactsPerRecord, "") as string[],
      ...Object.fromEntries(
        ["trace", "kind", "service", "micros", "operation", "peer"]
          .map((column) => [column, list(maxFactsPerRecord, 0)]),
      ) as Pick<SpansRecord, "trace" | "kind" | "service" | "micros" | "operation" | "peer">,
    };
    const value = new TextEncoder().encode(JSON.stringify(record));
    expect(unpack({ value, headers: { type: spansType, version: spansVersion } }))
      .toHaveLength(maxFactsPerRecord);
  });

  it("refuses targets of a span beyond their number, before it looks at them", () => {
    const entry = `[${"{},".repeat(40_000).slice(0, -1)}]`;
    expect(() => unpack(filled("data", entry))).toThrow(/data\.0/);
    expect(() => unpack(filled("data", "[0]"))).toThrow(/data\.0/);
  });
});
