import process from "node:process";
import { serialize } from "node:v8";
import { Script } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { AppError, type AppErrorOptions, messageOf, PermanentError } from "#kit/errors.ts";

/**
 * A job for a thread. Bytes are passed between threads as separate buffers: as a view within a message they
 * would take this runtime a second per megabyte, and fifty times their memory.
 */
export interface ThreadJob {
  id: number;
  input: unknown;
  bytes: ArrayBuffer;
}

/** An error, serialised for the transfer between threads. */
type SerializedError =
  | { kind: "app"; message: string; options: AppErrorOptions }
  | { kind: "permanent"; reason: string; message: string; details: PermanentError["details"] }
  | { kind: "unknown"; message: string };

/** What a thread posts once it takes jobs. This runtime drops what is posted to it before, while its script loads. */
export const threadReady = "ready";

export interface ThreadStart {
  /** Milliseconds that a job may take. */
  deadlineMs: number;
}

/**
 * The answer of a thread; `exiting`: the thread ends after this answer; `large`: it should end once there is nothing
 * to do. `output` is for `deserialize`.
 */
export type ThreadAnswer =
  & { id: number; exiting: boolean; large: boolean }
  & (
    | { output: ArrayBuffer }
    | { thrown: SerializedError }
    | { late: true }
  );

/** Holds the current job for `call`, a script that can only reach global variables. */
const scope = globalThis as { currentJob?: () => unknown };
const call = new Script("globalThis.currentJob()");

/**
 * The main loop of a thread of a `ThreadPool`: answers each job with the result of `work`. Errors of `work`
 * are thrown again in the calling thread with their own class. A job past its deadline is ended, together
 * with its thread, from within: `terminate()` of this runtime does not stop code that is running.
 */
export function serveJobs<I, O>(work: (input: I, bytes: Uint8Array) => O): void {
  const port = parentPort!;
  const { deadlineMs } = workerData as ThreadStart;
  const within = (job: () => ArrayBuffer): ArrayBuffer => {
    scope.currentJob = job;
    return call.runInThisContext({ timeout: deadlineMs }) as ArrayBuffer;
  };
  port.on("message", ({ id, input, bytes }: ThreadJob) => {
    const job = () => bufferOf(serialize(work(input as I, new Uint8Array(bytes))));
    const result = resultOf(() => within(job));
    const transfer = "output" in result ? [result.output] : [];
    const { heapTotal } = process.memoryUsage();
    const exiting = "late" in result || heapTotal > largestHeap;
    port.postMessage({ id, exiting, large: heapTotal > largestIdleHeap, ...result }, transfer);
    if (exiting) setTimeout(() => process.exit(), 0);
  });
  port.postMessage(threadReady);
}

/** Bytes of heap beyond which a thread is replaced by a new one, whose code is slow until it is warm. */
const largestHeap = 192 * 1_048_576;

/** Bytes of heap that a thread without a job may keep: most of it is garbage that the next job would collect. */
const largestIdleHeap = 128 * 1_048_576;

function resultOf(
  job: () => ArrayBuffer,
): { output: ArrayBuffer } | { late: true } | { thrown: SerializedError } {
  try {
    return { output: job() };
  } catch (error) {
    const late = (error as { code?: string } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return late ? { late: true } : { thrown: packed(error) };
  }
}

/** The bytes in a buffer that contains nothing else; copies them when they are only part of a buffer. */
export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  const whole = byteOffset === 0 && byteLength === buffer.byteLength;
  // `slice` of a Node buffer returns a view, not a copy.
  return (whole ? buffer : new Uint8Array(bytes).buffer) as ArrayBuffer;
}

function packed(error: unknown): SerializedError {
  if (error instanceof AppError) {
    const { message, status, code, retryable, resolvable, details, retryAfter } = error;
    const options = {
      status,
      code,
      retryable,
      resolvable,
      details,
      ...(retryAfter ? { retryAfter } : {}),
    };
    return { kind: "app", message, options };
  }
  if (error instanceof PermanentError) {
    const { reason, message, details } = error;
    return { kind: "permanent", reason, message, details };
  }
  return { kind: "unknown", message: messageOf(error) };
}

/** Rebuilds, for this thread, an error that was thrown in another thread. */
export function unpacked(thrown: SerializedError): Error {
  if (thrown.kind === "app") return new AppError(thrown.message, thrown.options);
  if (thrown.kind === "permanent") {
    return new PermanentError(thrown.reason, thrown.message, thrown.details);
  }
  return new Error(thrown.message);
}
