import { type Limit, limit } from "#kit/limits.ts";

/** Longest question, in UTF-16 units. */
export const maxQuestion = 10_000;
/** Largest answer of the service, in bytes. */
export const maxAnswer = 1_048_576;
/** Maximum number of questions of all callers that wait for their answer. */
export const maxConcurrent = 16;
export const maxConcurrentOfCaller = 4;

const ask = "POST /api/genai/ask";

/** Limits of questions in natural language. */
export const genAiLimits: Limit[] = [
  limit(ask, "question, UTF-16 units", maxQuestion),
  limit(ask, "questions at once", maxConcurrent, "503 with Retry-After"),
  limit(ask, "questions of one caller at once", maxConcurrentOfCaller, "429 with Retry-After"),
  limit(ask, "response of the service, bytes", maxAnswer, "500"),
  {
    entrance: ask,
    bounds: "time of a response",
    limit: { key: "genai.request_timeout" },
    beyond: "500",
  },
];
