import { Session } from "node:inspector/promises";
import { describe, expect, it } from "vitest";
import { otlpBytes, otlpJson, serverSpans, type TestResource } from "#test/support/traces/otlp.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";
import { factAttributes, factsOf, pack } from "../facts/index.ts";
import { type DecodedRequest, KeyMatcher, MalformedRequest } from "./decoding.ts";
import { decodeJson } from "./json.ts";
import { decodeProtobuf } from "./protobuf.ts";

/** Inputs of each encoding; more by hand: `FUZZ_INPUTS=5000000 npm test -- …/fuzz.test.ts`. */
const inputs = Number(process.env.FUZZ_INPUTS ?? sized(6_000, 1_000_000));
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
/** No input may take longer than this, milliseconds; generous, for a machine that is busy. */
const slowest = 2_000;
/** Bytes that may be retained once all is over. */
const mayRetain = 8 * 1024 * 1024;

const wanted = new KeyMatcher(factAttributes);

/** Requests that hold every shape that the decoders know. */
function samples(): TestResource[][] {
  const rich: TestResource = {
    resource: { "service.name": "orders", "service.version": "1.2", "process.pid": 12 },
    spans: [{
      kind: 3,
      name: "SELECT shop.orders",
      parentSpanId: "00f067aa0ba902b7",
      error: true,
      attributes: {
        "db.system": "postgresql",
        "db.statement": "SELECT * FROM orders o JOIN items i ON o.id = i.id WHERE note = 'ü'",
        "server.address": "db",
        "server.port": 5432,
        "aws.dynamodb.table_names": ["a", "b"],
        "app.ratio": 0.5,
        "app.flag": true,
      },
      links: [{ traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" }],
    }, {
      kind: 5,
      name: "receive",
      attributes: { "messaging.system": "kafka", "messaging.destination.name": "orders" },
    }],
  };
  return [[rich], [serverSpans(3)], [rich, serverSpans(1)], []];
}

type Random = () => number;
const below = (random: Random, bound: number) => Math.floor(random() * bound);

/** One to four changes of the bytes: flips, cuts, repetitions, insertions, odd numbers. */
function mutated(sample: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let bytes = sample;
  for (let changes = 1 + below(random, 4); changes > 0; changes--) {
    bytes = changed(bytes, other, random);
  }
  return bytes;
}

function changed(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const at = below(random, bytes.length + 1);
  const count = below(random, 24);
  switch (below(random, 7)) {
    case 0:
      return spliced(bytes, at, 1, new Uint8Array([(bytes[at] ?? 0) ^ 1 << below(random, 8)]));
    case 1:
      return bytes.slice(0, at);
    case 2:
      return spliced(bytes, at, count, new Uint8Array());
    case 3:
      return spliced(bytes, at, 0, bytes.subarray(at, at + count));
    case 4:
      return spliced(bytes, at, count, other.subarray(at, at + count));
    case 5:
      // A length or a number that claims far more than there is.
      return spliced(bytes, at, 1, new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x0f]));
    default:
      return spliced(bytes, at, 0, Uint8Array.from({ length: count }, () => below(random, 256)));
  }
}

function spliced(bytes: Uint8Array, at: number, cut: number, put: Uint8Array): Uint8Array {
  const rest = bytes.subarray(Math.min(bytes.length, at + cut));
  const whole = new Uint8Array(at + put.length + rest.length);
  whole.set(bytes.subarray(0, at));
  whole.set(put, at);
  whole.set(rest, at + put.length);
  return whole;
}

/** Changes the text of JSON where it hurts: values of other types, nesting, odd numbers and texts. */
function mutatedJson(text: string, random: Random): Uint8Array {
  const values = [
    ...["null", "[]", "{}", "-1", "1e999", '"\\ud800"', "true", '"NaN"', "18446744073709551616"],
    `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
    `{"arrayValue":{"values":[${'{"arrayValue":{"values":['.repeat(60)}${"]}}".repeat(60)}]}}`,
    '{"__proto__":{"polluted":1}}',
  ];
  const spots = [...text.matchAll(/(?<=:)("[^"]*"|\d+|true|false|\[|\{)/g)];
  const spot = spots[below(random, spots.length)];
  if (!spot || random() < 0.4) return mutated(utf8.encode(text), utf8.encode(text), random);
  const value = values[below(random, values.length)]!;
  const after = text.slice(spot.index + spot[0].length);
  return utf8.encode(`${text.slice(0, spot.index)}${value}${after}`);
}

const utf8 = new TextEncoder();

interface Tally {
  decoded: number;
  malformed: number;
  slowestMs: number;
}

/** Decodes an input and makes facts and records of it, as the intake would. */
function feed(
  input: Uint8Array,
  decode: (bytes: Uint8Array) => DecodedRequest,
  tally: Tally,
): void {
  const begun = performance.now();
  try {
    const { resourceSpans, received, refused } = decode(input);
    const spans = resourceSpans.reduce((sum, entry) => sum + entry.spans.length, 0);
    if (spans + refused !== received) throw new Error(`${spans} + ${refused} is not ${received}`);
    pack(factsOf(resourceSpans).facts, 3);
    tally.decoded++;
  } catch (error) {
    if (!(error instanceof MalformedRequest) || error.message === "") {
      const hex = Array.from(input, (byte) => byte.toString(16).padStart(2, "0")).join("");
      throw new Error(`seed ${seed}, input ${hex}`, { cause: error });
    }
    tally.malformed++;
  }
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begun);
}

/** Bytes that are in use after a garbage collection. */
async function retained(): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function fuzz(
  next: (random: Random) => Uint8Array,
  decode: (bytes: Uint8Array) => DecodedRequest,
) {
  const random = seeded(seed);
  const tally: Tally = { decoded: 0, malformed: 0, slowestMs: 0 };
  for (let n = 0; n < inputs / 10; n++) feed(next(random), decode, tally);
  const before = await retained();
  for (let n = 0; n < inputs * 0.9; n++) feed(next(random), decode, tally);
  const after = await retained();
  console.log(`seed ${seed}: ${JSON.stringify(tally)}`);
  expect(tally.decoded).toBeGreaterThan(inputs / 50);
  expect(tally.malformed).toBeGreaterThan(inputs / 50);
  expect(tally.decoded + tally.malformed).toBe(inputs);
  expect(tally.slowestMs).toBeLessThan(slowest);
  expect(after - before).toBeLessThan(mayRetain);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

describe("fuzzed requests", () => {
  it(`decodeProtobuf: ${inputs} mutated inputs are decoded or malformed (seed ${seed})`, async () => {
    const all = samples().map((sample) => otlpBytes(sample));
    await fuzz((random) => {
      const [one, other] = [all[below(random, all.length)]!, all[below(random, all.length)]!];
      return mutated(one, other, random);
    }, (bytes) => decodeProtobuf(bytes, wanted));
  });

  it(`decodeJson: ${inputs} mutated inputs are decoded or malformed (seed ${seed})`, async () => {
    const all = samples().map((sample) => otlpJson(sample));
    await fuzz(
      (random) => mutatedJson(all[below(random, all.length)]!, random),
      (bytes) => decodeJson(bytes, wanted),
    );
  });
});
