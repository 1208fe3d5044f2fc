import { describe, expect, it } from "vitest";
import { seeded } from "#test/support/random.ts";
import { Offer } from "../openapi.ts";
import { filled, locationsOf } from "../locations.ts";
import { faultOf } from "../send.ts";
import { damagedBytes, mutated, mutatedText } from "./mutate.ts";
import { draw } from "./run.ts";
import { spelled, textOf } from "./words.ts";
import type { FuzzWorld } from "./world.ts";

const offer = Offer.read();
const world = {
  offer,
  ids: ["77"],
  known: new Map([["term_id", ["78"]]]),
  searches: new Map([["/api/search", "0190a5b0-0000-7000-8000-000000000000"]]),
  filed: "79",
  protectedIds: new Set(["12345"]),
  subject: { otlpTopic: "t" },
} as unknown as FuzzWorld;

describe("draw", () => {
  const inputs = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 300 }, () => draw(world, random)).map((i) => [i.entrance, i.shown]);
  };

  it("makes the same inputs of the same seed, and others of another", () => {
    expect(inputs(1)).toEqual(inputs(1));
    expect(inputs(1)).not.toEqual(inputs(2));
  });

  it("reaches every kind of entrance", () => {
    const random = seeded(3);
    const drawn = Array.from({ length: 12_000 }, () => draw(world, random).entrance);
    const known = new Set(drawn);
    const routes = offer.operations.map(({ method, path }) => `${method} ${path}`);
    const others = [
      "HTTP",
      "POST /mcp",
      "OTLP/HTTP, JSON",
      "OTLP/HTTP, protobuf",
      "OTLP/gRPC",
      "log, otlp",
      "files, chunk",
      "files, chunk as no library writes it",
      "files, CSV",
    ];
    const logs = ["log, ingestion.batches", "log, traces.spans", "log, openlineage.events"];
    const wanted = [...routes, ...others, ...logs];
    expect(wanted.filter((entrance) => !known.has(entrance))).toEqual([]);
  });
});

describe("mutated", () => {
  const sound = { items: [{ catrn: "//a", n: 1, tags: [{ name: "t" }] }] };

  it("leaves the sound tree as it was, and changes its copy almost always", () => {
    const before = JSON.stringify(sound);
    const random = seeded(4);
    const changed = Array.from({ length: 200 }, () => textOf(mutated(sound, random)))
      .filter((text) => text !== before);
    expect(JSON.stringify(sound)).toBe(before);
    expect(changed.length).toBeGreaterThan(150);
  });

  it("makes own keys of names such as __proto__, which an assignment would not make", () => {
    const random = seeded(5);
    const texts = Array.from({ length: 2_000 }, () => mutatedText(sound, random));
    expect(texts.filter((text) => text.includes('"__proto__":')).length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes('"constructor":')).length).toBeGreaterThan(0);
  });

  it("damagedBytes changes bytes and never throws", () => {
    const random = seeded(6);
    for (let n = 0; n < 200; n++) damagedBytes(new Uint8Array([1, 2, 3, 4]), random);
    expect([...damagedBytes(new Uint8Array(64), random)]).not.toEqual(Array(64).fill(0));
  });
});

it("textOf writes numbers that JavaScript cannot hold", () => {
  expect(textOf({ a: spelled("9007199254740993"), b: [spelled("1e999")], c: '#1"' }))
    .toBe('{"a":9007199254740993,"b":[1e999],"c":"#1\\""}');
});

describe("faultOf", () => {
  const responseOf = (status: number, text = "", headers = {}) => ({
    status,
    text,
    headers: new Headers(headers),
  });

  it("finds what is no documented answer", () => {
    const accident = '{"code":"SYS001","message":"Internal Server Error"}';
    for (
      const wrong of [
        responseOf(0),
        responseOf(500),
        responseOf(500, accident),
        responseOf(503),
        responseOf(502),
      ]
    ) {
      expect(faultOf(wrong), `${wrong.status}`).not.toBeNull();
    }
    expect(faultOf(responseOf(404), [200, 400])).toContain("404 is not declared");
  });

  it("takes refusals that were written on purpose", () => {
    const meant = '{"code":"SYS001","message":"The body is larger than 1 bytes"}';
    const fine = [
      responseOf(400),
      responseOf(500, meant),
      responseOf(503, "", { "retry-after": "5" }),
    ];
    for (const right of fine) expect(faultOf(right)).toBeNull();
  });
});

describe("placesOf", () => {
  const locations = locationsOf(offer, offer.operation("postDataEntityList").body!);

  it("finds lists and maps in the depth of a body, alternatives too", () => {
    const paths = locations.map(({ path, kind }) => `${kind} ${path}`);
    expect(paths).toContain("list items");
    expect(paths).toContain("list items[].dataset.field_list[].enum_values");
    expect(paths).toContain("map items[].data_relationship.details.attributes");
  });

  it("filled: JSON of the size that is requested", () => {
    for (const place of locations.filter(({ kind }) => kind === "list" || kind === "map")) {
      const body = filled(place, place.kind === "map" ? "many keys" : "sound elements", 10_000)!;
      expect(body.length, place.path).toBeGreaterThan(8_000);
      expect(body.length, place.path).toBeLessThanOrEqual(10_000);
      expect(() => JSON.parse(body), place.path).not.toThrow();
    }
  });
});
