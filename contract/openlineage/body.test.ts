import { describe, expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { evaluateEvent, eventSlices } from "./evaluate.ts";
import { smallRunEvent } from "./testing/samples.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const texts = (text: string, lines = false) => {
  const bytes = encode(text);
  const { form, slices } = eventSlices(bytes, { lines });
  return [
    form,
    ...slices.map(({ from, to }) => new TextDecoder().decode(bytes.subarray(from, to))),
  ];
};

describe("eventSlices", () => {
  it.each([
    [' {"a":1} ', ["one", '{"a":1}']],
    ['\ufeff{"a":1}', ["one", '{"a":1}']],
    ['{"a":1}\n{"b":2}\n', ["list", '{"a":1}', '{"b":2}']],
    ['{"a":1}\r\n\r\n{"b"\n', ["list", '{"a":1}\r', '{"b"']],
    ['[{"a":[1,2]}, 5 ,"x]"]', ["list", '{"a":[1,2]}', "5", '"x]"']],
    [" [ ] ", ["list"]],
    ['{"a":1} {"b":2}', ["one", '{"a":1} {"b":2}']],
    ["nonsense", ["one", "nonsense"]],
  ])("%j", (given, found) => expect(texts(given)).toEqual(found));

  it("takes lines for lines where they are told", () => {
    expect(texts('{"a":1}', true)).toEqual(["list", '{"a":1}']);
    expect(texts('{"a"\n[1]\n', true)).toEqual(["list", '{"a"', "[1]"]);
  });

  it.each(["[1,2", "[1,2] 3", "[1 2]", "[1,,2]", "["])("refuses %s", (given) => {
    expect(() => texts(given)).toThrow(AppError);
  });
});

describe("judgeEvent", () => {
  const resultOf = (text: string) => {
    const result = evaluateEvent(encode(text));
    return "refused" in result ? result.refused.reason : result.accepted.key;
  };

  it("takes numbers that are none, as Python writes them", () => {
    const event = JSON.stringify({ ...smallRunEvent(), a: 1 })
      .replace('"a":1', '"a":[NaN, -Infinity,Infinity],"b":"NaN"');
    expect(resultOf(event)).toBe("run:airflow/daily.totals");
  });

  it.each([
    ["{", "The body is not valid JSON"],
    ["{NaN}", "The body is not valid JSON"],
    ["[".repeat(101), "JSON is nested deeper than 100"],
    [`{"a":${"1".repeat(1_001)}}`, "A number has more than 1000 digits"],
  ])("refuses %.20s", (text, expected) => expect(resultOf(text)).toContain(expected));

  it("refuses what is no UTF-8", () => {
    const result = evaluateEvent(new Uint8Array([0x22, 0xff, 0x22]));
    expect(result).toMatchObject({ refused: { unreadable: true } });
  });
});
