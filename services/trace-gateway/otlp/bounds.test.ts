import protobufjs from "protobufjs/minimal.js";
import { describe, expect, it } from "vitest";
import { newId, otlpBytes, otlpJson, type TestResource } from "#test/support/traces/otlp.ts";
import {
  jsonLimits,
  KeyMatcher,
  MalformedRequest,
  maxFields,
  maxFieldsTogether,
  maxGroups,
  maxLinks,
  maxSpans,
} from "./decoding.ts";
import { otlp } from "./generated/otlp.js";
import { decodeJson } from "./json.ts";
import { decodeProtobuf } from "./protobuf.ts";
import { cpuMs } from "#test/support/linear.ts";

const wanted = new KeyMatcher(new Set(["service.name", "map"]));
const utf8 = (text: string) => new TextEncoder().encode(text);
const json = (text: string) => () => decodeJson(utf8(text), wanted);
const protobuf = (bytes: Uint8Array) => () => decodeProtobuf(bytes, wanted);

/** A request with one span of these attributes, in the encoder's own form. */
function withValue(value: otlp.AnyValue.$Properties) {
  const span = {
    traceId: new Uint8Array(16).fill(1),
    spanId: new Uint8Array(8).fill(1),
    attributes: [{ key: "map", value }],
  };
  const bytes = otlp.TracesData.encode({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const ids = { traceId: "01".repeat(16), spanId: "01".repeat(8) };
  const spans = [{ ...ids, attributes: [{ key: "map", value }] }];
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  return { bytes: new Uint8Array(bytes.finish()), text };
}

/** A map within a map, `levels` deep. */
function nestedMap(levels: number): otlp.AnyValue.$Properties {
  let value: otlp.AnyValue.$Properties = { stringValue: 'x"' };
  for (let n = 0; n < levels; n++) value = { kvlistValue: { values: [{ key: "k", value }] } };
  return value;
}

/** A list within a list, `levels` deep. */
function nestedList(levels: number): otlp.AnyValue.$Properties {
  let value: otlp.AnyValue.$Properties = {};
  for (let n = 0; n < levels; n++) value = { arrayValue: { values: [value] } };
  return value;
}

/** `count` empty messages of a field. */
const empties = (number: number, count: number) =>
  new Uint8Array(2 * count).map((_, n) => n % 2 ? 0 : number << 3 | 2);

/** Bytes as the one message of a field. */
function around(number: number, inner: Uint8Array): Uint8Array {
  return new protobufjs.Writer().uint32(number << 3 | 2).bytes(inner).finish();
}
const inSpan = (inner: Uint8Array) => around(1, around(2, around(2, inner)));

const many: TestResource = {
  resource: { "service.name": "orders" },
  spans: Array.from({ length: maxSpans + 1 }, () => ({ kind: 2 })),
};

describe("what a request may hold", () => {
  it.each([
    ["empty objects", json(`{"resourceSpans":[${"{},".repeat(jsonLimits.containers)}{}]}`)],
    ["empty lists", json(`{"x":[${"[],".repeat(jsonLimits.containers)}[]]}`)],
    ["numbers", json(`{"x":[${"1,".repeat(jsonLimits.elements + 1)}1]}`)],
    ["members", json(`{"x":{${'"":0,'.repeat(jsonLimits.members)}"":0}}`)],
    ["nesting", json(`{"x":${"[".repeat(200)}${"]".repeat(200)}}`)],
    ["spans", json(otlpJson([many]))],
    ["spans in protobuf", protobuf(otlpBytes([many]))],
    ["empty groups", protobuf(new Uint8Array(2 * maxFields + 2).map((_, n) => n % 2 ? 0 : 0x0a))],
    ["unknown fields", protobuf(new Uint8Array(2 * maxFields + 2).map((_, n) => n % 2 ? 0 : 0x78))],
    ["attributes of a span", protobuf(inSpan(empties(9, maxFieldsTogether + 1)))],
    ["links of a span", protobuf(inSpan(empties(13, maxFieldsTogether + 1)))],
    ["scopes", protobuf(around(1, empties(2, maxGroups)))],
    ["nested values in protobuf", protobuf(withValue(nestedList(40)).bytes)],
  ])("decodeJson, decodeProtobuf: too much of %s is malformed, and soon", (_, decode) => {
    // Generous: other tests of this process run meanwhile, and the code is cold.
    expect(cpuMs(() => expect(decode).toThrow(MalformedRequest))).toBeLessThan(5_000);
  });

  it("attributeOf: maps within maps are written once, whatever their depth", () => {
    const { bytes, text } = withValue(nestedMap(20));
    const [one, other] = [protobuf(bytes)(), json(text)()];
    expect(one).toEqual(other);
    const { map } = one.resourceSpans[0]!.spans[0]!.attributes;
    expect(map).toBe(`${'{"k":'.repeat(20)}"x\\""${"}".repeat(20)}`);
  });

  it("takeLink, linksOf: as many links are stored as SDKs send, in either encoding", () => {
    const links = Array.from({ length: maxLinks + 50 }, () => ({
      traceId: newId(16),
      spanId: newId(8),
    }));
    const given: TestResource[] = [{ resource: {}, spans: [{ links, traceId: newId(16) }] }];
    for (const { resourceSpans } of [protobuf(otlpBytes(given))(), json(otlpJson(given))()]) {
      expect(resourceSpans[0]!.spans[0]!.links).toEqual(links.slice(0, maxLinks));
    }
  });
});
