import { HTTPException } from "hono/http-exception";
import { AppError, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { sqlState } from "#metadata/database.ts";

interface Body {
  code: string;
  message: string;
  retryable: boolean;
  resolvable: boolean;
  details: { field: string; message: string }[];
}

/** The one place where an error becomes an answer. What is not meant for the client is only logged. */
export function errorReply(error: unknown, log: Logger, request: Request): Response {
  const known = asAppError(error);
  const path = new URL(request.url).pathname;
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
  return reply(known.status, known, known.retryAfter);
}

export function notFoundReply(method: string, path: string): Response {
  return reply(404, {
    code: "USR002",
    message: `There is no ${method} ${path}`,
    retryable: false,
    resolvable: false,
    details: [],
  });
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

function reply(status: number, body: Body, retryAfter?: number): Response {
  const { code, message, retryable, resolvable, details } = body;
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  const text = JSON.stringify({ code, message, retryable, resolvable, details });
  return new Response(text, { status, headers });
}
