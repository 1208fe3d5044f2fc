import { AppError, type AppErrorOptions, messageOf } from "#kit/errors.ts";
import { prepareBatch, type PreparedBatch } from "./prepare.ts";

/** What the pool is sent back for a body. */
export type PrepareAnswer =
  | { id: number; batch: PreparedBatch }
  | { id: number; refused: { message: string; options: AppErrorOptions } }
  | { id: number; failed: string };

interface Scope {
  onmessage: ((event: MessageEvent<{ id: number; body: Uint8Array }>) => void) | null;
  postMessage(answer: PrepareAnswer, transfer: ArrayBufferLike[]): void;
}

const scope = globalThis as unknown as Scope;

scope.onmessage = ({ data: { id, body } }) => {
  try {
    const batch = prepareBatch(body);
    scope.postMessage({ id, batch }, batch.parts.map((part) => part.body.buffer));
  } catch (error) {
    scope.postMessage(failure(id, error), []);
  }
};

function failure(id: number, error: unknown): PrepareAnswer {
  if (!(error instanceof AppError)) return { id, failed: messageOf(error) };
  const { status, code, retryable, resolvable, details } = error;
  return {
    id,
    refused: { message: error.message, options: { status, code, retryable, resolvable, details } },
  };
}
