import { t } from "#web/messages/text.ts";

/** A refusal of the API, or that it was not reached. */
export class ApiError extends Error {
  /** HTTP status; 0 when the service was not reached. */
  readonly status: number;
  /** What is wrong with which field. */
  readonly details: { field: string; message: string }[];
  /** Seconds to wait before the next attempt, if the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    status: number,
    rest: Partial<Pick<ApiError, "details" | "retryAfter">> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.details = rest.details ?? [];
    this.retryAfter = rest.retryAfter;
  }

  static of(response: Response, body: unknown): ApiError {
    const { message, details } = (body ?? {}) as Partial<ApiError>;
    const retry = Number(response.headers.get("retry-after") ?? NaN);
    return new ApiError(
      message || t("kit.serverAnswered", { status: String(response.status) }),
      response.status,
      {
        details: Array.isArray(details) ? details : [],
        retryAfter: Number.isFinite(retry) ? retry : undefined,
      },
    );
  }

  /** Nobody is signed in any more. */
  get signedOut(): boolean {
    return this.status === 401;
  }

  /** Trying again may help. */
  get temporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function unreachable(cause: unknown): ApiError {
  const late = cause instanceof DOMException && cause.name === "TimeoutError";
  return new ApiError(
    late ? t("kit.serverTooSlow") : t("app.serverUnreachable"),
    0,
  );
}

/** All that a refusal says, in a line. */
export function messageOf(error: unknown): string {
  return [...messagesByField(error).values()].join("; ");
}

/** Messages of a refusal by field, the rest under `""`. */
export function messagesByField(error: unknown): Map<string, string> {
  if (!(error instanceof ApiError)) return new Map(error ? [["", String(error)]] : []);
  const named = error.details.map(({ field, message }) => [field, message] as const);
  return new Map(named.length > 0 ? named : [["", error.message]]);
}
