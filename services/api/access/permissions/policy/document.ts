import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import { type PermissionResource, permissionsByResource } from "#contract/permissions.ts";
import { AppError } from "#kit/errors.ts";
import { repeatedKey } from "#kit/json-keys.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { inspectPattern, maxPatternSteps } from "#kit/pattern.ts";
import { plainly } from "#platform/operations/call.ts";
import { type ConditionedResource, conditionKeys } from "./keys.ts";

/** Longest policy document, in UTF-16 units. */
export const maxDocument = 65_536;
/** Maximum number of statements of a policy. */
export const maxStatements = 200;
/** Maximum number of conditions of a policy, nested ones too. */
export const maxConditions = 500;
/** Deepest nesting of `all` and `any`; a plain condition has depth 1. */
export const maxConditionDepth = 8;
/** Longest value that an attribute is compared with, in UTF-16 units. */
export const maxValue = 3_000;
/** Longest pattern, in UTF-16 units. */
export const maxPattern = 250;
/** Maximum number of steps of all patterns of a policy. */
const maxPolicySteps = 3_000;

/** Maximum number of policies that are stored. */
export const maxPolicies = 1_000;
/** Maximum number of roles that are stored. */
export const maxRoles = 1_000;
/** Maximum number of policies of a role. */
export const maxRolePolicies = 100;

const documents = "policy documents";

/** Limits of policies and roles. */
export const policyLimits: Limit[] = [
  limit(documents, "text, UTF-16 units", maxDocument),
  limit(documents, "statements", maxStatements),
  limit(documents, "conditions", maxConditions),
  limit(documents, "nesting of conditions", maxConditionDepth),
  limit(documents, "value of a condition, UTF-16 units", maxValue),
  limit(documents, "pattern of `match`, UTF-16 units", maxPattern),
  limit(documents, "pattern of `match`, steps of its program", maxPatternSteps),
  limit(documents, "all patterns, steps of their programs", maxPolicySteps),
  limit("policies and roles", "policies", maxPolicies),
  limit("policies and roles", "roles", maxRoles),
  limit("policies and roles", "policies of a role", maxRolePolicies),
];

/** A policy as it is written. */
export interface PolicyDocument {
  statements: PolicyStatement[];
}

/** Grants permissions on the resources of a type that meet its conditions. */
interface PolicyStatement {
  resource: { type: PermissionResource; conditions?: Condition };
  /** `ALL` is every permission of the type. */
  permissions: string[];
}

/** A condition of a statement: an object with exactly one of these members. */
export interface Condition {
  all?: Condition[];
  any?: Condition[];
  eq?: Comparison;
  not_eq?: Comparison;
  match?: Comparison;
  not_match?: Comparison;
  is?: string;
  not_is?: string;
}

/** One key, and what it is compared with. */
type Comparison = Record<string, string>;

/** Types of resources, in the order of the contract. */
export const resourceTypes = Object.keys(permissionsByResource) as PermissionResource[];

/** Instead of a permission: all of the type. */
export const allPermissions = "ALL";

function oneOf(values: readonly string[]) {
  return z.enum(values as [string, ...string[]], {
    error: `must be one of ${values.join(", ")}`,
  });
}

const textOf = (max: number) =>
  z.string().max(max, { error: `must be at most ${max} characters long` });
const Value = textOf(maxValue);
const Pattern = textOf(maxPattern).meta({
  description: "A pattern of RE2 syntax that the whole value must match; a point is any character",
});

/** An object with exactly one of `keys`. */
function comparison(keys: readonly string[], value: z.ZodType<string>) {
  return z.partialRecord(oneOf(keys), value)
    .refine((given) => Object.keys(given).length === 1, {
      error: `must hold exactly one of ${keys.join(", ")}`,
    })
    .meta({ minProperties: 1, maxProperties: 1 });
}

function conditionOn(type: ConditionedResource): z.ZodType<Condition> {
  const { attributes, relations } = conditionKeys[type];
  const nested = boundedArray(z.lazy(() => condition), maxConditions)
    .min(1, { error: "must not be empty" });
  const [value, pattern] = [comparison(attributes, Value), comparison(attributes, Pattern)];
  const members = {
    all: nested,
    any: nested,
    eq: value,
    not_eq: value,
    match: pattern,
    not_match: pattern,
    ...(relations.length > 0 ? { is: oneOf(relations), not_is: oneOf(relations) } : {}),
  };
  const choices = Object.entries(members).map(([name, member]) =>
    z.strictObject({ [name]: member })
  );
  const condition: z.ZodType<Condition> = z.union(choices, {
    error: `must hold exactly one of ${Object.keys(members).join(", ")}`,
  }).meta({ id: `${type}_CONDITION` }) as never;
  return condition;
}

function statementOn(type: PermissionResource) {
  const names = [...permissionsByResource[type], allPermissions];
  const conditions = type === "MANAGEMENT" ? {} : { conditions: conditionOn(type).optional() };
  return z.strictObject({
    resource: z.strictObject({ type: z.literal(type), ...conditions }),
    permissions: boundedArray(oneOf(names), names.length).min(1, { error: "must not be empty" }),
  });
}

const Statement = z.union(resourceTypes.map(statementOn), { error: "must be a statement" });

/** A policy: the only source of what is taken, and of the JSON schema that is published. */
const PolicySchema: z.ZodType<PolicyDocument> = z.strictObject({
  statements: boundedArray(Statement, maxStatements).min(1, { error: "must not be empty" }),
}).superRefine((document, context) => {
  for (const excess of excesses(document as PolicyDocument)) {
    context.addIssue({ code: "custom", ...excess });
  }
}) as never;

/** JSON schema (draft 2020-12) of policy documents, as text. */
export function policySchemaText(): string {
  return JSON.stringify(z.toJSONSchema(PolicySchema, { io: "input" }), null, 2);
}

/** Room for the largest document, before it is parsed. */
const jsonLimits: JsonLimits = { containers: 3_000, members: 3_000, elements: 20_000 };

/** Somewhere in a document, and what is wrong there. */
interface Problem {
  path: PropertyKey[];
  message: string;
}

/** A policy document, or everything that is wrong with the text. */
export function parsePolicy(
  text: string,
): { document: PolicyDocument } | { problems: Problem[] } {
  const json = parsedJson(text);
  if (!("value" in json)) return json;
  const { success, data, error } = PolicySchema.safeParse(json.value);
  return success ? { document: data } : { problems: problemsOf(error.issues) };
}

function parsedJson(text: string): { value: unknown } | { problems: Problem[] } {
  const problem = (message: string) => ({ problems: [{ path: [], message }] });
  if (text.length > maxDocument) return problem(`must be at most ${maxDocument} characters long`);
  try {
    inspectJson(new TextEncoder().encode(text), jsonLimits);
    const value = JSON.parse(text);
    const repeated = repeatedKey(text);
    if (repeated === undefined) return { value };
    return problem(`must not have the key ${JSON.stringify(repeated)} twice in one object`);
  } catch (error) {
    return problem(error instanceof AppError ? error.message : "must be a JSON text");
  }
}

type Issue = z.core.$ZodIssue;

/** Of the alternatives of a statement or condition, reports only the problems of the intended one. */
function problemsOf(issues: readonly Issue[], above: PropertyKey[] = []): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const path = [...above, ...issue.path];
    if (issue.code === "invalid_union") return ofUnion(issue, path);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: [...path, key], message: "is not known here" }));
    }
    return [{ path, message: plainly(issue) }];
  });
}

function ofUnion(issue: Issue & { code: "invalid_union" }, path: PropertyKey[]): Problem[] {
  const statement = path.length === 2;
  const meant = issue.errors.filter((branch) => !branch.some(statement ? otherType : otherMember));
  if (statement && meant.length === 0) {
    const message = `must be one of ${resourceTypes.join(", ")}`;
    return [{ path: [...path, "resource", "type"], message }];
  }
  if (meant[0] && (statement || meant.length === 1)) return problemsOf(meant[0], path);
  return [{ path, message: issue.message }];
}

/** The statement is about another type of resource. */
const otherType = ({ code, path }: Issue) =>
  code === "invalid_value" && path.join() === "resource,type";

/** The condition has another member. */
const otherMember = ({ code, path }: Issue) => code === "unrecognized_keys" && path.length === 0;

/** A condition with its place and its depth, from 1. */
interface LocatedCondition {
  condition: Condition;
  path: PropertyKey[];
  depth: number;
}

/**
 * What of a document of the right shape is too much, or is no pattern. Stops at the first pattern that is
 * refused, since finding that out is what costs.
 */
function excesses({ statements }: PolicyDocument): Problem[] {
  const placed = statements.flatMap(({ resource: { conditions } }, at) =>
    conditions ? within(conditions, ["statements", at, "resource", "conditions"], 1) : []
  );
  if (placed.length > maxConditions) {
    return [{ path: ["statements"], message: `must hold at most ${maxConditions} conditions` }];
  }
  const deep = placed.find(({ depth }) => depth > maxConditionDepth);
  if (deep) {
    return [{ path: deep.path, message: `is nested deeper than ${maxConditionDepth}` }];
  }
  return patternExcess(placed);
}

function within(condition: Condition, path: PropertyKey[], depth: number): LocatedCondition[] {
  const name = condition.all ? "all" : "any";
  const inner = condition.all ?? condition.any ?? [];
  return [
    { condition, path, depth },
    ...inner.flatMap((one, at) => within(one, [...path, name, at], depth + 1)),
  ];
}

function patternExcess(placed: LocatedCondition[]): Problem[] {
  let steps = 0;
  for (const { condition, path } of placed) {
    const name = condition.match ? "match" : "not_match";
    for (const [key, pattern] of Object.entries(condition.match ?? condition.not_match ?? {})) {
      const found = inspectPattern(pattern);
      const place = [...path, name, key];
      if ("problem" in found) return [{ path: place, message: found.problem }];
      steps += found.steps;
      if (steps > maxPolicySteps) {
        const message = `is one pattern too many: all become more than ${maxPolicySteps} steps`;
        return [{ path: place, message }];
      }
    }
  }
  return [];
}
