import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  type Permission,
  type PermissionResource,
  permissionsByResource,
} from "#contract/permissions.ts";
import { expectLinear } from "#test/support/linear.ts";
import { seeded } from "#test/support/random.ts";
import {
  allPermissions,
  type Condition,
  parsePolicy,
  type PolicyDocument,
  resourceTypes,
} from "./document.ts";
import { type ConditionedResource, conditionKeys } from "./keys.ts";
import { compilePolicy, Rules, type Subject } from "./rules.ts";

interface Case {
  name: string;
  policies: PolicyDocument[];
  on: { kind: PermissionResource; is?: string[] } & Record<string, string | string[]>;
  grants: Permission[];
}

const cases: Case[] = parse(readFileSync("test/cases/policies/evaluation.yaml", "utf8"));

const prefixes = { DATA_ENTITY: "dataEntity", TERM: "term", QUERY_EXAMPLE: "queryexample" };

function subjectOf({ kind: type, is = [], ...attributes }: Case["on"]): Subject | undefined {
  if (type === "MANAGEMENT") return undefined;
  const key = (name: string) => `${prefixes[type]}:${name}`;
  const values = Object.entries(attributes).map(([name, value]) =>
    [key(name), [value].flat()] as const
  );
  for (const [name] of values) expect(conditionKeys[type].attributes).toContain(name);
  return { attributes: new Map(values), relations: new Set(is.map(key)) };
}

/** As stored: through its text, held to the schema. */
function rulesOf(policies: PolicyDocument[]): Rules {
  return new Rules(policies.flatMap((policy) => {
    const parsed = parsePolicy(JSON.stringify(policy));
    if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
    return compilePolicy(parsed.document);
  }));
}

describe.each(cases)("policies: $name", ({ policies, on, grants }) => {
  const rules = rulesOf(policies);
  const subject = subjectOf(on);

  it("grant exactly these permissions", () => {
    expect([...rules.granted(on.kind, subject)].sort()).toEqual(grants.toSorted());
  });

  it("answer one by one as they do together", () => {
    if (!subject) return expect(grants.every((one) => rules.holds(on.kind, one))).toBe(true);
    const granted = permissionsByResource[on.kind].filter((one) =>
      rules.allowsOn(subject, on.kind, one)
    );
    expect(granted.toSorted()).toEqual(grants.toSorted());
    const possible = granted.filter((one) =>
      rules.holds(on.kind, one) || rules.mayBeGranted(on.kind, one)
    );
    expect(possible).toEqual(granted);
  });
});

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;
const words = ["a", "b", "ab", "constructor", "A"];

function condition(random: Random, type: ConditionedResource, depth = 1): Condition {
  const { attributes, relations } = conditionKeys[type];
  const roll = random();
  if (roll < 0.3 && depth < 8) {
    const inner = () => condition(random, type, depth + 1);
    const list = Array.from({ length: 1 + Math.floor(random() * 3) }, inner);
    return roll < 0.15 ? { all: list } : { any: list };
  }
  if (roll < 0.5 && relations[0]) return { [pick(random, ["is", "not_is"])]: relations[0] };
  const name = pick(random, ["eq", "not_eq", "match", "not_match"]);
  const value = name.endsWith("eq") ? pick(random, words) : pick(random, ["a.*", "a|b", "[^a]+"]);
  return { [name]: { [pick(random, attributes)]: value } };
}

function policy(random: Random): PolicyDocument {
  const statement = () => {
    const type = pick(random, resourceTypes);
    const permissions = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => random() < 0.1 ? allPermissions : pick(random, permissionsByResource[type]),
    );
    const some = type !== "MANAGEMENT" && random() < 0.7;
    return {
      resource: { type, ...(some ? { conditions: condition(random, type) } : {}) },
      permissions,
    };
  };
  return { statements: Array.from({ length: 1 + Math.floor(random() * 4) }, statement) };
}

function subject(random: Random, type: ConditionedResource): Subject {
  const { attributes, relations } = conditionKeys[type];
  const values = () => Array.from({ length: Math.floor(random() * 3) }, () => pick(random, words));
  return {
    attributes: new Map(attributes.map((key) => [key, values()])),
    relations: new Set(relations.filter(() => random() < 0.5)),
  };
}

describe("policies at random", () => {
  const seeds = Array.from({ length: 200 }, (_, seed) => seed);

  it.each(seeds)("grant no less with more policies and statements, seed %i", (seed) => {
    const random = seeded(seed);
    const policies = Array.from({ length: 1 + Math.floor(random() * 4) }, () => policy(random));
    const fewer = policies.slice(0, -1);
    const [last] = policies.slice(-1) as [PolicyDocument];
    const shorter = { statements: last.statements.slice(0, -1) };
    for (const type of Object.keys(conditionKeys) as ConditionedResource[]) {
      const on = subject(random, type);
      const whole = rulesOf(policies).granted(type, on);
      const less = new Rules([...fewer, shorter].flatMap(compilePolicy)).granted(type, on);
      expect(less.isSubsetOf(whole)).toBe(true);
      expect(whole.isSubsetOf(new Set(permissionsByResource[type]))).toBe(true);
      // What is granted without conditions holds whatever the resource.
      expect(rulesOf(policies).granted(type).isSubsetOf(whole)).toBe(true);
      const separately = policies.map((one) => rulesOf([one]).granted(type, on));
      expect(separately.reduce((a, b) => a.union(b))).toEqual(whole);
    }
  });

  it("grant nothing where there are none", () => {
    for (const type of resourceTypes) {
      const on = type === "MANAGEMENT" ? undefined : subject(seeded(1), type);
      expect(new Rules([]).granted(type, on).size).toBe(0);
    }
  });
});

describe("time", () => {
  const on: Subject = {
    attributes: new Map([["dataEntity:catrn", ["//postgresql/a/b/orders"]]]),
    relations: new Set(),
  };
  const many = (count: number): PolicyDocument => ({
    statements: Array.from({ length: count }, (_, at) => ({
      resource: {
        type: "DATA_ENTITY",
        conditions: { match: { "dataEntity:catrn": `.*/orders_${at}` } },
      },
      permissions: ["DATA_ENTITY_TAGS_UPDATE"],
    })),
  });

  it("to compile and evaluate grows with the number of statements", async () => {
    await expectLinear((count) => {
      new Rules(compilePolicy(many(count))).granted("DATA_ENTITY", on);
    }, 50);
  });

  it.each([
    ".*(a|aa)+b",
    "(a*)*b",
    "(a|a?)+b",
    "(.*)(.*)(.*)(.*)b",
    "([a-z]+)*[0-9]",
    "(?:a?){90}b",
  ])(
    "to match %s grows with the length of the text",
    async (pattern) => {
      const conditions = { match: { "dataEntity:externalName": pattern } };
      const rules = rulesOf([{
        statements: [{
          resource: { type: "DATA_ENTITY", conditions },
          permissions: [allPermissions],
        }],
      }]);
      await expectLinear((length) => {
        const attributes = new Map([["dataEntity:externalName", ["a".repeat(length)]]]);
        expect(rules.granted("DATA_ENTITY", { ...on, attributes }).size).toBe(0);
      }, 500);
    },
  );
});
