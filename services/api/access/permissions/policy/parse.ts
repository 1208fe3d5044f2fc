import type { z } from "@hono/zod-openapi";
import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import { AppError } from "#kit/errors.ts";
import { repeatedKey } from "#kit/json-keys.ts";
import { PolicySchema, resourceTypes } from "./document.ts";
import type { Problem } from "./excesses.ts";
import { maxDocument } from "./limits.ts";
import type { PolicyDocument } from "./model.ts";

/** Room for the largest document, before it is parsed. */
const jsonLimits: JsonLimits = { containers: 3_000, members: 3_000, elements: 20_000 };

const encoder = new TextEncoder();

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
    inspectJson(encoder.encode(text), jsonLimits);
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

function plainly({ code, message }: Issue): string {
  return code === "invalid_type" && /received undefined$/.test(message) ? "is required" : message;
}
