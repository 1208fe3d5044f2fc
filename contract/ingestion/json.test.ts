import { describe, expect, it } from "vitest";
import { faults, item, list } from "#test/support/seed/batches.ts";
import { inspectJson, type JsonLimits } from "./inspect.ts";
import { exactJson, parseJson } from "./json.ts";
import { parseDataEntityList } from "./batch.ts";

describe("what JSON can spell", () => {
  it("keeps the digits of integers beyond 2^53 and refuses those beyond 64 bits", () => {
    const text = (n: string) =>
      list(item({ dataset: { rows_number: 7, field_list: [] } })).replace("7", n);
    const read = parseDataEntityList(text("9007199254740993"));
    expect(read.items[0]!.dataset!.rows_number).toBe(9007199254740993n);
    expect(exactJson(read.items[0]!.dataset)).toBe(
      '{"rows_number":9007199254740993,"field_list":[]}',
    );
    expect(faults(text("9223372036854775808"))).toEqual([
      "items[0].dataset.rows_number: must be a 64-bit integer (entity //a)",
    ]);
  });

  it("refuses what PostgreSQL cannot store, naming its place", () => {
    expect(faults(list(item({ description: "a\0b" })))).toEqual([
      "items[0].description: must not hold the character NUL (entity //a)",
    ]);
    expect(faults(list(item({ name: "NAME" })).replace("NAME", "\\ud800"))).toEqual([
      "items[0].name: must not hold half a surrogate pair (entity //a)",
    ]);
    expect(faults(new Uint8Array([0x7b, 0xff]))).toEqual(["The body is not valid UTF-8"]);
  });

  it("bounds the nesting, wherever it is", () => {
    const deep = `${"[".repeat(90)}${"]".repeat(90)}`;
    const with90 = list(item({ metadata: [{ schema_url: "u", metadata: { d: 0 } }] }))
      .replace('"d":0', `"d":${deep}`);
    expect(faults(with90)).toEqual([]);
    expect(faults(with90.replace(deep, `[[[[[[[[[[${deep}]]]]]]]]]]`))).toEqual([
      "JSON is nested deeper than 100",
    ]);
    expect(faults("[".repeat(1_000_000))).toEqual(["JSON is nested deeper than 100"]);
  });

  it("bounds the nesting of what closes more than it opens", () => {
    expect(faults("]".repeat(1_000) + "[".repeat(101))).toEqual(["JSON is nested deeper than 100"]);
  });

  it("takes keys such as __proto__ and constructor as ordinary names", () => {
    const text = list(item({ metadata: [{ schema_url: "u", metadata: { KEY: { a: 1 }, b: 2 } }] }));
    for (const key of ["__proto__", "\\u005f_proto__"]) {
      expect(faults(text.replace("KEY", key))).toEqual([
        "items[0].metadata[0].metadata.__proto__: is not a key that is taken (entity //a)",
      ]);
    }
    const [read] = parseDataEntityList(text.replace("KEY", "constructor")).items;
    expect(Object.keys(read!.metadata![0]!.metadata)).toEqual(["constructor", "b"]);
  });

  it("takes strange CATRNs, a byte-order mark and a group named like its source", () => {
    const strange = ["//a b/ü\\n//c", "//x?y=1&z#", "💧".repeat(250), "'; DROP TABLE x; --"];
    const items = strange.map((catrn) => item({ catrn }));
    const group = {
      catrn: "//s",
      name: "s",
      type: "DATABASE_SERVICE",
      data_entity_group: { entities_list: [] },
    };
    const read = parseDataEntityList(`\ufeff${list(...items, group)}`);
    expect(read.items.map(({ catrn }) => catrn)).toEqual([...strange, "//s"]);
  });
});

describe("parseJson", () => {
  it("agrees with JSON.parse on everything but nulls of objects", () => {
    const texts = [
      '{"a":[1,2.5,-0,1e3,"x",true,null]}',
      "[]",
      '"a\\"b"',
      "12",
      '{"k":"0123456789012345"}',
    ];
    for (const text of texts) expect(parseJson(text), text).toEqual(JSON.parse(text));
  });

  it("keeps the digits of every integer, wherever it stands, and no others", () => {
    const long = "123456789012345678901234567890";
    const text =
      `{"a":[${long},-${long},1e30,${long}.5,0.${long}],"${long}":"${long}","b":{"c":${long}},` +
      `"d":9007199254740991}`;
    expect(parseJson(text)).toEqual({
      a: [BigInt(long), -BigInt(long), 1e30, Number(long), Number(`0.${long}`)],
      [long]: long,
      b: { c: BigInt(long) },
      d: 9007199254740991,
    });
    for (
      const wrong of [`{${long}:1}`, `{${long} :1}`, `[0${long}]`, `[${long}"x"]`, `[--${long}]`]
    ) {
      expect(() => parseJson(wrong), wrong).toThrow("The body is not valid JSON");
    }
    expect(() => parseJson(`[${"9".repeat(1_001)}]`)).toThrow("more than 1000 digits");
  });
});

describe("inspectJson", () => {
  const limits: JsonLimits = { containers: 3, members: 4, elements: 2 };
  const fault = (text: string) => {
    try {
      inspectJson(new TextEncoder().encode(text), limits);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("refuses what holds too much of anything, and names the bound", () => {
    expect(fault("[{},{}]")).toBeUndefined();
    expect(fault("[[[[")).toBe("The JSON holds more than 3 objects and arrays");
    expect(fault("[1,2,3]")).toBeUndefined();
    expect(fault("[1,2,3,4]")).toBe("The JSON holds more than 2 elements of arrays");
    expect(fault('{"a":1,"b":[1,2,3],"c":1,"d":1}')).toBeUndefined();
    expect(fault('{"a":1,"b":1,"c":1,"d":1,"e":1}')).toBe(
      "The JSON holds more than 4 members of objects",
    );
    expect(fault('["[[[[{,,,,:::::"]')).toBeUndefined();
  });

  it("refuses before anything is built", () => {
    const body = new TextEncoder().encode(`[${"{},".repeat(6_000_000)}{}]`);
    expect(() => parseJson(body)).toThrow("The JSON holds more than 1000000 objects and arrays");
  });
});
