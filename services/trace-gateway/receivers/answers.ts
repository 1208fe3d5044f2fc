import { type Clock, systemClock } from "#kit/clock.ts";
import { AppError, messageOf, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { OverloadedError } from "../intake/budget.ts";
import type { IntakeResult } from "../intake/intake.ts";
import { MalformedRequest } from "../otlp/decoding.ts";
import { otlp, rpc } from "../otlp/generated/otlp.js";

/** Codes of google.rpc.Status, which are those of gRPC. */
export const rpcCode = {
  ok: 0,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Why an exporter was refused, as a status of HTTP and as a code of gRPC. */
export interface Refusal {
  status: number;
  code: number;
  message: string;
  /** Only where the same request may succeed later. */
  retryAfterSeconds?: number;
}

/** A request that is refused for its form (path, headers, encoding, size), before its spans are looked at. */
export class RequestRejectedError extends Error {
  constructor(readonly status: number, readonly code: number, message: string) {
    super(message);
    this.name = "RequestRejectedError";
  }
}

/** The error text for an exporter; for an unexpected failure only that it happened. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RequestRejectedError) {
    return { status: error.status, code: error.code, message: error.message };
  }
  if (error instanceof MalformedRequest) {
    return { status: 400, code: rpcCode.invalidArgument, message: error.message };
  }
  if (error instanceof OverloadedError) {
    const { message, retryAfterSeconds } = error;
    return { status: 429, code: rpcCode.resourceExhausted, message, retryAfterSeconds };
  }
  if (error instanceof AppError && error.status === 503) {
    const { message, retryAfter: retryAfterSeconds = 5 } = error;
    return { status: 503, code: rpcCode.unavailable, message, retryAfterSeconds };
  }
  if (error instanceof AppError && error.status === 429) {
    const { message, retryAfter: retryAfterSeconds = 1 } = error;
    return { status: 429, code: rpcCode.resourceExhausted, message, retryAfterSeconds };
  }
  if (error instanceof AppError && error.status < 500) {
    return {
      status: error.status,
      code: error.status === 403 ? rpcCode.permissionDenied : rpcCode.invalidArgument,
      message: error.message,
    };
  }
  if (error instanceof PermanentError && error.reason === "record_too_large") {
    return { status: 413, code: rpcCode.invalidArgument, message: error.message };
  }
  return { status: 500, code: rpcCode.internal, message: "The trace gateway failed" };
}

/** Milliseconds in which one kind of rejection is logged once. */
const quietMs = 5_000;
/** Maximum number of kinds; beyond it all are reset. */
const maxKinds = 100;

/**
 * Writes why requests were not taken. During an outage that is thousands of times a second the same, so
 * of each kind one line is written in five seconds, with how many there were since the last. The
 * counters of requests and spans have them all.
 */
export class RejectionLog {
  readonly #kinds = new Map<string, { at: number; since: number }>();

  constructor(private readonly log: Logger, private readonly clock: Clock = systemClock) {}

  logRejection(error: unknown): void {
    const now = this.clock.now();
    const kind = messageOf(error);
    const known = this.#kinds.get(kind);
    if (known && now - known.at < quietMs) return void known.since++;
    if (this.#kinds.size >= maxKinds) this.#kinds.clear();
    this.#kinds.set(kind, { at: now, since: 0 });
    this.log.warn("trace request refused", { error, alike: known?.since ?? 0 });
  }
}

/** A refusal as google.rpc.Status carries it. */
type StatusMessage = Omit<Refusal, "status">;

/** ExportTraceServiceResponse in protobuf. */
export function answerBytes({ refused, reason }: IntakeResult): Uint8Array<ArrayBuffer> {
  if (refused === 0) return new Uint8Array();
  const partialSuccess = { rejectedSpans: refused, errorMessage: reason ?? "" };
  return copied(otlp.ExportTraceServiceResponse.encode({ partialSuccess }).finish());
}

/** ExportTraceServiceResponse in JSON, where 64-bit integers are texts. */
export function answerJson({ refused, reason }: IntakeResult): string {
  if (refused === 0) return "{}";
  const partialSuccess = { rejectedSpans: String(refused), errorMessage: reason ?? "" };
  return JSON.stringify({ partialSuccess });
}

const retryInfoType = "type.googleapis.com/google.rpc.RetryInfo";

/** google.rpc.Status in protobuf, with RetryInfo when the same request may succeed later. */
export function statusBytes({ code, message, retryAfterSeconds }: StatusMessage) {
  const details: rpc.Any.$Properties[] = retryAfterSeconds === undefined ? [] : [{
    typeUrl: retryInfoType,
    value: rpc.RetryInfo.encode({ retryDelay: { seconds: retryAfterSeconds } }).finish(),
  }];
  return copied(rpc.Status.encode({ code, message, details }).finish());
}

/** google.rpc.Status in JSON. */
export function statusJson({ code, message, retryAfterSeconds }: StatusMessage): string {
  if (retryAfterSeconds === undefined) return JSON.stringify({ code, message });
  const details = [{ "@type": retryInfoType, retryDelay: `${retryAfterSeconds}s` }];
  return JSON.stringify({ code, message, details });
}

/** The writer's buffer may be a view of a pool. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
