import { describe, expect, it } from "vitest";
import { seeded } from "#test/support/random.ts";
import { isGroup, scanBatch } from "./parse.ts";
import { splitBatch } from "./split.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const parse = (bytes: Uint8Array) => JSON.parse(decoder.decode(bytes));

/** JSON text of `value` with random white space and escapes wherever JSON allows them. */
function spelledAtRandom(value: unknown, random: () => number): string {
  const space = () => ["", "", "", " ", "\n\t", "\r\n  "][Math.floor(random() * 6)]!;
  const text = (raw: string) =>
    JSON.stringify(raw).replace(
      /[a-z]/g,
      (letter) =>
        random() < 0.1 ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}` : letter,
    )
      // A letter after a backslash is part of an escape: leave those texts alone.
      .replace(
        /^.*$/s,
        (spelled) => JSON.stringify(raw).includes("\\") ? JSON.stringify(raw) : spelled,
      );
  const write = (v: unknown): string => {
    if (typeof v === "string") return text(v);
    if (Array.isArray(v)) {
      return `[${space()}${v.map(write).join(`${space()},${space()}`)}${space()}]`;
    }
    if (v === null || typeof v !== "object") return JSON.stringify(v);
    const members = Object.entries(v).map(([k, m]) => `${text(k)}${space()}:${space()}${write(m)}`);
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
  };
  return `${space()}${write(value)}${space()}`;
}

const pieces = ['"', "\\", "}", "]", ",", "{", "[", ":", "ü", "💧", "items", "\n", "a", " "];

function randomValue(random: () => number, depth = 0): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
  const text = () =>
    Array.from({ length: Math.floor(random() * 6) }, () => pieces[Math.floor(random() * 14)]).join(
      "",
    );
  if (kind === 0) return text();
  if (kind === 1) return Math.round((random() - 0.5) * 1e6) / 8;
  if (kind === 2) return null;
  if (kind === 3) return random() < 0.5;
  const several = Array.from(
    { length: Math.floor(random() * 4) },
    () => randomValue(random, depth + 1),
  );
  return kind === 4 ? several : Object.fromEntries(several.map((v, i) => [`${text()}${i}`, v]));
}

function randomBatch(random: () => number) {
  const items = Array.from({ length: Math.floor(random() * 12) }, (_, i) => ({
    catrn: `//${i}`,
    extra: randomValue(random),
    ...(random() < 0.3 ? { data_entity_group: random() < 0.2 ? null : { entities_list: [] } } : {}),
  }));
  return { before: randomValue(random), data_source_catrn: 'a "quoted" 💧\\', items, items2: [1] };
}

describe("scanBatch", () => {
  it("finds exactly the items that a parser finds, however the text is spelled", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed);
      const batch = randomBatch(random);
      const bytes = encoder.encode(spelledAtRandom(batch, random));
      const scanned = scanBatch(bytes);
      expect(scanned.dataSourceCatrn, `seed ${seed}`).toBe(batch.data_source_catrn);
      const found = scanned.items.map(({ from, to }) => parse(bytes.subarray(from, to)));
      expect(found, `seed ${seed}`).toEqual(batch.items);
      expect(scanned.items.map((item) => isGroup(bytes, item)), `seed ${seed}`)
        .toEqual(batch.items.map((item) => Boolean(item.data_entity_group)));
    }
  });

  it("takes the last of several equal keys, as a parser does, and skips a byte-order mark", () => {
    const text =
      '\ufeff{"items":[1],"data_source_catrn":"a","items":[2,3],"data_source_catrn":"b"}';
    const scanned = scanBatch(encoder.encode(text));
    expect(scanned.dataSourceCatrn).toBe("b");
    expect(scanned.items.length).toBe(2);
  });

  it("ends on any bytes at all", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed);
      const text = spelledAtRandom(randomBatch(random), random);
      const bytes = encoder.encode(text).slice(0, Math.floor(random() * text.length));
      for (let n = 0; n < 3; n++) bytes[Math.floor(random() * bytes.length)] = random() * 256;
      expect(() => scanBatch(bytes).items.length, `seed ${seed}`).not.toThrow(TypeError);
    }
  });
});

describe("splitBatch", () => {
  it("loses and changes nothing, keeps the limits, and puts groups last", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed);
      const batch = randomBatch(random);
      const bytes = encoder.encode(spelledAtRandom(batch, random));
      const limits = {
        items: 1 + Math.floor(random() * 4),
        bytes: 80 + Math.floor(random() * 300),
      };
      const chunks = splitBatch(bytes, scanBatch(bytes), limits);
      const order = chunks.flatMap(({ indexes }) => indexes);
      expect([...order].sort((a, b) => a - b), `seed ${seed}`).toEqual([...batch.items.keys()]);
      const groups = order.map((i) => Boolean(batch.items[i]!.data_entity_group));
      expect(groups, `seed ${seed}`).toEqual([...groups].sort());
      for (const chunk of chunks) {
        const body = parse(chunk.body);
        expect(body, `seed ${seed}`).toEqual({
          data_source_catrn: batch.data_source_catrn,
          items: chunk.indexes.map((i) => batch.items[i]),
        });
        expect(chunk.indexes.length).toBeLessThanOrEqual(limits.items);
        if (chunk.indexes.length > 1) expect(chunk.body.length).toBeLessThanOrEqual(limits.bytes);
      }
    }
  });

  it("makes a chunk of its own of an item that is larger than a chunk", () => {
    const items = [{ n: 1 }, { n: 2, text: "x".repeat(500) }, { n: 3 }];
    const bytes = encoder.encode(JSON.stringify({ data_source_catrn: "s", items }));
    const chunks = splitBatch(bytes, scanBatch(bytes), { items: 10, bytes: 200 });
    expect(chunks.map((chunk) => chunk.indexes)).toEqual([[0], [1], [2]]);
  });

  it("hands item bytes on as they came", () => {
    const item = '{ "catrn":"a",  "rows": 12345678901234567890, "x": 1.0 }';
    const bytes = encoder.encode(`{"items":[ ${item} ],"data_source_catrn":"s"}`);
    const [chunk] = splitBatch(bytes, scanBatch(bytes));
    expect(decoder.decode(chunk!.body)).toBe(`{"data_source_catrn":"s","items":[${item}]}`);
  });
});
