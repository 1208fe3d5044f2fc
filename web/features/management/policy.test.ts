import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import { type JsonSchema, problemsOf } from "#web/features/management/json-schema.ts";
import { conditionsOf, inWords, simpleOf, vocabularies } from "#web/features/management/policy.ts";

const statement = (type: string, permissions: string[]): JsonSchema => ({
  type: "object",
  properties: {
    resource: {
      type: "object",
      properties: { type: { type: "string", const: type }, conditions: { $ref: "#/$defs/C" } },
      required: ["type"],
      additionalProperties: false,
    },
    permissions: { type: "array", minItems: 1, items: { type: "string", enum: permissions } },
  },
  required: ["resource", "permissions"],
  additionalProperties: false,
});
const pair: JsonSchema = {
  type: "object",
  propertyNames: { type: "string", enum: ["term:name", "term:tag:name"] },
  additionalProperties: { type: "string", maxLength: 5 },
  minProperties: 1,
  maxProperties: 1,
};
const only = (key: string, inner: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { [key]: inner },
  required: [key],
  additionalProperties: false,
});
const schema: JsonSchema = {
  type: "object",
  properties: {
    statements: {
      type: "array",
      minItems: 1,
      items: { anyOf: [statement("TERM", ["A", "ALL"]), statement("MANAGEMENT", ["B"])] },
    },
  },
  required: ["statements"],
  additionalProperties: false,
  $defs: {
    C: {
      anyOf: [
        only("all", { type: "array", minItems: 1, items: { $ref: "#/$defs/C" } }),
        only("eq", pair),
        only("is", { type: "string", enum: ["term:owner"] }),
      ],
    },
  },
};
const one = (conditions: unknown, permissions = ["A"]) => ({
  statements: [{ resource: { type: "TERM", conditions }, permissions }],
});

test("a sound document has no problems", () => {
  expect(problemsOf(one({ all: [{ eq: { "term:name": "x" } }, { is: "term:owner" }] }), schema))
    .toEqual([]);
});

test("each problem is named by its place, for the shape that is nearest", () => {
  const problem = (value: unknown) =>
    problemsOf(value, schema).map(({ path, message }) => `${path}: ${message}`);
  expect(problem({})).toEqual(["statements: is missing"]);
  expect(problem({ statements: [] })).toEqual(["statements: must hold at least 1"]);
  expect(problem({ statements: [{ resource: { type: "X" }, permissions: ["A"] }] }))
    .toEqual(["statements[0].resource.type: must be one of TERM, MANAGEMENT"]);
  expect(problem(one({ eq: { "term:name": "x" } }, ["Z"])))
    .toEqual(["statements[0].permissions[0]: must be one of A, ALL"]);
  expect(problem(one({ none: 1 })))
    .toEqual(["statements[0].resource.conditions: must have one of all, eq, is"]);
  expect(problem(one({ all: [{ eq: { "term:name": "too long" } }] })))
    .toEqual([
      "statements[0].resource.conditions.all[0].eq.term:name: must have at most 5 characters",
    ]);
});

test("a deep document ends", () => {
  let deep: unknown = { is: "term:owner" };
  for (let level = 0; level < 5_000; level++) deep = { all: [deep] };
  expect(problemsOf(one(deep), schema)).toEqual([]);
  expect(inWords({ resource: { type: "TERM", conditions: deep }, permissions: ["A"] }))
    .toContain("not known");
});

test("the words of the form come from the schema", () => {
  expect(vocabularies(schema).get("TERM")).toEqual({
    permissions: ["A", "ALL"],
    attributes: ["term:name", "term:tag:name"],
    own: ["term:owner"],
  });
});

test("conditions that the form shows come back as they were; involved ones are not shown", () => {
  for (
    const conditions of [
      undefined,
      { is: "term:owner" },
      { any: [{ eq: { "term:name": "x" } }, { not_match: { "term:name": "y" } }] },
    ]
  ) {
    expect(conditionsOf(simpleOf(conditions)!)).toEqual(conditions);
  }
  expect(simpleOf({ any: [{ all: [{ is: "term:owner" }] }] })).toBeUndefined();
});

test("a statement is told in words", () => {
  const nested = {
    any: [{ is: "a:owner" }, {
      all: [{ eq: { "a:tag:name": "x" } }, { not_eq: { "a:internalName": "y" } }],
    }],
  };
  expect(
    inWords({
      resource: { type: "DATA_ENTITY", conditions: nested },
      permissions: ["DATA_ENTITY_TAGS_UPDATE", "DATASET_FIELD_ADD_TERM"],
    }),
  )
    .toBe(
      "On data entities where it is the caller's own or (its tag name is “x” and its internal name is not “y”): change tags, add terms to columns.",
    );
  expect(inWords({ resource: { type: "MANAGEMENT" }, permissions: ["ALL"] }))
    .toBe("Everywhere: everything, also what later releases add.");
});
