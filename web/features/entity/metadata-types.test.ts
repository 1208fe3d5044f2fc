import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import { type FieldType, laidOut, wrongWith } from "#web/features/entity/metadata-types.ts";

const good: [FieldType, string][] = [
  ["STRING", "anything"],
  ["INTEGER", "-90"],
  ["FLOAT", "1.5e-3"],
  ["BOOLEAN", "false"],
  ["DATETIME", "2026-05-01T12:00:00Z"],
  ["DATETIME", "2026-05-01 12:00"],
  ["ARRAY", '["a", 1]'],
  ["JSON", '{"a": 1}'],
];
const bad: [FieldType, string][] = [
  ["STRING", "  "],
  ["INTEGER", "1.5"],
  ["FLOAT", "many"],
  ["BOOLEAN", "yes"],
  ["DATETIME", "2026-05-01"],
  ["DATETIME", "2026-99-99T12:00"],
  ["ARRAY", '{"a": 1}'],
  ["JSON", "null"],
  ["JSON", "{"],
];

test.each(good)("%s may be %s", (type, text) => expect(wrongWith(type, text)).toBeUndefined());
test.each(bad)("%s is not %s", (type, text) => expect(wrongWith(type, text)).toMatch(/^must/));

test("JSON is laid out, other text is not touched", () => {
  expect(laidOut('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(laidOut("{broken")).toBe("{broken");
});
