import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import { AppError } from "#kit/errors.ts";
import { repeatedKey } from "#kit/json-keys.ts";
import { PolicySchema } from "./document.ts";
import type { Problem } from "./excesses.ts";
import { maxDocument } from "./limits.ts";
import type { PolicyDocument } from "./model.ts";
import { problemsOf } from "./problems.ts";

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
