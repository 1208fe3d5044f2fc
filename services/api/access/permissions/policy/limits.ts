import { type Limit, limit } from "#kit/limits.ts";
import { maxPatternSteps } from "#kit/pattern.ts";

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
export const maxPolicySteps = 3_000;

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
