/** Codes of an error body, as clients see them. */
export type ErrorCode = "USR001" | "USR002" | "USR003" | "USR004" | "SYS001" | "SYS002";

/** One wrong place in a request: `field` is a path such as `items[3].dataset.field_list`. */
export interface ErrorDetail {
  field: string;
  message: string;
}

export interface AppErrorOptions {
  /** HTTP status that the API answers with. */
  status: number;
  code: ErrorCode;
  retryable?: boolean;
  resolvable?: boolean;
  details?: ErrorDetail[];
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  /** Further headers of the answer, such as `Allow`. */
  headers?: Record<string, string>;
  /** For the log only, never for the client. */
  cause?: unknown;
}

/**
 * An error whose message is meant for the client. Everything else that is thrown is a 500 with a
 * fixed text, and its message goes to the log alone.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly resolvable: boolean;
  readonly details: ErrorDetail[];
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(publicMessage: string, options: AppErrorOptions) {
    super(publicMessage, { cause: options.cause });
    this.name = "AppError";
    this.status = options.status;
    this.code = options.code;
    this.retryable = options.retryable ?? false;
    this.resolvable = options.resolvable ?? false;
    this.details = options.details ?? [];
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }
}

/** 400: the request itself is wrong. */
export function badRequest(message: string, details: ErrorDetail[] = []): AppError {
  return new AppError(message, { status: 400, code: "USR001", resolvable: true, details });
}

/** 404: `kind` and `key` name what was asked for. */
export function notFound(kind: string, key: string | number): AppError {
  return new AppError(`${kind} ${key} was not found`, { status: 404, code: "USR002" });
}

/** 400: a rule of uniqueness or integrity forbids it. */
export function conflict(message: string, details: ErrorDetail[] = []): AppError {
  return new AppError(message, { status: 400, code: "USR003", resolvable: true, details });
}

/** 400: something still depends on what should be deleted. */
export function hasDependants(message: string): AppError {
  return new AppError(message, { status: 400, code: "USR004", resolvable: true });
}

/** 503 with `Retry-After`: an engine is down, a deadline passed, or a queue is full. */
export function unavailable(message: string, retryAfter = 5, cause?: unknown): AppError {
  return new AppError(message, {
    status: 503,
    code: "SYS002",
    retryable: true,
    retryAfter,
    cause,
  });
}

/**
 * A failure that the same input will meet again; a stage that throws it sends the input to the dead
 * letters. `reason` is a short stable word (`unknown_data_source`), fit for a metric label.
 */
export class PermanentError extends Error {
  readonly reason: string;
  readonly details: ErrorDetail[];
  constructor(reason: string, message: string, details: ErrorDetail[] = [], cause?: unknown) {
    super(message, { cause });
    this.name = "PermanentError";
    this.reason = reason;
    this.details = details;
  }
}

// Deno 2.7 says no more where the client had something to send before the handshake was over.
const failedHandshake = /\bwrite UNKNOWN\b/;

/** A failure by the name of its engine, which the words of client libraries leave out; for a cause. */
export function engineFailure(engine: string, error: unknown): Error {
  const said = messageOf(error);
  const why = failedHandshake.test(said)
    ? "the TLS handshake failed: its certificate must be of an authority that is known (ssl.ca-file) " +
      "and for the name it is reached by"
    : said;
  return new Error(`${engine}: ${why}`, { cause: error });
}

/** The text of whatever was thrown, for logs. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0 && error.message === "") {
    return error.errors.map(messageOf).join("; ");
  }
  return error instanceof Error ? error.message : String(error);
}
