import { Buffer } from "node:buffer";
import { statusBytes } from "../otlp/answers.ts";
import { type Refusal, rpcCode } from "../receivers/refusal.ts";
import { type Field, withTrailers } from "./http2/runtime.ts";
import { encodings } from "./message.ts";

/** What became of a message: the answer's bytes, or why it was refused. */
export type Answer = { bytes: Uint8Array } | { refusal: Refusal };

const standard: Field[] = [
  ["content-type", "application/grpc"],
  ["grpc-accept-encoding", encodings],
];

/** The answer to a call as gRPC sends it, with RetryInfo where the same message may succeed later. */
export function responseOf(request: Request, answer: Answer): Response {
  // Without a message all stands in the headers.
  if ("refusal" in answer) {
    return new Response(null, { headers: [...standard, ...statusFields(answer.refusal)] });
  }
  const framed = new Uint8Array(5 + answer.bytes.length);
  new DataView(framed.buffer).setUint32(1, answer.bytes.length);
  framed.set(answer.bytes, 5);
  const response = new Response(framed, { headers: standard });
  return withTrailers(request, response, [["grpc-status", String(rpcCode.ok)]]);
}

function statusFields(refusal: Refusal): Field[] {
  const fields: Field[] = [
    ["grpc-status", String(refusal.code)],
    ["grpc-message", encodeURIComponent(refusal.message.toWellFormed())],
  ];
  if (refusal.retryAfterSeconds !== undefined) {
    const details = Buffer.from(statusBytes(refusal)).toString("base64");
    fields.push(["grpc-status-details-bin", details]);
  }
  return fields;
}
