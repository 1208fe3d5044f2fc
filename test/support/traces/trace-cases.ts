import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { ResourceSpans, SpanKind, SpanModel } from "#services/trace-gateway/otlp/decoding.ts";

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const kinds = ["internal", "server", "client", "producer", "consumer"] as const;

const Span = z.strictObject({
  id: z.string(),
  trace: z.string().default("t"),
  parent: z.string().optional(),
  kind: z.enum(kinds) satisfies z.ZodType<SpanKind>,
  /** `name` or `namespace/name`. */
  service: z.string(),
  resource: z.record(z.string(), value).default({}),
  attributes: z.record(z.string(), value).default({}),
  /** Seconds after the first span, by the span's own clock. */
  start: z.number().default(0),
  ms: z.number().default(10),
  error: z.boolean().default(false),
  /** Each `trace/id`. */
  links: z.array(z.string()).default([]),
  /** Seconds after the first at which it arrives. */
  at: z.number().optional(),
  /** How often it arrives. */
  times: z.int().default(1),
});
type Span = z.infer<typeof Span>;

const Accounts = z.strictObject({
  read: z.int().default(0),
  paired: z.int().default(0),
  standalone: z.int().default(0),
  expired: z.int().default(0),
  duplicate: z.int().default(0),
  irrelevant: z.int().default(0),
});

const Case = z.strictObject({
  name: z.string(),
  /** Seconds. */
  window: z.number().default(30),
  spans: z.array(Span).default([]),
  /** Services that call each other round and round, two spans a call. */
  chain: z.strictObject({ spans: z.int(), services: z.int() }).optional(),
  /** By the text of the edge, as `edgeText` writes it. */
  edges: z.record(z.string(), z.strictObject({ calls: z.int(), errors: z.int().default(0) })),
  accounts: Accounts,
  /** Spans of which nothing is stored. */
  irrelevant: z.int().default(0),
});

/** A span, and the second at which it arrives. */
export interface Arrival {
  at: number;
  span: ResourceSpans;
}

export type TraceCase = Omit<z.infer<typeof Case>, "spans"> & {
  arrivals: Arrival[];
  /** The result does not depend on the order of arrival. */
  permutable: boolean;
};

/** The cases of one file of `test/cases/traces`. */
export function traceCases(file: string): TraceCase[] {
  const path = new URL(`../../cases/traces/${file}`, import.meta.url);
  return z.array(Case).parse(parse(readFileSync(path, "utf8"))).map((found) => {
    const spans = found.chain ? chain(found.chain.spans, found.chain.services) : found.spans;
    const arrivals = spans.flatMap((span) =>
      Array.from({ length: span.times }, () => ({ at: span.at ?? 0, span: modelOf(span) }))
    );
    return { ...found, arrivals, permutable: spans.every(({ at }) => at === undefined) };
  });
}

/** Span 2n serves what 2n - 1 called; the last is a call that nobody serves, if their number is even. */
function chain(count: number, services: number): Span[] {
  return Array.from({ length: count }, (_, i) => {
    const serves = i % 2 === 0;
    const callee = Math.ceil(i / 2) % services;
    return Span.parse({
      id: String(i),
      ...(i > 0 && { parent: String(i - 1) }),
      kind: serves ? "server" : "client",
      service: `s${Math.floor(i / 2) % services}`,
      attributes: serves ? { "http.request.method": "GET", "http.route": `/${callee}` } : {
        "http.request.method": "GET",
        "url.template": `/${callee}`,
        "server.address": `s${callee}`,
      },
    });
  });
}

const begin = Date.UTC(2031, 4, 5) * 1_000;

function modelOf(span: Span): ResourceSpans {
  const [name, namespace] = span.service.split("/").reverse();
  const startMicros = begin + span.start * 1_000_000;
  const model: SpanModel = {
    traceId: traceIdOf(span.trace),
    spanId: spanIdOf(span.id),
    parentSpanId: span.parent === undefined ? null : spanIdOf(span.parent),
    name: `span ${span.kind}`,
    kind: span.kind,
    startMicros,
    endMicros: startMicros + span.ms * 1_000,
    error: span.error,
    attributes: span.attributes,
    links: span.links.map((link) => {
      const [trace, id] = link.split("/");
      return { traceId: traceIdOf(trace!), spanId: spanIdOf(id!) };
    }),
  };
  const resource = {
    "service.name": name!,
    ...(namespace && { "service.namespace": namespace }),
    ...span.resource,
  };
  return { resource, spans: [model] };
}

/** Ids made of names, spread as random ones are. */
export function traceIdOf(name: string): string {
  return createHash("sha256").update(`trace ${name}`).digest("hex").slice(0, 32);
}

export function spanIdOf(name: string): string {
  return createHash("sha256").update(`span ${name}`).digest("hex").slice(0, 16);
}
