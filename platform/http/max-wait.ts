import { AppError } from "#kit/errors.ts";
import type { Route } from "#platform/operations/declare.ts";

/** Maps errors to the status that clients of the path treat as retryable, as its operation declares. */
export function maxWaitOf(
  routes: Pick<Route, "spec">[],
): (error: unknown, path: string) => unknown {
  const declared = routes.filter(({ spec }) => spec.busyStatus === 503);
  const paths = new Set(declared.flatMap(({ spec: { path, aliases = [] } }) => [path, ...aliases]));
  return (error, path) => paths.has(path) ? asUnavailable(error) : error;
}

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status !== 429) return error;
  const { message, code, retryAfter = 1, details } = error;
  return new AppError(message, { status: 503, code, retryable: true, retryAfter, details });
}
