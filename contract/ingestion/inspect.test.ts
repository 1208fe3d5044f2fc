import { describe, expect, it } from "vitest";
import { checkDataEntityList } from "./batch.ts";
import { inspectJson, isWithin, traitsOf } from "./inspect.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const none = { longNumbers: false, nulls: false, unicodeEscapes: false, proto: false };

describe("inspectJson", () => {
  it("tells of what a text holds in all", () => {
    const inspected = inspectJson(bytes('{"a":[1,2,{"b":3}],"c":"[,:{"}'));
    expect(inspected.holds).toEqual({ containers: 3, members: 3, elements: 2 });
    expect(isWithin(inspected, { containers: 3, members: 3, elements: 2 })).toBe(true);
    expect(isWithin(inspected, { containers: 2, members: 3, elements: 2 })).toBe(false);
  });

  it.each([
    ["longNumbers", "1234567890123456"],
    ["nulls", "null"],
    ["unicodeEscapes", '"\\u0041"'],
    ["proto", '{"__proto__":1}'],
  ])("finds %s wherever they stand, and not far from there", (trait, value) => {
    for (let before = 0; before < 600; before++) {
      const text = `[${" ".repeat(before)}${value}${" ".repeat(600)}]`;
      const inspected = inspectJson(bytes(text));
      const from = before + 1;
      expect(traitsOf(inspected, from, from + value.length)).toEqual({ ...none, [trait]: true });
      expect(traitsOf(inspected, from + value.length + 256)).toEqual(none);
    }
  });

  it("lets each item of a batch be read as if it came alone, wherever it stands", () => {
    const list = (...items: string[]) => `{"data_source_catrn":"//s","items":[${items.join(",")}]}`;
    const item = (more: string) =>
      `{"catrn":"//t","name":"n","type":"TABLE","dataset":{"field_list":[]}${more}}`;
    const odd = [
      ',"metadata":[{"schema_url":"s","metadata":{"id":12345678901234567890,"no":null}}]',
      ',"description":null',
      ',"description":"\\u0000"',
      ',"description":"\\ud800"',
      ',"__proto__":{"name":"x"}',
      ',"version":"1"',
    ].map(item);
    const alone = odd.map((text) => checkDataEntityList(list(item(""), text)));
    for (let size = 0; size < 300; size++) {
      const padded = odd.flatMap((text) => [item(`,"owner":"${"x".repeat(size)}"`), text]);
      const whole = checkDataEntityList(list(...padded));
      for (const [i, { items: [, taken], refused: [refused] }] of alone.entries()) {
        const at = 2 * i + 1;
        expect(whole.items.find(({ index }) => index === at)?.item).toEqual(taken?.item);
        const details = whole.refused.find(({ index }) => index === at)?.details;
        const moved = refused?.details.map((one) => ({
          ...one,
          field: one.field.replace("items[1]", `items[${at}]`),
        }));
        expect(details).toEqual(moved);
      }
    }
  });
});
