import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { statusBytes } from "../otlp/answers.ts";
import type { Refusal } from "../receivers/refusal.ts";

/** What became of a message: the answer's bytes, or why it was refused. */
export type Answer = { bytes: Buffer } | { refusal: Refusal };

/** A refusal as gRPC sends it, with RetryInfo where the same message may succeed later. */
export function statusOf(refusal: Refusal) {
  const metadata = new grpc.Metadata();
  if (refusal.retryAfterSeconds !== undefined) {
    metadata.set("grpc-status-details-bin", Buffer.from(statusBytes(refusal)));
  }
  return { code: refusal.code, details: refusal.message, metadata };
}
