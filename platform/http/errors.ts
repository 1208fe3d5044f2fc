import { HTTPException } from "hono/http-exception";
import { AppError, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { sqlState } from "#metadata/postgres/database.ts";
import type { Route } from "#platform/operations/declare.ts";

interface ErrorFields {
  code: string;
  message: string;
  retryable: boolean;
  resolvable: boolean;
  details: { field: string; message: string }[];
}

/** Makes the body of an error, for clients that expect another one than ours. */
type ErrorBody = NonNullable<Route["spec"]["errorBody"]>["of"];

/** The only place that turns errors into responses. Details that are not for the client are only logged. */
export function errorReply(
  error: unknown,
  log: Logger,
  request: Request,
  shape?: ErrorBody,
): Response {
  const known = asAppError(error);
  const path = pathOf(request);
  if (!known) {
    log.error("request failed", { method: request.method, path, error });
    const body = { code: "SYS001", message: "Internal Server Error" };
    return reply(500, { ...body, retryable: false, resolvable: false, details: [] }, {}, shape);
  }
  if (known.status >= 500) {
    log.warn("request refused", { method: request.method, path, status: known.status, error });
  }
  const headers = { ...known.headers };
  if (known.retryAfter !== undefined) headers["retry-after"] = String(known.retryAfter);
  return reply(known.status, known, headers, shape);
}

/** A request line may contain an invalid URL. */
function pathOf({ url }: Request): string {
  return URL.parse(url)?.pathname ?? "";
}

function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof PermanentError) {
    return new AppError(error.message, { status: 400, code: "USR001", details: error.details });
  }
  if (error instanceof HTTPException && error.status < 500) {
    return new AppError(error.message || "Bad request", {
      status: error.status,
      code: error.status === 404 ? "USR002" : "USR001",
      resolvable: true,
    });
  }
  if (sqlState(error)?.startsWith("23")) {
    return new AppError("The change breaks a rule of uniqueness or integrity", {
      status: 400,
      code: "USR003",
      resolvable: true,
      cause: error,
    });
  }
  return undefined;
}

function reply(
  status: number,
  body: ErrorFields,
  headers: Record<string, string>,
  shape?: ErrorBody,
): Response {
  const { code, message, retryable, resolvable, details } = body;
  const ours = { code, message, retryable, resolvable, details };
  const text = JSON.stringify(shape ? shape({ status, message }) : ours);
  const type = { "content-type": "application/json; charset=utf-8" };
  return new Response(text, { status, headers: { ...type, ...headers } });
}

/** The bodies of errors that operations declare, by the path of the request. */
export function errorBodiesOf(
  routes: Pick<Route, "spec">[],
): (path: string) => ErrorBody | undefined {
  const declared = routes.flatMap(({ spec: { path, errorBody } }) =>
    errorBody ? [{ beginning: path.split("{", 1)[0]!, of: errorBody.of }] : []
  );
  return (path) => declared.find(({ beginning }) => path.startsWith(beginning))?.of;
}

/** Maps errors to the status that clients of the path treat as retryable, as its operation declares. */
export function busyErrorsOf(
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
