import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { otlp } from "#services/trace-gateway/otlp/generated/otlp.js";
import { otlpBytes, type TestSpan, type TestValue } from "#test/support/traces/otlp.ts";
import { grpcCalls } from "#test/support/traces/otlp-clients.ts";
import { send, type ServerResponse } from "../send.ts";
import type { Subject } from "../subject.ts";
import { type CostCase, listed, mebibyte } from "./case.ts";

/** The largest request, bytes. */
const size = 16 * mebibyte - 1_024;
const statuses = [200, 400, 413, 415, 429, 503];

type Body = () => string | Uint8Array;

/** Everything that a receiver of spans may choke on, in each encoding and over each protocol. */
export function otlpCases(): CostCase[] {
  const json = Object.entries(jsonBodies()).map(([name, body]) => overHttp("JSON", name, body));
  const protobuf = Object.entries(protobufBodies());
  return [
    ...json,
    ...protobuf.map(([name, body]) => overHttp("protobuf", name, body)),
    ...["resources", "spans", "attributes", "spans with paths that look like versions"]
      .map((name) => overGrpc(name, protobufBodies()[name]!)),
    overHttp("JSON", "spans, eight at once", jsonBodies().spans!, 8),
    overHttp("protobuf", "spans, eight at once", protobufBodies().spans!, 8),
    overHttp("protobuf", "200 MB of nothing", () => new Uint8Array(200 * mebibyte)),
  ];
}

function overHttp(encoding: "JSON" | "protobuf", what: string, body: Body, times = 1): CostCase {
  const type = encoding === "JSON" ? "application/json" : "application/x-protobuf";
  return {
    name: `OTLP/HTTP, ${encoding}: ${what}`,
    declared: statuses,
    async send({ otlp }) {
      const sent = {
        body: gzipSync(body(), { level: 1 }),
        type,
        headers: { "content-encoding": "gzip" },
      };
      const all = await Promise.all(
        Array.from({ length: times }, () => send(`${otlp}/v1/traces`, sent)),
      );
      return all.toSorted((a, b) => a.status - b.status)[0]!;
    },
  };
}

/** Codes that exporters know what to do with: ok, wrong, exhausted, unavailable. */
const codes = new Set([0, 3, 8, 14]);

function overGrpc(what: string, body: Body): CostCase {
  return {
    name: `OTLP/gRPC: ${what}`,
    async send({ grpc }: Subject): Promise<ServerResponse> {
      const text = Buffer.from(body() as Uint8Array).toString("base64");
      const [answer] = await grpcCalls(grpc, [{ body: text }]);
      const status = codes.has(answer!.code) ? 200 : 500;
      return { status, text: JSON.stringify(answer), headers: new Headers() };
    },
  };
}

const ids = '"traceId":"5b8efff798038103d269b633813fc60c","spanId":"b7ad6b7169203331"';
const jsonSpan = (inner: string) =>
  `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]},` +
  `"scopeSpans":[{"spans":[{${ids},"kind":3,"name":"a",${inner}}]}]}]}`;
const repeated = (unit: string) =>
  unit.repeat(Math.floor((size - 400) / unit.length)).replace(/,$/, "");

function jsonBodies(): Record<string, Body> {
  const empty = () => repeated("{},");
  const deep = (open: string, close: string) => {
    const levels = Math.floor((size - 400) / (open.length + close.length));
    return open.repeat(levels) + close.repeat(levels);
  };
  return {
    resources: () => `{"resourceSpans":[${empty()}]}`,
    scopes: () => `{"resourceSpans":[{"scopeSpans":[${empty()}]}]}`,
    spans: () => `{"resourceSpans":[{"scopeSpans":[{"spans":[${empty()}]}]}]}`,
    attributes: () => jsonSpan(`"attributes":[${empty()}]`),
    links: () => jsonSpan(`"links":[${empty()}]`),
    events: () => jsonSpan(`"events":[${empty()}]`),
    "values of an attribute": () =>
      jsonSpan(`"attributes":[{"key":"db.system","value":{"arrayValue":{"values":[${empty()}]}}}]`),
    "values in values": () =>
      jsonSpan(
        `"attributes":[{"key":"db.system","value":${deep('{"arrayValue":{"values":[', "]}}")}}]`,
      ),
    "nested to the limit of size": () => deep("[", "]"),
    "many keys": () => `{${listed((n) => `"k${n}":0`, size)}}`,
    "one long number": () => jsonSpan(`"startTimeUnixNano":${repeated("1")}`),
    "one long text": () => jsonSpan(`"name":"${repeated("a")}"`),
    escapes: () => jsonSpan(`"name":"${repeated("\\ud800")}"`),
    "spans of a service each": () =>
      `{"resourceSpans":[${
        listed((n) =>
          jsonSpan(`"endTimeUnixNano":"1"`).slice(18, -2)
            .replace('{"stringValue":"a"}', `{"stringValue":"s${n}"}`), size - 100)
      }]}`,
  };
}

const spansOf = (count: number, attributes: (n: number) => Record<string, TestValue>) => () =>
  otlpBytes([{
    resource: { "service.name": "worst" },
    spans: Array.from({ length: count }, (_, n): TestSpan => ({
      kind: 3,
      name: "worst",
      attributes: attributes(n),
    })),
  }]);

/** Empty messages take two bytes each. */
const empties = (tag: number) => {
  const bytes = new Uint8Array(size - 1_024);
  for (let at = 0; at + 1 < bytes.length; at += 2) bytes[at] = tag;
  return bytes;
};
const around = (tag: number, inner: Uint8Array): Uint8Array => {
  const length: number[] = [];
  let rest = inner.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return new Uint8Array(Buffer.concat([Buffer.from([tag, ...length, rest]), inner]));
};
/** Field numbers of OTLP, each with wire type 2. */
const tags = { resourceSpans: 10, scopeSpans: 18, spans: 18, attributes: 74, links: 106 };

function protobufBodies(): Record<string, Body> {
  const { resourceSpans, scopeSpans, spans, attributes, links } = tags;
  const inSpan = (inner: Uint8Array) =>
    around(resourceSpans, around(scopeSpans, around(spans, inner)));
  const statement = "@".repeat(8_192);
  return {
    resources: () => empties(resourceSpans),
    scopes: () => around(resourceSpans, empties(scopeSpans)),
    spans: () => around(resourceSpans, around(scopeSpans, empties(spans))),
    attributes: () => inSpan(empties(attributes)),
    links: () => inSpan(empties(links)),
    "values in values": deepValue,
    "statements of @": spansOf(400, (n) => ({
      "db.system.name": "postgresql",
      "db.query.text": `${statement.slice(6)}${n}`,
    })),
    "statements of quotes": spansOf(1_000, (n) => ({
      "db.system.name": "mysql",
      "db.query.text": `SELECT ${n} FROM ${'"a".'.repeat(2_000)}`,
    })),
    "spans with paths that look like versions": spansOf(10, (n) => ({
      "http.request.method": "GET",
      "url.full": `http://worst.example/v${"1".repeat(60 + n)}!`,
    })),
    "long paths of versions": spansOf(500, (n) => ({
      "http.request.method": "GET",
      "url.full": `http://worst.example/${"v1-alpha".repeat(1_000)}${n}!`,
    })),
    "long addresses": spansOf(500, (n) => ({
      "http.request.method": "GET",
      "url.full": `${"a+".repeat(4_000)}${n}://${"@".repeat(8_000)}`,
      "server.address": ":".repeat(8_000),
    })),
    "many fields": spansOf(45_000, (n) => ({ a: n, b: n, c: n, d: n, e: n, f: n, g: n, h: n })),
    "sound spans": spansOf(50_000, (n) => ({ "server.address": `host${n}.example` })),
  };
}

/** A value in a value, as deep as the recursion of a decoder can be made to go. */
function deepValue(): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const wrap = (tag: number) => {
    const head = around(tag, new Uint8Array(0)).subarray(0, 1);
    const size: number[] = [];
    let rest = length;
    for (; rest > 127; rest >>>= 7) size.push((rest & 127) | 128);
    const whole = Uint8Array.from([...head, ...size, rest]);
    parts.push(whole);
    length += whole.length;
  };
  // ArrayValue is field 5 of AnyValue, its values are field 1.
  for (let n = 0; n < 200_000; n++) wrap(n % 2 === 0 ? 10 : 42);
  const value = Buffer.concat(parts.toReversed());
  const key = otlp.KeyValue.encode({ key: "db.system" }).finish();
  const attribute = Buffer.concat([key, around(18, value)]);
  const span = around(tags.attributes, attribute);
  return around(tags.resourceSpans, around(tags.scopeSpans, around(tags.spans, span)));
}
