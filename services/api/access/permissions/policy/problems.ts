import type { z } from "@hono/zod-openapi";
import { resourceTypes } from "./document.ts";
import type { Problem } from "./excesses.ts";

type Issue = z.core.$ZodIssue;

/** Of the alternatives of a statement or condition, reports only the problems of the intended one. */
export function problemsOf(issues: readonly Issue[], above: PropertyKey[] = []): Problem[] {
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

function plainly({ code, message }: Issue): string {
  return code === "invalid_type" && /received undefined$/.test(message) ? "is required" : message;
}
