import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import type { SpanFact } from "#contract/traces.ts";
import { partitionOf } from "#eventlog/records.ts";
import { seeded } from "#test/support/random.ts";
import { spanIdOf, traceIdOf } from "#test/support/traces/trace-cases.ts";
import { Traffic } from "#test/support/traces/trace-traffic.ts";
import type { Attributes, SpanModel } from "../otlp/decoding.ts";
import { tablesOf } from "#platform/sql/tables.ts";
import { maxRaw } from "./attributes.ts";
import { serviceOf } from "./facts.ts";
import { factAttributes, factsOf, pack, unpack } from "./index.ts";
import { PathBudget, templated } from "./calls.ts";

const Statement = z.strictObject({
  sql: z.string(),
  reads: z.array(z.string()).default([]),
  writes: z.array(z.string()).default([]),
});
const file = new URL("../../../test/cases/traces/statements.yaml", import.meta.url);
const statements = z.array(Statement).parse(parse(readFileSync(file, "utf8")));

describe("tablesOf", () => {
  it.each(statements)("$sql", ({ sql, reads, writes }) => {
    const uses = tablesOf(sql, maxRaw);
    const of = (access: string) => uses.filter((u) => u.access === access).map((u) => u.table);
    expect({ reads: of("read").sort(), writes: of("write").sort() })
      .toEqual({ reads: reads.sort(), writes: writes.sort() });
  });

  it("looks at the beginning of a long statement only", () => {
    const far = `SELECT ${" ".repeat(8_192)} FROM orders`;
    expect(tablesOf(far, maxRaw)).toEqual([]);
  });
});

describe("templated", () => {
  it.each([
    ["/orders/42/lines", "/orders/{id}/lines"],
    ["/orders/0b7c5c6e-3b9a-4c27-9d6f-0a2f3f0f9f11?token=s3cret#x", "/orders/{uuid}"],
    ["/v1/users/deadbeefcafe/s3/oauth2", "/v1/users/{hex}/s3/oauth2"],
    ["/reports/2031-05-05/anna%40example.com", "/reports/{date}/{value}"],
    ["//a///b/", "/a/b"],
    ["", "/"],
    [`/${"x".repeat(60)}`, "/{value}"],
    ["/v1.2-beta3/x/v2alpha1/v1rc", "/v1.2-beta3/x/v2alpha1/v1rc"],
    [`/v${"1".repeat(60)}!`, "/{value}"],
    [`/v${"1".repeat(60)}`, "/{value}"],
    [`/${"a/".repeat(40)}`, `/${"a/".repeat(12)}{rest}`],
  ])("%s → %s", (path, folded) => expect(templated(path)).toBe(folded));
});

describe("PathBudget", () => {
  it("bounds the paths of a service, and the services", () => {
    const budget = new PathBudget({ services: 3, pathsPerService: 5 });
    const seen = new Set<string>();
    for (let service = 0; service < 10; service++) {
      for (let i = 0; i < 1_000; i++) {
        seen.add(`${service} ${budget.within(`s${service}`, `/a${i % 37}/b${i}`)}`);
      }
    }
    expect(seen.size).toBeLessThanOrEqual(3 * 11 + 7);
    expect(budget.within("s0", "/a0/b0")).toBe("/a0/b0");
  });
});

describe("serviceOf", () => {
  it.each<[Attributes, string | null]>([
    [{ "service.name": "a", "service.namespace": "n", "service.version": "2" }, "n/a@2"],
    [{ "service.name": "unknown_service:java", "k8s.deployment.name": "d" }, "-/d@-"],
    [{ "k8s.namespace.name": "n", "k8s.pod.name": "cart-6d5f9c7b8-x2x7z" }, "n/cart@-"],
    [{ "k8s.replicaset.name": "cart-6d5f9c7b8" }, "-/cart@-"],
    [{ "service.name": "unknown_service", "faas.name": "f" }, "-/f@-"],
    [{ "container.name": "c", "process.executable.name": "java" }, "-/c@-"],
    [{ "process.executable.name": "java", "host.name": "h" }, "-/java@h@-"],
    [{ "service.name": "unknown_service:node", "host.name": "h" }, "-/node@h@-"],
    [{ "service.instance.id": "i" }, "-/unnamed@i@-"],
    [{ "service.name": "unknown_service:node" }, null],
    [{}, null],
  ])("%j → %s", (resource, expected) => {
    const service = serviceOf(resource);
    const { namespace, name, version } = service ?? {};
    expect(service && `${namespace ?? "-"}/${name}@${version ?? "-"}`).toBe(expected);
  });
});

function spanOf(attributes: Attributes): SpanModel {
  return {
    traceId: traceIdOf("t"),
    spanId: spanIdOf("s"),
    parentSpanId: null,
    name: "call",
    kind: "client",
    startMicros: 0,
    endMicros: 1_500,
    error: false,
    attributes,
    links: [],
  };
}

function clientOf(attributes: Attributes): SpanFact {
  const spans = [spanOf(attributes)];
  return factsOf([{ resource: { "service.name": "a" }, spans }]).facts[0]!;
}

describe("factsOf", () => {
  it.each<[Attributes, string | null, string | null]>([
    [
      { "http.method": "get", "http.url": "https://u:p@h.example/x/1?q=s" },
      "GET /x/{id}",
      "h.example",
    ],
    [{ "http.method": "GET", "net.peer.name": "H", "net.peer.port": 8080 }, "GET", "h:8080"],
    [{ "http.method": "GET", "peer.service": "pay", "net.peer.name": "h" }, "GET", "pay"],
    [{ "http.request.method": "_OTHER", "url.template": "/a/{b}" }, "HTTP /a/{b}", null],
    [{ "rpc.system": "grpc", "rpc.service": "p.S", "rpc.method": "M" }, "p.S/M", null],
    [{ "rpc.system.name": "grpc", "rpc.method": "p.S/M" }, "p.S/M", null],
    [{ "net.sock.peer.addr": "::1", "net.sock.peer.port": 99 }, "call", "[::1]:99"],
  ])("names what a client calls: %j", (attributes, operation, peer) => {
    expect(clientOf(attributes)).toMatchObject({ operation, peer, durationMicros: 1_500 });
  });

  it("leaves out a span, or a resource, that cannot be read, and takes those next to it", () => {
    const poison = new Proxy<Attributes>({}, {
      get() {
        throw new Error("poison");
      },
    });
    const spans = [
      spanOf({ "peer.service": "x" }),
      spanOf(poison),
      spanOf({ "http.method": "GET" }),
    ];
    const made = factsOf([
      { resource: { "service.name": "a" }, spans },
      { resource: poison, spans },
      { resource: {}, spans },
    ]);
    expect(made.facts.map(({ operation }) => operation)).toEqual(["call", "GET"]);
    expect(made).toMatchObject({ irrelevant: 3, unreadable: 4 });
  });

  it("keeps no statement, query string, credential or value of a key", () => {
    const secret = "hunter2";
    const facts = [
      clientOf({
        "http.method": "GET",
        "http.url": `https://u:${secret}@h/x?k=${secret}#${secret}`,
      }),
      clientOf({ "db.system": "mysql", "db.statement": `SELECT '${secret}' FROM t -- ${secret}` }),
      clientOf({ "db.system": "redis", "db.statement": `SET k ${secret}` }),
      clientOf({
        "db.system": "postgresql",
        "db.connection_string": `postgres://u:${secret}@db:5432/x?password=${secret}`,
      }),
    ];
    expect(JSON.stringify(facts)).not.toContain(secret);
    expect(facts[3]!.targets[0]).toMatchObject({ address: "db:5432" });
  });

  it("asks for every attribute that it reads, and for none that it does not keep", () => {
    expect(factAttributes.has("http.route")).toBe(true);
    expect([...factAttributes].filter((name) => /header|cookie|query$/.test(name))).toEqual([]);
  });

  it("makes texts fit for the store of whatever comes", () => {
    const fact = clientOf({ "peer.service": `a\u0000b\ud800${"x".repeat(5_000)}` });
    expect(fact.peer).toMatch(/^ab\ufffdx+$/);
    expect(fact.peer!.length).toBeLessThanOrEqual(256);
  });
});

describe("pack", () => {
  const source = new Traffic(seeded(21));
  const facts = factsOf(Array.from({ length: 200 }, () => source.trace()).flat()).facts;
  const bySpan = (a: SpanFact, b: SpanFact) => (a.spanId < b.spanId ? -1 : 1);

  it("loses nothing, and unpack reads what it wrote", () => {
    const records = pack(facts, 6);
    expect(new Set(records.map((r) => r.partition)).size).toBe(records.length);
    expect(records.flatMap(unpack).sort(bySpan)).toEqual(facts.toSorted(bySpan));
  });

  it("puts a trace, and consumers that follow it, into one partition", () => {
    for (const record of pack(facts, 6)) {
      for (const fact of unpack(record)) {
        expect(partitionOf(fact.link?.traceId ?? fact.traceId, 6)).toBe(record.partition);
      }
    }
  });

  it("splits what is larger than a record may be", () => {
    const records = pack(facts, 1, 4_000);
    expect(records.every(({ value }) => value.byteLength <= 4_000)).toBe(true);
    expect(records.flatMap(unpack)).toEqual(facts);
    const many = Array.from({ length: 11_000 }, () => facts[0]!);
    expect(pack(many, 1).map((record) => unpack(record).length)).toEqual([5_000, 3_000, 3_000]);
  });

  it.each([
    ["not json", "1", "invalid_record"],
    ["{}", "1", "invalid_record"],
    ["{}", "2", "unknown_version"],
  ])("unpack refuses %s of version %s", (text, version, reason) => {
    const record = {
      value: new TextEncoder().encode(text),
      headers: { type: "traces.spans", version },
    };
    expect(() => unpack(record)).toThrow(expect.objectContaining({ reason }));
  });

  it("unpack refuses columns of different length, references to nothing and NUL", () => {
    const [record] = pack(facts.slice(0, 3), 1);
    const value = JSON.parse(new TextDecoder().decode(record!.value));
    const broken = [
      { ...value, span: value.span.slice(1) },
      { ...value, service: [99, 99, 99] },
      { ...value, strings: value.strings.map(() => "\u0000") },
    ];
    for (const one of broken) {
      const bytes = new TextEncoder().encode(JSON.stringify(one));
      expect(() => unpack({ ...record!, value: bytes }))
        .toThrow(expect.objectContaining({ reason: "invalid_record" }));
    }
  });
});
