import { describe, expect, it } from "vitest";
import {
  newId,
  otlpBytes,
  otlpJson,
  serverSpans,
  type TestResource,
} from "#test/support/traces/otlp.ts";
import { KeyMatcher, MalformedRequest, maxSpans } from "./decoding.ts";
import { otlp } from "./generated/otlp.js";
import { decodeJson } from "./json.ts";
import { decodeProtobuf } from "./protobuf.ts";

const wanted = new KeyMatcher(
  new Set(["service.name", "db.system", "server.port", "flag", "list", "ratio", "big"]),
);

const rich: TestResource = {
  resource: { "service.name": "orders", "host.name": "unwanted" },
  spans: [{
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "00f067aa0ba902b7",
    parentSpanId: "b9c7c989f97918e1",
    name: "SELECT ü",
    kind: 3,
    startMs: 1_763_737_000_123,
    endMs: 1_763_737_000_456,
    error: true,
    attributes: {
      "db.system": "postgresql",
      "server.port": 5432,
      flag: true,
      ratio: 0.25,
      list: ["a", "b"],
      unwanted: "x".repeat(300),
      [`long.${"k".repeat(200)}`]: 1,
    },
    links: [{ traceId: newId(16), spanId: newId(8) }, {
      traceId: "00".repeat(16),
      spanId: newId(8),
    }],
  }],
};

describe("decodeProtobuf", () => {
  it("decodeProtobuf: gives the same model as decodeJson, wanted attributes only", () => {
    const { resourceSpans } = decodeProtobuf(otlpBytes([rich]), wanted);
    expect(resourceSpans).toEqual(decodeJson(utf8(otlpJson([rich])), wanted).resourceSpans);
    const [{ resource, spans }] = resourceSpans as [typeof resourceSpans[number]];
    expect(resource).toEqual({ "service.name": "orders" });
    expect(spans).toEqual([{
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
      parentSpanId: "b9c7c989f97918e1",
      name: "SELECT ü",
      kind: "client",
      startMicros: 1_763_737_000_123_000,
      endMicros: 1_763_737_000_456_000,
      error: true,
      attributes: {
        "db.system": "postgresql",
        "server.port": 5432,
        flag: true,
        ratio: 0.25,
        list: ["a", "b"],
      },
      links: [rich.spans[0]!.links![0]],
    }]);
  });

  it("decodeProtobuf: finds the spans that the generated decoder finds", () => {
    const bytes = otlpBytes([rich, serverSpans(20), rich]);
    const generated = otlp.TracesData.decode(bytes).resourceSpans.flatMap(({ scopeSpans }) =>
      (scopeSpans ?? []).flatMap(({ spans }) => spans ?? [])
    );
    const walked = decodeProtobuf(bytes, wanted).resourceSpans.flatMap(({ spans }) => spans);
    const shape = (span: otlp.Span.$Properties) => [
      Array.from(span.spanId!, (byte) => byte.toString(16).padStart(2, "0")).join(""),
      span.name,
      Math.round(Number(span.startTimeUnixNano) / 1_000),
    ];
    expect(walked.map((span) => [span.spanId, span.name, span.startMicros]))
      .toEqual(generated.map(shape));
  });

  it("decodeProtobuf: integers beyond 2^53 keep their digits", () => {
    const value = otlp.AnyValue.encode({}).uint32(3 << 3).int64("9223372036854775807").finish();
    const { resource } = decodeProtobuf(withAttribute("big", value), wanted).resourceSpans[0]!;
    expect(resource).toEqual({ big: "9223372036854775807" });
  });

  it("decodeProtobuf: a great many empty spans are refused without being kept", () => {
    const count = 2_000_000;
    const spans = new Uint8Array(count * 2).map((_, at) => at % 2 === 0 ? 0x12 : 0);
    const body = nested(0x0a, nested(0x12, spans));
    const before = process.memoryUsage().rss;
    expect(() => decodeProtobuf(body, wanted)).toThrow(`a request may hold ${maxSpans} spans`);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it.each([
    ["a message that claims too much", nested(0x0a, new Uint8Array([0x12, 0x7f]))],
    ["groups within groups", new Uint8Array(1_000_000).fill(0x1b)],
    ["a field without a number", new Uint8Array([0x00, 0x00])],
    ["an unknown wire type", new Uint8Array([0x0e])],
  ])("decodeProtobuf: %s is malformed", (_, bytes) => {
    expect(() => decodeProtobuf(bytes, wanted)).toThrow(MalformedRequest);
  });
});

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A tag, the length, and the bytes. */
function nested(tag: number, bytes: Uint8Array): Uint8Array {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) length.push(rest & 127 | 128);
  length.push(rest);
  return joined(new Uint8Array([tag, ...length]), bytes);
}

function joined(...chunks: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** A request with one span, whose resource has an attribute of this encoded value. */
function withAttribute(key: string, value: Uint8Array): Uint8Array {
  const attribute = joined(nested(0x0a, utf8(key)), nested(0x12, value));
  const inner = otlp.TracesData.decode(otlpBytes([serverSpans(1)])).resourceSpans[0]!
    .scopeSpans![0]!;
  const scope = otlp.ScopeSpans.encode(inner).finish();
  return nested(0x0a, joined(nested(0x0a, nested(0x0a, attribute)), nested(0x12, scope)));
}
