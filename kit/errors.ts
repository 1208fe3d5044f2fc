/** Error codes that clients find in an error body. */
export type ErrorCode = "USR001" | "USR002" | "USR003" | "USR004" | "SYS001" | "SYS002";

/** One invalid field of a request: `field` is a path such as `items[3].dataset.field_list`. */
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
  /** Seconds; sent as the header `Retry-After`. */
  retryAfter?: number;
  /** Further headers of the response, such as `Allow`. */
  headers?: Record<string, string>;
  /** For the log only, never for the client. */
  cause?: unknown;
}

/**
 * An error whose message is meant for the client. Anything else that is thrown becomes a 500 with a fixed
 * text, and its message is only logged.
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

/** A status of 4xx for a request that its client can correct. */
export function clientError(
  status: number,
  message: string,
  more: Pick<AppErrorOptions, "details" | "headers"> = {},
): AppError {
  return new AppError(message, { status, code: "USR001", resolvable: true, ...more });
}

/** 400: the request is invalid. */
export function badRequest(message: string, details: ErrorDetail[] = []): AppError {
  return clientError(400, message, { details });
}

/** Most invalid fields that a refusal lists, unless it says otherwise. */
export const maxFields = 50;

/** 400: fields of a part of the request, such as "body", are invalid. Names the first, and lists at most `most`. */
export function invalidFields(part: string, details: ErrorDetail[], most = maxFields): AppError {
  const [first] = details;
  const text = first ? `Invalid ${part}: ${first.field}: ${first.message}` : `Invalid ${part}`;
  return badRequest(text, details.slice(0, most));
}

/** 400: one field of the body is invalid. */
export function invalidField(field: string, message: string): AppError {
  return invalidFields("body", [{ field, message }]);
}

/** Throws 400 that names each id of a list of the body, such as `roles`, for which there is nothing of this kind. */
export function requireKnown(
  list: string,
  kind: string,
  ids: readonly number[],
  known: ReadonlySet<number>,
): void {
  const details = ids.flatMap((id, at) =>
    known.has(id) ? [] : [{ field: `${list}[${at}].id`, message: `there is no ${kind} ${id}` }]
  );
  if (details.length > 0) throw invalidFields("body", details);
}

/** 401: the caller is not signed in, or its credentials are wrong. */
export function unauthenticated(message: string): AppError {
  const headers = { "www-authenticate": 'Bearer realm="Tributary"' };
  return clientError(401, message, { headers });
}

/** 403: the caller may not do this. */
export function forbidden(message: string): AppError {
  return clientError(403, message);
}

/** 413: the body, or a list or file in it, exceeds its limit. */
export function tooLarge(message: string, details: ErrorDetail[] = []): AppError {
  return clientError(413, message, { details });
}

/** 404: `kind` and `key` name the object that was requested. */
export function notFound(kind: string, key: string | number): AppError {
  return new AppError(`${kind} ${key} was not found`, { status: 404, code: "USR002" });
}

/** The first of what was found; throws 404 when nothing was. */
export function requireFound<T>([first]: T[], kind: string, key: string | number): T {
  if (first === undefined) throw notFound(kind, key);
  return first;
}

/** 400: the request violates a uniqueness or integrity rule. */
export function conflict(message: string, details: ErrorDetail[] = []): AppError {
  return new AppError(message, { status: 400, code: "USR003", resolvable: true, details });
}

/** 429 with `Retry-After`, in seconds: the client asks for too much. */
export function tooManyRequests(message: string, retryAfter: number): AppError {
  return new AppError(message, { status: 429, code: "SYS002", retryable: true, retryAfter });
}

/** 400: the object cannot be deleted while others depend on it. */
export function hasDependants(message: string): AppError {
  return new AppError(message, { status: 400, code: "USR004", resolvable: true });
}

/** 503 with `Retry-After`: an engine is down, a deadline passed, or a queue is full. */
export function unavailable(message: string, retryAfter = 5, cause?: unknown): AppError {
  return new AppError(message, { status: 503, code: "SYS002", retryable: true, retryAfter, cause });
}

/**
 * A failure that would occur again with the same input, so the stage that throws it sends the input to the
 * dead letters. `reason` is a short stable word (`unknown_data_source`) that can serve as a metric label.
 */
export class PermanentError extends Error {
  constructor(
    readonly reason: string,
    message: string,
    readonly details: ErrorDetail[] = [],
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = "PermanentError";
  }
}

// Deno 2.7 reports only this when the client had data to send before the handshake was over.
const failedHandshake = /\bwrite UNKNOWN\b/;

/** Wraps a failure for use as a `cause` and adds the engine's name, which client libraries leave out. */
export function engineFailure(engine: string, error: unknown): Error {
  const said = messageOf(error);
  const why = failedHandshake.test(said)
    ? "the TLS handshake failed: its certificate must be of an authority that is known (ssl.ca-file) " +
      "and for the name it is reached by"
    : said;
  return new Error(`${engine}: ${why}`, { cause: error });
}

/** The message of any thrown value, for logs. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0 && error.message === "") {
    return error.errors.map(messageOf).join("; ");
  }
  return error instanceof Error ? error.message : String(error);
}
