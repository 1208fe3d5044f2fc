import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type PermissionResource, permissionsByResource } from "#contract/permissions.ts";
import { expectLinear } from "#test/support/linear.ts";
import {
  allPermissions,
  type Condition,
  maxConditionDepth,
  maxConditions,
  maxDocument,
  maxPattern,
  maxStatements,
  maxValue,
  parsePolicy,
  policySchemaText,
} from "./document.ts";

interface Case {
  name: string;
  /** One of these: the text, the document, or the condition of its only statement. */
  text?: string;
  document?: unknown;
  condition?: unknown;
  at: string;
  says: string;
}

const cases: Case[] = parse(readFileSync("test/cases/policies/refused.yaml", "utf8"));

const withCondition = (conditions: unknown, type = "DATA_ENTITY") => ({
  statements: [{ resource: { type, conditions }, permissions: [allPermissions] }],
});
const above = "statements.0.resource.conditions";

/** The first thing that is wrong with a document. */
function firstProblem(document: unknown) {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const parsed = parsePolicy(text);
  if (!("problems" in parsed)) return undefined;
  const [{ path, message }] = parsed.problems as [{ path: PropertyKey[]; message: string }];
  return { at: path.join("."), message };
}

/** The published schema, to which it is held by another program. */
const published = new Ajv2020({ strict: false }).compile(JSON.parse(policySchemaText()));

describe("policy documents that are refused", () => {
  it.each(cases)("$name", ({ text, document, condition, at, says }) => {
    const given = condition === undefined ? text ?? document : withCondition(condition);
    const place = condition === undefined ? at : [above, at].filter(Boolean).join(".");
    const found = firstProblem(given);
    expect(found?.at).toBe(place);
    expect(found?.message).toContain(says);
  });

  it("are those that the published schema refuses, but for text, patterns and sums", () => {
    const shapes = cases.filter(({ text, at }) => text === undefined && !at.includes("match"));
    expect(shapes.length).toBeGreaterThan(15);
    for (const { name, document, condition } of shapes) {
      const given = condition === undefined ? document : withCondition(condition);
      expect([name, published(given)]).toEqual([name, false]);
    }
  });
});

const owner: Condition = { is: "dataEntity:owner" };
const nested = (depth: number): Condition => depth === 1 ? owner : { all: [nested(depth - 1)] };
const times = (count: number, condition: unknown) =>
  withCondition({ any: Array(count).fill(condition) });
const statements = (count: number) => ({
  statements: Array(count).fill({ resource: { type: "TERM" }, permissions: [allPermissions] }),
});
const match = (pattern: string) => ({ match: { "dataEntity:catrn": pattern } });
const equal = (text: string) => ({ eq: { "dataEntity:catrn": text } });

describe("bounds of policy documents", () => {
  it.each([
    [
      "nesting",
      withCondition(nested(maxConditionDepth)),
      withCondition(nested(maxConditionDepth + 1)),
    ],
    ["conditions", times(maxConditions - 1, owner), times(maxConditions, owner)],
    ["statements", statements(maxStatements), statements(maxStatements + 1)],
    [
      "a value",
      withCondition(equal("x".repeat(maxValue))),
      withCondition(equal("x".repeat(maxValue + 1))),
    ],
    [
      "a pattern",
      withCondition(match("x".repeat(maxPattern))),
      withCondition(match("x".repeat(maxPattern + 1))),
    ],
    ["all patterns", times(10, match("x{290}")), times(11, match("x{290}"))],
    [
      "the text",
      JSON.stringify(statements(1)).padEnd(maxDocument),
      JSON.stringify(statements(1)).padEnd(maxDocument + 1),
    ],
  ])("%s", (_, max, more) => {
    expect(firstProblem(max)).toBeUndefined();
    expect(firstProblem(more)?.message).toMatch(/at most|deeper than|become more than/);
  });

  it.each([
    ["lists", "[".repeat(maxDocument)],
    ["objects", '{"a":'.repeat(10_000)],
    ["conditions", JSON.stringify(withCondition(0)).replace("0", '{"all":['.repeat(8_000))],
  ])("nested %s are refused before they are read", (_, text) => {
    expect(firstProblem(text)?.message).toMatch(/nested deeper than 100|at most/);
  });

  it("what is refused costs no more than its length", async () => {
    const wrong = (count: number) =>
      JSON.stringify(withCondition({ all: Array(count).fill({ any: [{ eq: {} }] }) }));
    await expectLinear((count) => expect(firstProblem(wrong(count))).toBeDefined(), 25);
  });

  it("many large patterns cost no more than one", async () => {
    const large = times(260, match("(?:a?a?a?a?a?a?a?a?a?a?){90}"));
    await expectLinear((count) => {
      expect(firstProblem({ statements: Array(count).fill(large.statements[0]) })).toBeDefined();
    }, 1);
  });
});

describe("the published schema", () => {
  it("lists every permission of each type, and ALL", () => {
    for (const [type, permissions] of Object.entries(permissionsByResource)) {
      for (const permission of [...permissions, allPermissions]) {
        const document = { statements: [{ resource: { type }, permissions: [permission] }] };
        expect([permission, published(document)]).toEqual([permission, true]);
        expect(firstProblem(document)).toBeUndefined();
      }
    }
  });

  it("takes no permission of another type", () => {
    const types = Object.keys(permissionsByResource) as PermissionResource[];
    for (const type of types) {
      const others = types.filter((other) => other !== type).flatMap((t) =>
        permissionsByResource[t]
      );
      for (const permission of others) {
        expect(published({ statements: [{ resource: { type }, permissions: [permission] }] }))
          .toBe(false);
      }
    }
  });

  it("takes conditions of every operator", () => {
    const every = [owner, { not_is: "dataEntity:owner" }, equal("a"), match("a.*"), {
      not_eq: { "dataEntity:tag:name": "a" },
    }, { not_match: { "dataEntity:class": "A.*" } }];
    for (const document of [withCondition({ all: every }), withCondition({ any: every })]) {
      expect([published(document), firstProblem(document)]).toEqual([true, undefined]);
    }
  });
});
