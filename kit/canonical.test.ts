import { describe, expect, it } from "vitest";
import { canonical } from "#kit/canonical.ts";

describe("canonical", () => {
  it("writes what stored hashes were made of", () => {
    const value = {
      name: 'a "b"\n',
      "b-ü\u2028": [1, "x", null, undefined, { z: 1n, a: true }, []],
      a: undefined,
      A: { "": 0.5, _: {} },
      "10": 10,
      "9": 9,
    };
    expect(canonical(value)).toBe(
      '{"10":10,"9":9,"A":{"":0.5,"_":{},},"b-ü\u2028":[1,"x",null,undefined,' +
        '{"a":true,"z":1,},[]],"name":"a \\"b\\"\\n",}',
    );
  });

  it("gives one text whatever the order of the keys, however many", () => {
    for (const count of [2, 24, 25, 200]) {
      const keys = Array.from(
        { length: count },
        (_, i) => `k${(i * 7) % count}${"x".repeat(i % 3)}`,
      );
      const value = (order: string[]) => Object.fromEntries(order.map((key) => [key, key]));
      const text = canonical(value(keys));
      expect(canonical(value([...keys].reverse()))).toBe(text);
      expect(text).toBe(`{${[...keys].sort().map((key) => `"${key}":"${key}",`).join("")}}`);
    }
  });

  it("takes no object for one of other keys, though there are as many", () => {
    const objects = [{ b: 1, a: 2 }, { a: 3, b: 4 }, { b: 5, c: 6 }, { b: 7, a: 8 }];
    expect(canonical(objects)).toBe(
      '[{"a":2,"b":1,},{"a":3,"b":4,},{"b":5,"c":6,},{"a":8,"b":7,}]',
    );
  });

  it("escapes what JSON escapes, in keys and in texts", () => {
    for (
      const text of ['"', "\\", "\u0000", "\u001f", "\u007f", "\ud800", "ü", "]", "[", "~", " "]
    ) {
      const spelled = JSON.stringify(text);
      expect(canonical({ [text]: text })).toBe(`{${spelled}:${spelled},}`);
    }
  });

  it("compares keys by UTF-16 units, as sorting does", () => {
    const keys = ["\ud83d\ude00", "\uffee", "é", "z", "Z", "_"];
    const text = canonical(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(text).toBe(`{${[...keys].sort().map((key) => `"${key}":0,`).join("")}}`);
  });
});
