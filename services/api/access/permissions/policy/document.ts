import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { type PermissionResource, permissionsByResource } from "#contract/permissions.ts";
import { type ConditionedResource, conditionKeys } from "./keys.ts";
import { maxConditions, maxPattern, maxStatements, maxValue } from "./limits.ts";
import { excesses } from "./excesses.ts";
import { all, type Condition, type PolicyDocument } from "./model.ts";

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
  const names = [...permissionsByResource[type], all];
  const conditions = type === "MANAGEMENT" ? {} : { conditions: conditionOn(type).optional() };
  return z.strictObject({
    resource: z.strictObject({ type: z.literal(type), ...conditions }),
    permissions: boundedArray(oneOf(names), names.length).min(1, { error: "must not be empty" }),
  });
}

/** Types of resources, in the order of the contract. */
export const resourceTypes = Object.keys(permissionsByResource) as PermissionResource[];

const Statement = z.union(resourceTypes.map(statementOn), { error: "must be a statement" });

/** A policy: the only source of what is taken, and of the JSON schema that is published. */
export const PolicySchema: z.ZodType<PolicyDocument> = z.strictObject({
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
