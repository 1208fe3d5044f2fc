import { noMetrics } from "#kit/metrics.ts";
import { clientAddressBy } from "#platform/http/client-address.ts";
import { RefusedBodies } from "#platform/http/refused-bodies.ts";
import { Budget } from "../intake/budget.ts";
import { refusalOf, RequestRejectedError, rpcCode } from "../receivers/refusal.ts";
import { tokenCheck } from "../receivers/token.ts";
import { type Answer, responseOf } from "./answer.ts";
import { forward } from "./forward.ts";
import { readMessage } from "./message.ts";
import type { Orders } from "./protocol.ts";

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
