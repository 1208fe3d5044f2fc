import { AppError } from "#kit/errors.ts";

/** Why a thread was ended before its job was done. */
export type AbortReason = "deadline" | "memory" | "crash";

/** The 503 of a job whose thread was ended before it was done. */
export class ThreadAbortedError extends AppError {
  constructor(readonly reason: AbortReason) {
    super(messages[reason], { status: 503, code: "SYS002", retryable: true, retryAfter: 30 });
  }
}

const messages: Record<AbortReason, string> = {
  deadline: "The body took too long to read",
  memory: "The body took too much memory to read",
  crash: "Reading the body failed",
};
