import { describe, expect, it } from "vitest";
import { seeded } from "#test/support/random.ts";
import { translatedKeys, translateKeys } from "./translate.ts";

const encoder = new TextEncoder();
const translate = (value: unknown) =>
  JSON.parse(new TextDecoder().decode(translateKeys(encoder.encode(JSON.stringify(value)))));

describe("translateKeys", () => {
  it("gives back the same bytes when the word does not occur", () => {
    const bytes = encoder.encode('{"catrn":"a"}');
    expect(translateKeys(bytes)).toBe(bytes);
  });

  it("renames every known key at every depth", () => {
    for (const [old, renamed] of translatedKeys) {
      const given = { items: [{ [old]: "x", dataset: { field_list: [{ [old]: ["y"] }] } }] };
      const text = JSON.stringify(given).replaceAll(`"${old}"`, `"${renamed}"`);
      expect(translate(given), old).toEqual(JSON.parse(text));
    }
  });

  it("leaves values, unknown keys and free maps alone", () => {
    const given = {
      items: [{
        catrn: "oddrn",
        name: '"oddrn":"x"',
        my_oddrn: 1,
        metadata: [{ schema_url: "oddrn", metadata: { oddrn: 1, deep: [{ parent_oddrn: 2 }] } }],
        data_quality_test: { expectation: { oddrn: "x", more: { group_oddrn: 1 } } },
        data_relationship: { details: { attributes: { oddrn: [{ oddrn: 1 }] } } },
      }],
    };
    expect(translate(given)).toEqual(given);
  });

  it("goes on renaming after a free map", () => {
    const given = { metadata: [{ metadata: { oddrn: 1 }, oddrn: 2 }], oddrn: 3 };
    expect(translate(given)).toEqual({
      metadata: [{ metadata: { oddrn: 1 }, catrn: 2 }],
      catrn: 3,
    });
  });

  it("keeps the names of fields in statistics, and reads within their values", () => {
    const given = { items: [{ dataset_oddrn: "d", fields: { oddrn: { tags: [{ oddrn: 1 }] } } }] };
    expect(translate(given)).toEqual({
      items: [{ dataset_catrn: "d", fields: { oddrn: { tags: [{ catrn: 1 }] } } }],
    });
  });

  it("renames the keys, and only them, of texts with quotes and braces in their values", () => {
    const pieces = ['"', "\\", "{", "}", "[", "]", ",", ":", "oddrn", "ü", '{"oddrn":1}'];
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed);
      const text = () =>
        Array.from({ length: 5 }, () => pieces[Math.floor(random() * pieces.length)]).join("");
      const made = (key: string) => ({ items: [{ [key]: text(), list: [text(), { [key]: 1 }] }] });
      const given = made("oddrn");
      const expected = structuredClone(given) as unknown as { items: Record<string, unknown>[] };
      for (const item of [expected.items[0]!, (expected.items[0]!.list as object[])[1]!]) {
        const record = item as Record<string, unknown>;
        record.catrn = record.oddrn;
        delete record.oddrn;
      }
      expect(translate(given), `seed ${seed}`).toEqual(expected);
    }
  });

  it("ends on broken and on deeply nested text", () => {
    for (const text of ['{"oddrn', '"oddrn"]]]}}}', '[{"oddrn":', `${"[".repeat(1e5)}"oddrn"`]) {
      expect(translateKeys(encoder.encode(text)).length).toBe(encoder.encode(text).length);
    }
  });
});
