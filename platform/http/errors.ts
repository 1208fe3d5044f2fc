import { HTTPException } from "hono/http-exception";
import { AppError, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { sqlState } from "#metadata/postgres/database.ts";

interface Body {
  code: string;
  message: string;
  retryable: boolean;
  resolvable: boolean;
  details: { field: string; message: string }[];
}

/** The only place that turns errors into responses. Details that are not for the client are only logged. */
export function errorReply(error: unknown, log: Logger, request: Request): Response {
  const known = asAppError(error);
  const path = pathOf(request);
  if (!known) {
    log.error("request failed", { method: request.method, path, error });
    return reply(500, {
      code: "SYS001",
      message: "Internal Server Error",
      retryable: false,
      resolvable: false,
      details: [],
    });
  }
  if (known.status >= 500) {
    log.warn("request refused", { method: request.method, path, status: known.status, error });
  }
  const headers = { ...known.headers };
  if (known.retryAfter !== undefined) headers["retry-after"] = String(known.retryAfter);
  return reply(known.status, known, headers);
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

function reply(status: number, body: Body, headers: Record<string, string> = {}): Response {
  const { code, message, retryable, resolvable, details } = body;
  const text = JSON.stringify({ code, message, retryable, resolvable, details });
  const type = { "content-type": "application/json; charset=utf-8" };
  return new Response(text, { status, headers: { ...type, ...headers } });
}
