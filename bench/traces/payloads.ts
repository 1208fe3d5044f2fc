import { newId, otlpBytes, type TestResource, type TestSpan } from "#test/support/traces/otlp.ts";

/** A request as an exporter would send it, and how many spans it holds. */
export interface Payload {
  body: Uint8Array<ArrayBuffer>;
  spans: number;
}

/** Fills spans up to 20 attributes; only a few others carry information. */
const ballast = {
  "thread.id": 17,
  "thread.name": "http-nio-8080-exec-4",
  "code.function.name": "com.shop.orders.OrderController.list",
  "network.protocol.name": "http",
  "network.protocol.version": "1.1",
  "network.peer.address": "10.4.18.112",
  "network.peer.port": 41_902,
  "client.address": "203.0.113.9",
  "user_agent.original": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
  "http.request.header.accept": "application/json",
  "http.request.body.size": 0,
  "http.response.body.size": 18_233,
  "http.response.status_code": 200,
  "enduser.id": "8f14e45f",
  "feature_flag.key": "new-checkout",
};

/**
 * `count` requests of `size` spans; half of each request are calls and half the spans that answer them, so
 * that all pair; ids are new in every request. `edges`: the number of different calls, counted from `first`.
 */
export function payloads(count: number, size: number, edges: number, first = 0): Payload[] {
  let call = first;
  return Array.from({ length: count }, () => {
    const resources = new Map<string, TestResource>();
    for (let n = 0; n < size / 2; n++) addCall(resources, call++ % edges);
    return { body: otlpBytes([...resources.values()]), spans: size };
  });
}

function addCall(resources: Map<string, TestResource>, edge: number): void {
  // A callee has at most a thousand operations, like real services.
  const [caller, callee] = [`caller-${edge % 10}`, `callee-${Math.floor(edge / 1_000)}`];
  const route = `/shop/operation-${edge % 1_000}/{id}`;
  const traceId = newId(16);
  const client = newId(8);
  const common = { traceId, name: `GET ${route}` };
  add(resources, caller, {
    ...common,
    kind: 3,
    spanId: client,
    attributes: { ...attributesOf(route), "server.address": callee, "server.port": 8080 },
  });
  add(resources, callee, {
    ...common,
    kind: 2,
    parentSpanId: client,
    attributes: attributesOf(route),
  });
}

function attributesOf(route: string): Record<string, string | number> {
  return {
    ...ballast,
    "http.request.method": "GET",
    "http.route": route,
    "url.path": route.replace("{id}", "4711"),
    "url.scheme": "http",
    "url.query": "page=2",
  };
}

function add(resources: Map<string, TestResource>, service: string, span: TestSpan): void {
  const existing = resources.get(service);
  if (existing) existing.spans.push(span);
  else {
    const resource = { "service.name": service, "service.namespace": "bench" };
    resources.set(service, { resource, spans: [span] });
  }
}
