import { expect, it } from "vitest";
import { plainText } from "#web/kit/markdown-text.ts";

it.each([
  ["Money that is *not* yet paid", "Money that is not yet paid"],
  ["**Sum** of `amount`, see [the wiki](https://wiki.example/a_b)", "Sum of amount, see the wiki"],
  ["# Revenue\n\nWhat _we_ earn", "Revenue What we earn"],
  ["- one\n- [x] two\n1. three", "one two three"],
  ["> quoted\n```sql\nSELECT 1\n```", "quoted SELECT 1"],
  ["2 * 3 * 4 of order_line_id and _id", "2 * 3 * 4 of order_line_id and _id"],
  ["~~old~~ \\*kept\\*", "old *kept*"],
])("reads %j as %j", (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
