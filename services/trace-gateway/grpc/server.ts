import { Buffer } from "node:buffer";
import { gunzipSync, inflateSync } from "node:zlib";
import { noMetrics } from "#kit/metrics.ts";
import { messageOf } from "#kit/errors.ts";
import { clientAddressBy } from "#platform/http/request-headers.ts";
import { RefusedBodies } from "#platform/http/refusals.ts";
import { Budget, type Reservation } from "../intake/budget.ts";
import {
  type Refusal,
  refusalOf,
  RequestRejectedError,
  rpcCode,
  statusBytes,
} from "../receivers/answers.ts";
import { tokenCheck } from "../receivers/token.ts";
import { answerHeaders, clientAuthorization, type Orders } from "./protocol.ts";
import { type Field, withTrailers } from "./http2/runtime.ts";
import { inflate, readAll } from "../receivers/exports.ts";

/** Bytes that a call counts for at least: even a call that sends nothing takes memory. */
export const minOfCall = 16 * 1024;

/** Calls by path; whether its signal is taken. */
const paths = new Map(
  Object.entries({ trace: true, metrics: false, logs: false }).map(([signal, taken]) => {
    const name = `${signal[0]!.toUpperCase()}${signal.slice(1)}Service`;
    return [`/opentelemetry.proto.collector.${signal}.v1.${name}/Export`, { signal, taken }];
  }),
);

/**
 * OTLP over gRPC as a handler of HTTP/2 requests of a `peer`, which hands every message to the intake. Where the peer is a
 * trusted proxy, the client that it names has the share, not the proxy.
 * Never rejects.
 */
export function grpcServer(orders: Orders) {
  const clientOf = clientAddressBy(orders.trustedProxies ?? []);
  const checkToken = tokenCheck({ own: orders.token });
  const refused = new RefusedBodies({ allowance: orders.maxRefusedBytes, metrics: noMetrics });
  const budget = new Budget(orders.maxInFlight, noMetrics, refused);
  const taken = async (request: Request, client: string): Promise<Answer> => {
    const reservation = budget.open(client);
    try {
      checkPath(new URL(request.url).pathname);
      const authorization = request.headers.get("authorization");
      await checkToken(authorization);
      reservation.atLeast(minOfCall);
      const message = await readMessage(request, reservation, orders.maxBytes);
      const answer = await forward(message, authorization, orders);
      if ("refusal" in answer) await reservation.refused(answer.refusal.status, request.signal);
      return answer;
    } catch (error) {
      // Drops the rest of the body; not awaited, since a read that is under way would hold it up.
      request.body?.cancel().catch(() => {});
      const refusal = refusalOf(error);
      await reservation.refused(refusal.status, request.signal);
      return { refusal };
    } finally {
      reservation.release();
    }
  };
  return async (request: Request, peer: string): Promise<Response> => {
    const notGrpc = refusedAsHttp(request);
    return notGrpc ?? responseOf(request, await taken(request, clientOf(request.headers, peer)));
  };
}

/** Answers requests that are not gRPC with a status of HTTP. */
function refusedAsHttp({ method, headers }: Request): Response | null {
  // No gRPC client sends it, and every web page's POST does.
  if (headers.has("origin")) return new Response(null, { status: 403 });
  if (method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const type = headers.get("content-type") ?? "";
  return /^application\/grpc($|[+;])/.test(type) ? null : new Response(null, { status: 415 });
}

function checkPath(path: string): void {
  const known = paths.get(path);
  if (known?.taken) return;
  const message = known
    ? `This gateway takes traces, no ${known.signal}`
    : "The only method here is Export of opentelemetry.proto.collector.trace.v1.TraceService";
  throw new RequestRejectedError(404, rpcCode.unimplemented, message);
}

/**
 * Hands a message, with the `authorization` of its call, to the intake in the gateway's own process; resolves with what
 * that says.
 */
async function forward(
  message: Uint8Array<ArrayBuffer>,
  authorization: string | null,
  orders: Orders,
): Promise<Answer> {
  const { url, token } = orders.intake;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/x-protobuf",
        ...(authorization === null ? {} : { [clientAuthorization]: authorization }),
      },
      // Bytes the runtime would send a second time, unasked, when the connection breaks.
      body: new Blob([message]),
      signal: AbortSignal.timeout(orders.answerWithinMs),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const code = Number(response.headers.get(answerHeaders.code) ?? rpcCode.unavailable);
    if (code === rpcCode.ok) return { bytes };
    const message_ = decodeURIComponent(response.headers.get(answerHeaders.message) ?? "");
    const retryAfter = response.headers.get("retry-after");
    const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
    return { refusal: { status: response.status, code, message: message_, retryAfterSeconds } };
  } catch {
    const message = "The trace gateway does not answer";
    return { refusal: { status: 503, code: rpcCode.unavailable, message, retryAfterSeconds: 1 } };
  }
}

/** What became of a message: the answer's bytes, or why it was refused. */
type Answer = { bytes: Uint8Array } | { refusal: Refusal };

/** A flag and the length of what follows, before each message. */
const headBytes = 5;

const inflaters = { gzip: gunzipSync, deflate: inflateSync };

/** Supported encodings of messages, for `grpc-accept-encoding`. */
const encodings = `identity,${Object.keys(inflaters).join(",")}`;

/**
 * The one message of a unary call, inflated. Throws RESOURCE_EXHAUSTED without RetryInfo beyond
 * `maxBytes` (as sent and inflated) and with it when there is no room, DEADLINE_EXCEEDED when it does
 * not come, UNIMPLEMENTED for an unknown encoding and for anything but one whole message.
 */
async function readMessage(
  request: Request,
  reservation: Reservation,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readAll(request, reservation, headBytes + maxBytes, () => tooLarge(maxBytes));
  if (bytes.length < headBytes) throw refused(rpcCode.unimplemented, "The call has no message");
  const compressed = bytes[0] === 1;
  if (bytes[0]! > 1) throw refused(rpcCode.internal, "The message has unknown flags");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (length > maxBytes) throw tooLarge(maxBytes);
  if (length !== bytes.length - headBytes) {
    throw refused(rpcCode.unimplemented, "The call is not one whole message");
  }
  const message = bytes.subarray(headBytes);
  return compressed ? inflated(request.headers, message, reservation, maxBytes) : message;
}

function inflated(
  headers: Headers,
  message: Uint8Array,
  reservation: Reservation,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const encoding = headers.get("grpc-encoding") ?? "identity";
  if (!isKnown(encoding)) {
    throw refused(rpcCode.unimplemented, `The encoding must be one of ${encodings}`);
  }
  return inflate(message, {
    inflater: inflaters[encoding],
    reservation,
    maxBytes,
    tooLarge: () => tooLarge(maxBytes),
    malformed: (cause) =>
      refused(rpcCode.internal, `The message is not ${encoding}: ${messageOf(cause)}`),
  });
}

function isKnown(encoding: string): encoding is keyof typeof inflaters {
  return Object.hasOwn(inflaters, encoding);
}

function refused(code: number, message: string): RequestRejectedError {
  return new RequestRejectedError(400, code, message);
}

function tooLarge(maxBytes: number): RequestRejectedError {
  const message = `The message is larger than ${maxBytes} bytes (traces.max-request-size)`;
  return new RequestRejectedError(413, rpcCode.resourceExhausted, message);
}

const standard: Field[] = [
  ["content-type", "application/grpc"],
  ["grpc-accept-encoding", encodings],
];

/** The answer to a call as gRPC sends it, with RetryInfo where the same message may succeed later. */
function responseOf(request: Request, answer: Answer): Response {
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
