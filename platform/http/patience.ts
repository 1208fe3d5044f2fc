import { AppError } from "#kit/errors.ts";

/** Where clients of OpenLineage post: they come again after 503, and give the event up after 429. */
const giveUpAfter429 = /^\/api\/v1\/lineage(\/|$)/;

/** The error in the status that whoever calls this path takes for "come again". */
export function asUnderstood(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || error.status !== 429) return error;
  if (!giveUpAfter429.test(path)) return error;
  const { message, code, retryAfter = 1, details } = error;
  return new AppError(message, { status: 503, code, retryable: true, retryAfter, details });
}
