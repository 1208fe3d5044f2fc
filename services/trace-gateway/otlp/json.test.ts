import { describe, expect, it } from "vitest";
import { decodeJson } from "./json.ts";
import { KeyMatcher } from "./decoding.ts";

const wanted = new KeyMatcher(
  new Set(["service.name", "server.port", "list", "map", "big", "odd"]),
);
const traceId = "5B8EFFF798038103D269B633813FC60C";
const ids = { traceId, spanId: "EEE19B7EC3C1B174" };

const decode = (spans: unknown[], attributes: unknown = []) =>
  decodeJson(
    new TextEncoder().encode(
      JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] }),
    ),
    wanted,
  );
const decodeOne = (span: Record<string, unknown>) =>
  decode([{ ...ids, ...span }]).resourceSpans[0]!.spans[0]!;

describe("decodeJson", () => {
  it.each([
    ["as numbers", 3, 2],
    ["as names", "SPAN_KIND_CLIENT", "STATUS_CODE_ERROR"],
  ])("decodeJson: enums %s, ids in hex of either case", (_, kind, code) => {
    expect(decodeOne({ kind, status: { code }, parentSpanId: "eee19b7ec3c1b173" })).toMatchObject({
      traceId: traceId.toLowerCase(),
      spanId: "eee19b7ec3c1b174",
      parentSpanId: "eee19b7ec3c1b173",
      kind: "client",
      error: true,
    });
  });

  it.each([["1544712660300000000"], [1544712660300000000]])(
    "decodeJson: 64-bit integers as text or number (%s)",
    (time) => {
      const span = decodeOne({ startTimeUnixNano: time, endTimeUnixNano: time });
      expect(span).toMatchObject({ startMicros: 1544712660300000, endMicros: 1544712660300000 });
    },
  );

  it("decodeJson: attributes of every type, and unknown fields are ignored", () => {
    const values = {
      "server.port": { intValue: "8080" },
      big: { intValue: "9223372036854775807" },
      odd: { doubleValue: "NaN" },
      list: { arrayValue: { values: [{ stringValue: "a" }, { intValue: 2 }] } },
      map: { kvlistValue: { values: [{ key: "k", value: { boolValue: true } }] } },
      unwanted: { stringValue: "x" },
    };
    const attributes = Object.entries(values).map(([key, value]) => ({ key, value }));
    const span = decodeOne({ attributes, newField: { of: ["a", "later", "version"] }, events: 7 });
    expect(span.attributes).toEqual({
      "server.port": 8080,
      big: "9223372036854775807",
      odd: NaN,
      list: ["a", "2"],
      map: '{"k":true}',
    });
  });

  it.each([
    [{ name: 7 }, "resourceSpans[0].scopeSpans[0].spans[0].name must be a text"],
    [{ startTimeUnixNano: "soon" }, "spans[0].startTimeUnixNano must be a whole number"],
    [{ kind: {} }, "spans[0].kind must be a number or a name"],
    [{ links: [3] }, "spans[0].links[0] must be an object"],
    [
      { attributes: [{ key: "big", value: { intValue: "x" } }] },
      "attributes[0].value.intValue must be a whole number",
    ],
  ])("decodeJson: names the field that is wrong (%j)", (span, message) => {
    expect(() => decodeOne(span)).toThrow(message);
  });

  it("decodeJson: spans without a valid id are refused, null and absent fields are empty", () => {
    const { received, refused, reason, resourceSpans } = decode([
      { ...ids, name: null, status: null, links: null, attributes: null },
      { ...ids, traceId: "abc" },
      { traceId, spanId: null },
    ], null);
    expect({ received, refused, reason }).toEqual({
      received: 3,
      refused: 2,
      reason: "a trace id must be 16 bytes, not all zero",
    });
    expect(resourceSpans[0]!.spans).toHaveLength(1);
  });

  it("decodeJson: an empty request is sound", () => {
    expect(decodeJson(new TextEncoder().encode("{}"), wanted).received).toBe(0);
  });
});
