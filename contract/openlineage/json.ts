import { badRequest } from "#kit/errors.ts";
import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";

/** How much a body of events may contain: what is read of them is far less. */
export const eventJsonLimits: JsonLimits = {
  containers: 400_000,
  members: 1_000_000,
  elements: 1_000_000,
};

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON in UTF-8. `NaN` and `Infinity`, which Python writes by default, are read as null.
 * Throws a 400 `AppError` for anything else that is no JSON, and beyond `eventJsonLimits`.
 */
export function parseLeniently(bytes: Uint8Array, limits = eventJsonLimits): unknown {
  inspectJson(bytes, limits);
  return parseText(decoded(bytes));
}

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest("The body is not valid UTF-8");
  }
}

/** As `parseLeniently`, of text whose contents were counted before. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const repaired = withoutNaN(text);
    if (repaired !== undefined) {
      try {
        return JSON.parse(repaired);
      } catch {
        // The error refers to the text as it was sent.
      }
    }
    throw badRequest(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** The text with null for each `NaN` or `Infinity`; undefined when it has none. One pass. */
function withoutNaN(text: string): string | undefined {
  if (!text.includes("NaN") && !text.includes("Infinity")) return undefined;
  const pieces: string[] = [];
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') i = stringEnd(text, i);
    else {
      const length = wordAt(text, i);
      if (length === 0) continue;
      pieces.push(text.slice(copied, i), "null");
      copied = i + length;
      i = copied - 1;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

const words = ["NaN", "Infinity", "-Infinity"];

function wordAt(text: string, at: number): number {
  return words.find((word) => text.startsWith(word, at))?.length ?? 0;
}

/** Index of the closing quote of the string that opens at `at`. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '"') return i;
    if (text[i] === "\\") i++;
  }
  return text.length;
}
