import { inspectPattern } from "#kit/pattern.ts";
import type { Condition, PolicyDocument } from "./model.ts";
import { maxConditionDepth, maxConditions, maxPolicySteps } from "./limits.ts";

/** Somewhere in a document, and what is wrong there. */
export interface Problem {
  path: PropertyKey[];
  message: string;
}

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
export function excesses({ statements }: PolicyDocument): Problem[] {
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
